import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { schemaOf } from '../../src/generate/schema/schema.ts';
import { Registry } from '../../src/engine/model/kind-registry.ts';
import { kinds } from '../../src/generated/kinds.ts';
import {
  type AnyCollection,
  type AnyKind,
  type AnyRule,
  type AnyWant,
  asCollection,
  collectionOf,
  isIdOf,
  numberId,
  type Row,
  Sensitive,
} from '../../src/resource/index.ts';
import { fixtureFiles, fixtures, named } from './case.ts';

const registry = new Registry(kinds);
const kindFiles = readdirSync(new URL('../../src/kinds/', import.meta.url)).filter((file) => file.startsWith('cloud-'));
/** One word, whatever it looks like. */
const inWords = (kind: string): string => kind.replace('OAuth', 'Oauth');
const fileOf = ({ kind }: AnyKind): string =>
  `${inWords(kind)
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-')
    .toLowerCase()}.ts`;

it('every kind has a fixture, and every fixture a kind', () => expect(fixtureFiles).toEqual(kindFiles.toSorted()));
it('what a fixture needs has a fixture too', () => {
  const kinds = new Set(fixtures.map(({ kind }) => (kind as AnyKind).kind));
  expect(fixtures.flatMap(({ needs = {} }) => Object.values(needs)).filter(({ kind }) => !kinds.has(kind))).toEqual([]);
});

describe.each(named)('%s', (_, one) => {
  const { kind } = one;

  it('is in the file of its name', () => expect(kindFiles).toContain(fileOf(kind)));
  it('has a structural schema in which every field is described', () => expect(() => schemaOf(kind)).not.toThrow());
  it('has exactly one rule for every field of its spec', () =>
    expect(Object.keys(kind.fields).toSorted()).toEqual(Object.keys(kind.spec.shape).toSorted()));
  it('describes every field for the reader: what it is, and what its absence means', () => {
    const spec = schemaOf(kind).properties?.['spec'];
    const optional = Object.keys(kind.spec.shape).filter((field) => !spec?.required?.includes(field));
    expect(optional.filter((field) => !/Absent|absent/.test(spec?.properties?.[field]?.description ?? ''))).toEqual([]);
  });
  it('derives no name where its spec has one', () => {
    const { label } = asCollection(kind) ?? {};
    expect(
      'name' in kind.spec.shape && (label !== undefined || kind.spec.safeParse({ ...one.fixture.sample.spec, name: undefined }).success),
    ).toBe(false);
  });
  it('names only parts that it has', () => {
    const parts = Object.values(kind.fields).flatMap(({ part }) => part ?? []);
    expect(parts.filter((part) => kind.parts?.[part]?.for !== 'drift')).toEqual([]);
  });

  it('reads the answers that its fixture has for its parts', () => {
    const parts = Object.entries(kind.parts ?? {}).filter(([part]) => part in one.fixture.remote);
    expect(parts.filter(([part, { schema }]) => !schema.safeParse(one.remote[part]).success).map(([part]) => part)).toEqual([]);
  });
  it('is below no parent but one that its spec refers to', () =>
    expect([...Object.keys(kind.spec.shape), undefined]).toContain(kind.parent?.ref));
  it('follows events that name no entity only where one collection holds all of its rows', () => {
    const vague = kind.events.filter(({ entity, ofParent }) => entity === 'account' && ofParent !== true);
    expect(kind.parent === undefined ? [] : vague).toEqual([]);
  });

  it('finds its own remote by key, and no other', () => {
    const key = kind.key?.of(one.want) ?? {};
    const another = { ...one.remote, ...Object.fromEntries(Object.keys(key).map((field) => [field, 'another'])) };
    const found = (row: Row): Row => kind.key?.row?.(row, one.want) ?? row;
    expect(found(one.remote)).toMatchObject(key);
    expect(Object.keys(key).some((field) => found(another)[field] !== key[field])).toBe(Object.keys(key).length > 0);
  });

  it('is exempt only from laws that would bind it, each with a reason', () => {
    const laws = new Set([
      ...Object.keys(one.fixture.wants ?? {}).map((name) => `complete after one POST: ${name}`),
      ...Object.keys(kind.fields).flatMap((field) => [`edits ${field}`, `edited in the account: ${field}`]),
    ]);
    expect(Object.entries(one.fixture.exempt ?? {}).filter(([law, reason]) => !laws.has(law) || (reason ?? '').length < 20)).toEqual([]);
  });
  it('has a mark that the engine finds at every secret', () => {
    const sites = registry.sites(kind.kind).flatMap(({ at, what }) => (what.is === 'secret' ? [at.join('.')] : []));
    const secrets = one.wants.flatMap(([, want]) => [...secretPaths(want)]);
    expect(secrets.filter((path) => !sites.includes(path))).toEqual([]);
  });
  it('refers to other kinds by ids as they write them', () => {
    const refs = registry.sites(kind.kind).flatMap(({ what }) => (what.is === 'ref' ? [what.target] : []));
    const behindPlaces = refs.filter(
      ({ kind: target, placedBy }) => placedBy !== undefined && placedBy in registry.kind(target).status.shape,
    );
    expect(behindPlaces.filter(({ ids }) => !ids.pattern.endsWith(`/${numberId.pattern.slice(1)}`))).toEqual([]);
    const plain = refs.filter((ref) => !behindPlaces.includes(ref));
    expect(plain.filter(({ kind: target, ids }) => ids.pattern !== (registry.kind(target).ids ?? numberId).pattern)).toEqual([]);
  });
  it('marks every field that names something of the account by its id', () => {
    const sites = registry.sites(kind.kind).flatMap(({ at, what }) => (what.is === 'accountId' ? [at.join('.')] : []));
    const named = Object.keys(kind.spec.shape).filter((field) => /Ids?$/.test(field));
    expect(named.filter((field) => !sites.some((site) => site === field || site === `${field}.*`))).toEqual([]);
  });
  it('has ids as it says', () => {
    const id = kind.id?.(one.remote) ?? one.remote['id'];
    expect(kind.mode !== 'collection' || isIdOf(kind.ids ?? numberId, id)).toBe(true);
  });
  it('has only pure functions', () => {
    const remote = deepFrozen(one.remote);
    const all = () => one.wants.map(([, want]) => answers(kind, deepFrozen(want), remote));
    expect(all()).toEqual(all());
  });
  it('shows in status only fields that it declares, with values that they admit', () => {
    const seen = kind.observe(one.remote, one.want);
    expect(Object.keys(seen).filter((field) => !(field in kind.status.shape))).toEqual([]);
    expect(kind.status.partial().safeParse(seen).error).toBeUndefined();
  });
});

/** `tls.certificate`, `stackscriptData.*.secretRef`: where a want holds secrets. */
function* secretPaths(value: unknown, at: readonly string[] = []): Iterable<string> {
  if (value instanceof Sensitive) yield at.join('.');
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) yield* secretPaths(inner, [...at, Array.isArray(value) ? '*' : key]);
}

type Want = AnyWant;

const answers = (kind: AnyKind, want: Want, remote: Row): unknown => [ofTheKind(kind, want, remote), ofItsFields(kind, want, remote)];

function ofTheKind(kind: AnyKind, want: Want, remote: Row): unknown {
  const item = kind.item?.(remote, '/x') ?? '/x/1';
  const made = asCollection(kind);
  return [
    collectionOf(kind, want),
    made === undefined ? [] : ofItsMaking(made, want, remote),
    Object.values(kind.parts ?? {}).map((part) => part.path(item, remote)),
    [kind.health(remote, want), kind.observe(remote, want), kind.id?.(remote)],
    [Object.values(kind.outputs ?? {}).map(({ of }) => of(remote, want)), kind.notices?.(remote)],
  ];
}

const ofItsMaking = (kind: AnyCollection, want: Want, remote: Row): unknown => [
  [kind.createPath?.(want), kind.create(want), kind.key.of(want), kind.key.row?.(remote, want)],
  [kind.appears?.waits({ status: 'active' }), kind.noRoom?.([remote, remote, remote])],
  ...ofItsEnd(kind, want, remote),
];
const ofItsEnd = ({ deletion = {}, ...made }: AnyCollection, want: Want, remote: Row): readonly unknown[] => [
  [deletion.release?.(remote), deletion.waits?.(remote, want)],
  [...ofItsWhole(made, remote), deletion.call?.(remote, '/x/1'), deletion.ended?.(remote), deletion.keeps?.(remote, want)],
];

type Wholes = Pick<AnyCollection, 'isPart' | 'firstIsPart' | 'leadsTo'>;
const ofItsWhole = ({ isPart, firstIsPart, leadsTo }: Wholes, remote: Row): readonly unknown[] => [
  isPart?.(remote),
  firstIsPart?.(remote),
  leadsTo?.(remote),
];

const ofItsFields = (kind: AnyKind, want: Want, remote: Row): unknown =>
  Object.entries(kind.fields).map(([field, rule]) => [
    rule.read?.(remote, want),
    rule.call?.(want[field], remote, want),
    want[field] === undefined ? undefined : ofItsWish(rule, want[field], want, remote),
    rule.members && membersOf(rule.members, want, remote),
    typeof rule.as === 'function' ? rule.as(want[field] ?? null) : undefined,
  ]);

const ofItsWish = (rule: AnyRule, value: unknown, want: Want, remote: Row): unknown => [
  rule.put?.(value, want, remote),
  rule.effectOf?.(value, rule.read?.(remote, want)),
  rule.notes?.(value, remote, want),
];

function membersOf({ read, call, effectOf }: NonNullable<AnyRule['members']>, want: Want, remote: Row): unknown {
  const seen = read(remote, want) ?? {};
  return Object.entries(seen).map(([name, one]) => [call(name, undefined, remote, want), effectOf(undefined, one)]);
}

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(Object.freeze(value))) deepFrozen(inner);
  return value;
}
