import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/plugin/command-line/kinds.ts';
import { type Asking, Gathering, type Items } from '../../../src/plugin/terraform/items.ts';
import { offline } from '../../../src/plugin/terraform/imported.ts';
import { mapping } from '../../../src/plugin/terraform/mapping.ts';
import { isSaid, type Rule, type Rules } from '../../../src/kinds/terraform/rule.ts';
import { stateOf } from '../../../src/plugin/terraform/state/state.ts';
import { types } from '../../../src/kinds/terraform/resources.ts';
import { samples } from '../../support/terraform/samples.ts';
import { type Attributes, shownText, stateText } from '../../support/terraform/state.ts';

/** What its parts belong to, so that they have something to belong to. */
const owners: Readonly<Record<string, string>> = {
  linode_firewall_device: 'linode_firewall',
  linode_database_access_controls: 'linode_database_mysql',
  linode_lke_node_pool: 'linode_lke_cluster',
  linode_nodepool: 'linode_lke_cluster',
};
const resource = (type: string, attributes: Attributes) => ({ type, name: 'x', instances: [{ attributes }] });

/** What a state of this one resource comes to. A line of Terraform 3.13 leaves nothing out; what is older is read the same. */
function comesTo(type: string, attributes: Attributes, asking?: Asking): Items {
  const owner = owners[type];
  const plain = owner === undefined ? [] : [resource(owner, { ...samples[owner], linodes: [7], allow_list: ['192.0.2.0/24'] })];
  const text = JSON.parse(stateText('3.13', [...plain, { ...resource(type, {}) }])) as {
    resources: { type: string; instances: { attributes: unknown }[] }[];
  };
  const [instance] = text.resources.find((one) => one.type === type)?.instances ?? [];
  if (instance !== undefined) instance.attributes = attributes;
  return new Gathering(stateOf('state', JSON.stringify(text)), () => true, asking);
}
const wants = ({ items }: Items): string => JSON.stringify(items.map(({ kind, id, want }) => ({ kind, id, want })));
const whole = ({ items, left, notes, secrets }: Items): string =>
  JSON.stringify({
    items: items.map(({ kind, id, name, addresses, want }) => ({ kind, id, name, addresses, want })),
    left,
    notes,
    secrets,
  });

interface Place {
  readonly type: string;
  readonly at: readonly string[];
  readonly path: string;
  readonly rule: Rule;
}
const placesIn = (type: string, rules: Rules, at: readonly string[]): readonly Place[] =>
  Object.entries(rules).flatMap(([name, rule]) => [
    { type, at: [...at, name], path: `${type}.${[...at, name].join('.')}`, rule },
    ...('rules' in rule ? placesIn(type, rule.rules, [...at, name]) : []),
  ]);
const places = Object.entries(types).flatMap(([type, rule]) => ('rules' in rule ? placesIn(type, rule.rules, []) : []));

/** Attributes that say nothing in one sample because of another one, with that. */
const inOther: Readonly<Record<string, Attributes>> = {
  'linode_domain_record.name': { record_type: 'A', name: 'www', service: null, protocol: null },
  'linode_domain_record.tag': { record_type: 'CAA', tag: 'issue', service: null, protocol: null },
  'linode_object_storage_key.limited': { limited: false },
  'linode_firewall_device.entity_type': { entity_type: 'nodebalancer' },
};
const sampleFor = ({ type, path }: Place): Attributes => ({ ...samples[type], ...inOther[path] });

const valueAt = (from: unknown, at: readonly string[]): unknown => {
  const first = Array.isArray(from) ? (from[0] as unknown) : from;
  const [name, ...rest] = at;
  return name === undefined ? from : valueAt((first as Attributes | undefined)?.[name], rest);
};
/** The same with another value there. */
const changed = (from: unknown, at: readonly string[], to: unknown): unknown => {
  const [name, ...rest] = at;
  if (name === undefined) return to;
  if (Array.isArray(from)) return [changed(from[0], at, to), ...(from.slice(1) as unknown[])];
  return { ...(from as Attributes), [name]: changed((from as Attributes)[name], rest, to) };
};
const without = (place: Place): Attributes => changed(sampleFor(place), place.at, null) as Attributes;
const of = (...does: readonly Rule['does'][]) => places.filter(({ rule }) => does.includes(rule.does));

const isHere = (kind: string): boolean => registry.kinds.some((one) => one.kind === kind);

const accounted = (text: string): readonly string[] => {
  const { items, left } = new Gathering(stateOf('state', text), () => true);
  return [...items.flatMap((one) => one.addresses), ...left.map(({ address }) => address)];
};
const toldOfTags = (tags: readonly string[]) =>
  comesTo('linode_volume', { ...samples['linode_volume'], tags })
    .notes.map(({ why }) => why)
    .filter((why) => why.startsWith('tags'));

describe('the table of Terraform types', () => {
  it('has a sample of each type with every attribute, and of those that stay in Terraform there is a reason', () => {
    const attributesOf = (type: string) => places.filter((one) => one.type === type && one.at.length === 1).map(({ at }) => at[0] ?? '');
    const mapped = Object.entries(types).flatMap(([type, rule]) => (rule.is === 'nothing' ? [] : [type]));
    for (const type of mapped) expect(new Set(Object.keys(samples[type] ?? {}))).toEqual(new Set(attributesOf(type)));
    const reasons = Object.values(types).flatMap((rule) => (rule.is === 'nothing' ? [rule.why] : []));
    for (const why of reasons) expect(why).toMatch(/^[a-z].{20,}[^.]$/);
    expect(mapping().length).toBeGreaterThan(places.length);
  });
  it('speaks of kinds and fields of this release, or of a kind that is not there yet', () => {
    const absent = Object.values(types).filter((rule) => 'kind' in rule && !isHere(rule.kind));
    for (const rule of absent) expect(rule).toMatchObject({ whole: true });
    const fields = places.flatMap(({ type, at, rule }) => {
      const one = types[type];
      return one !== undefined && 'kind' in one && isHere(one.kind) && !('whole' in one) && at.length === 1 && 'field' in rule
        ? [{ field: rule.field, known: Object.keys(registry.kind(one.kind).spec.shape) }]
        : [];
    });
    expect(fields.length).toBeGreaterThan(80);
    for (const { field, known } of fields) expect(known).toContain(field);
  });

  it.each(of('field', 'block', 'blocks').filter(({ type }) => !('whole' in (types[type] ?? {}))))(
    '$path says something of the spec',
    (place) => {
      expect(wants(comesTo(place.type, sampleFor(place)))).not.toEqual(wants(comesTo(place.type, without(place))));
    },
  );
  it.each(of('asked'))('$path says something of the spec where it is asked for, and nothing else', (place) => {
    const [asked, not] = [true, false].map((on) => ({ withImage: on, withCreateFields: on, inlinePools: false }));
    expect(wants(comesTo(place.type, sampleFor(place), asked))).not.toEqual(wants(comesTo(place.type, without(place), asked)));
    expect(whole(comesTo(place.type, sampleFor(place), not))).toEqual(whole(comesTo(place.type, without(place), not)));
  });
  it('accounts for each type once, in one state that has all of them, in either form', () => {
    const all = Object.keys(types).map((type) => resource(type, samples[type] ?? { id: '1' }));
    const addresses = all.map(({ type }) => `${type}.x`);
    for (const found of [accounted(stateText('3.13', all)), accounted(shownText('3.13', all))])
      expect(new Set(found)).toEqual(new Set(addresses));
    expect(mapping().filter(({ type }) => !Object.hasOwn(types, type))).toEqual([]);
    expect(new Set(mapping().map(({ type }) => type))).toEqual(new Set(Object.keys(types)));
  });
  it('says of tags that no spec takes that they are left out, or all of them', () => {
    expect(toldOfTags(['shop', 'co-abcdefgh'])).toEqual(['tags: what begins with co- is the mark of an operator, and is left out']);
    expect(toldOfTags(['shop', 'eu'])).toEqual([
      'tags: a tag of a spec has 3 to 50 characters; as one has fewer, all are left as they are',
    ]);
    expect(toldOfTags(['shop'])).toEqual([]);
  });
  it.each(of('further'))('$path makes more than one object', (place) => {
    expect(whole(comesTo(place.type, sampleFor(place)))).not.toEqual(whole(comesTo(place.type, without(place))));
  });
  it.each(of('tell'))('$path is told', (place) => {
    const told = (attributes: Attributes): number => comesTo(place.type, attributes).notes.length;
    const isSilent = place.path === 'linode_object_storage_bucket.region';
    expect(told(sampleFor(place)) - told(without(place))).toBe(isSilent ? 0 : 1);
  });
  it.each(of('secret'))('$path is held back and counted', (place) => {
    expect(comesTo(place.type, sampleFor(place)).secrets.length).toBe(comesTo(place.type, without(place)).secrets.length + 1);
  });
  it.each(
    of('nothing').filter(
      ({ path }) => !/\.(id|address|range|prefix_length|firewall_id|database_id|cluster_id|status|lke_cluster_id)$/.test(path),
    ),
  )('$path says nothing', (place) => {
    expect(valueAt(sampleFor(place), place.at)).toSatisfy((value) => value === null || value === 0 || isSaid(value));
    expect(whole(comesTo(place.type, sampleFor(place)))).toEqual(whole(comesTo(place.type, without(place))));
  });
  it.each(Object.keys(samples))('%s: no marked value is anywhere, and the API server takes what it comes to', (type) => {
    const gathered = comesTo(type, samples[type] ?? {});
    expect(whole(gathered)).not.toContain('Marked');
    const style = { namespace: 'shop', management: 'Observe', strict: true } as const;
    const all = offline(gathered.items, 'default', { namespace: 'shop', placing: undefined, withImage: false, styleOf: () => style });
    expect(JSON.stringify(all)).not.toContain('Marked');
    for (const why of all.flatMap((one) => ('why' in one ? [one.why] : [])))
      expect(why).toMatch(/this release has no|only the account says/);
    const lost = all.flatMap((one) =>
      'manifest' in one ? Object.keys(one.item.want).filter((field) => !one.manifest.includes(`${field}:`)) : [],
    );
    expect(lost).toEqual([]);
  });
});
