import { describe, expect, it } from 'vitest';
import { outputTargets, wrongKeys } from '../../src/engine/outputs/targets.ts';
import { outputsOf } from '../../src/engine/outputs/values.ts';
import { type AnyKind, erase, hasRemote, isGiven, type Row } from '../../src/resource/index.ts';
import { borrowedIn, everyOutput, givenOut, renderedOf } from '../support/samples/given-out.ts';
import { planted } from '../support/samples/planted.ts';
import { World } from '../support/world/world.ts';
import { refusals } from './admission.ts';
import { type Case, fixtures, merged, named } from './case.ts';

const giving = named.filter(([, { kind }]) => kind.outputs !== undefined);
const namesOf = ({ outputs = {} }: AnyKind): readonly string[] => Object.keys(outputs);
const said = ({ fixture }: Case, kind: AnyKind, target: Row): string =>
  refusals(kind, merged(fixture.sample.spec, { outputs: [target] })).join('\n');
/** What the operator refuses by itself. */
const wrong = (kind: AnyKind, target: Row): readonly string[] => {
  const metadata = { namespace: 'x', name: 'x', uid: 'x', generation: 1, resourceVersion: '1', creationTimestamp: '' };
  const targets = outputTargets(kind, { metadata, spec: { outputs: [target] } }) ?? [];
  return targets.filter(({ field }) => field === 'outputs').flatMap((one) => wrongKeys(kind, one));
};

it('some kinds give something out', () => expect(giving.length).toBeGreaterThan(2));

describe.each(giving)('what a %s gives out', (_, one) => {
  const { kind, want } = one;
  const values = outputsOf(kind, { remote: { ...one.remote, ...one.fixture.told }, want }, one.fixture.told);

  it('has names that stand in texts', () => expect(namesOf(kind).filter((name) => !/^[a-zA-Z][a-zA-Z0-9._-]*$/.test(name))).toEqual([]));
  it('says of each what it is', () =>
    expect(Object.values(kind.outputs ?? {}).filter(({ says }) => !/^[A-Z].*[.]$/.test(says))).toEqual([]));
  it('is text, or known not to be there', () =>
    expect(Object.values(values).filter((value) => value !== null && (typeof value !== 'string' || value === ''))).toEqual([]));

  it('may go into Secrets', () => expect(said(one, kind, { secretName: 'env', keys: everyOutput(kind) })).toBe(''));
  it('may go into ConfigMaps, unless it is secret', () => {
    const open = namesOf(kind).filter((name) => kind.outputs?.[name]?.secret !== true);
    const refused = open.filter((name) => said(one, kind, { configMapName: 'env', keys: { KEY: name, TEXT: `<{${name}:uri}>` } }) !== '');
    expect(refused).toEqual([]);
  });
  it.each(namesOf(kind))('and were %s a secret, it could not reach a ConfigMap', (name) => {
    const open = Object.entries(kind.outputs ?? {}).map(([one, { says, of }]) => [one, { says, of }]);
    const outputs = { ...Object.fromEntries(open), [name]: { ...kind.outputs?.[name], secret: true } };
    const secretive = erase({ ...kind, outputs });
    for (const text of [name, `{${name}}`, `x{${name}:base64}`, `{ {${name}:json} }`]) {
      const keys = { KEY: text };
      expect(said(one, secretive, { configMapName: 'env', keys })).toContain(`${name} is secret and cannot go into a ConfigMap`);
      expect(said(one, secretive, { secretName: 'env', keys })).toBe('');
      expect(wrong(secretive, { configMapName: 'env', keys })).toEqual(['KEY']);
      expect(wrong(secretive, { secretName: 'env', keys })).toEqual([]);
    }
  });
  it('is named where something else is asked for', () => {
    for (const text of ['nothing', '{nothing}', `{${namesOf(kind)[0]}:nothing}`, `{${namesOf(kind)[0]}} {nothing}`, '', '{}']) {
      expect(said(one, kind, { secretName: 'env', keys: { KEY: text } })).toContain(`${kind.kind} gives out ${namesOf(kind).join(', ')}`);
      expect(wrong(kind, { secretName: 'env', keys: { KEY: text } })).toEqual(['KEY']);
    }
  });

  it('appears whole under a running operator', { timeout: 60_000 }, async () => {
    const world = await World.create({ emulator: { knobs: planted } });
    await world.account();
    const needs = Object.entries(one.fixture.needs ?? {}).map(([name, need]) => [name, need, fixtureOf(need.kind)] as const);
    for (const { secrets, configMaps } of [one.fixture, ...needs.map(([, , fixture]) => fixture)])
      await world.provide({ ...(secrets && { secrets }), ...(configMaps && { configMaps }) });
    for (const [name, need, fixture] of needs) await world.apply(need.kind, name, { ...merged(fixture.sample.spec, need.spec ?? {}) });
    await world.start();
    const { name, spec } = one.fixture.sample;
    const to = targetOf(kind);
    const targets = inTargets(everyOutput(kind));
    await world.apply(kind.kind, name, { ...spec, outputs: targets.map((one) => ({ [to.field]: one.name, keys: one.keys })) });
    const { status } = await world.ready(kind.kind, name);
    await world.clock.advance(10_000);
    const path = String((status as unknown as Row)['path']);
    const borrowed = await borrowedIn(
      world,
      kind,
      needs.map(([needed, need]) => ({ kind: need.kind, name: needed })),
    );
    // What was issued nobody can read again: all that is given out must be of one answer.
    const expectedOf = async (keys: ReturnType<typeof everyOutput>) =>
      hasRemote(kind)
        ? givenOut(world, { kind, path, keys, borrowed })
        : renderedOf(keys, await dataOf(world, 'secrets', `${name}-${kind.shortName}`));
    const chosen = await Promise.all(
      targets.map(async ({ name: target, keys }) => {
        const { data, missing } = await expectedOf(keys);
        expect(await dataOf(world, to.at, target)).toEqual(data);
        return { kind: to.is, name: target, ...(missing.length > 0 && { missing }) };
      }),
    );
    const listed = (await world.get(kind.kind, name)).status as unknown as { outputs: readonly Row[] };
    const own = everything(kind, name, spec);
    expect(listed.outputs).toEqual([...own.map((secret) => ({ kind: 'Secret', name: secret.name })), ...chosen]);
    for (const { name: secret, keys } of own) expect(await dataOf(world, 'secrets', secret)).toEqual((await expectedOf(keys)).data);
  });
});

/** As many targets as it takes, each with as many keys as it may have. */
function inTargets(
  keys: Readonly<Record<string, string>>,
): readonly { readonly name: string; readonly keys: Readonly<Record<string, string>> }[] {
  const entries = Object.entries(keys);
  const most = 32;
  return Array.from({ length: Math.ceil(entries.length / most) }, (_, i) => ({
    name: `env-${i}`,
    keys: Object.fromEntries(entries.slice(i * most, (i + 1) * most)),
  }));
}

const isSecretive = ({ outputs = {} }: AnyKind): boolean => Object.values(outputs).some(({ secret }) => secret === true);
const targetOf = (kind: AnyKind) =>
  isSecretive(kind) ? { is: 'Secret', at: 'secrets', field: 'secretName' } : { is: 'ConfigMap', at: 'configmaps', field: 'configMapName' };

/** The Secret in which everything is, where some of it is secret. */
function everything({ outputs = {}, shortName }: AnyKind, name: string, spec: Row) {
  const given = Object.entries(outputs).filter(([, output]) => isGiven(output, spec));
  const keys = Object.fromEntries(given.map(([output]) => [output, output]));
  return given.some(([, { secret }]) => secret === true) ? [{ name: `${name}-${shortName}`, keys }] : [];
}

/** In clear. */
async function dataOf(world: World, at: string, name: string): Promise<Readonly<Record<string, string>>> {
  const { data = {} } = (await world.admin('GET', `/api/v1/namespaces/team-a/${at}/${name}`)) as unknown as {
    data?: Record<string, string>;
  };
  const clear = (text: string): string => (at === 'secrets' ? Buffer.from(text, 'base64').toString() : text);
  return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, clear(text)]));
}

const fixtureOf = (kind: string) => {
  const found = fixtures.find((one) => (one.kind as AnyKind).kind === kind);
  if (found === undefined) throw new Error(`no fixture of ${kind}`);
  return found;
};
