import { describe, expect, it } from 'vitest';
import { pictureOf } from '../../chaos/tier1/account-picture.ts';
import type { KubeObject } from '../../support/world/custom-object.ts';
import { changesSince, exported, lastRequest, restore } from '../../support/world/gitops.ts';
import { type Named, type Pair, pairs } from '../../support/samples/pairs.ts';
import { planted } from '../../support/samples/planted.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

// A GitOps tool and a backup know nothing of the operator: kinds that refer to each other, two things of each.
const minute = 60_000;
const keyAt = '/api/v1/namespaces/cloud-operator/secrets';
const emulator = { speed: 10, knobs: planted };
const chosen = ['a', 'b'] as const;
const both = (pair: Pair, names: readonly string[] = chosen): readonly Named[] => names.flatMap((name, n) => pair(name, chosen[n] ?? name));
const deleting = (objects: readonly Named[]): readonly Named[] =>
  objects.map(([kind, name, spec]) => [kind, name, { ...spec, lifecycle: { onDelete: 'Delete' } }]);
/** All of them at once, each pair under names of its own. */
const everything = Object.values(pairs).flatMap((pair, n) =>
  both(
    (name, value) => pair(name, `${value}-${n}`),
    chosen.map((name) => `${name}-${n}`),
  ),
);
const each = Object.entries(pairs);

interface Begun {
  readonly world: World;
  readonly operator: RunningOperator;
}
async function begun(objects: readonly Named[]): Promise<Begun> {
  const world = await World.create({ emulator });
  const operator = await prepared(world);
  for (const [kind, name, spec] of objects) await world.apply(kind, name, spec);
  await allReady(world, objects);
  // What made them is no news any more.
  await world.clock.advance(5 * minute);
  return { world, operator };
}
async function prepared(world: World, account: object = {}): Promise<RunningOperator> {
  await world.account({ installation: 'prod', ...account });
  await world.secret('root', { password: 'correct-Horse-7-battery' });
  return world.start();
}
async function allReady(world: World, objects: readonly Named[]): Promise<void> {
  for (const [kind, name] of objects) await world.ready(kind, name, 60 * minute);
}
async function pathsOf(world: World, objects: readonly Named[]): Promise<ReadonlyMap<string, unknown>> {
  const paths = objects.map(async ([kind, name]) => [`${kind} ${name}`, (await world.get(kind, name)).status?.['path']] as const);
  return new Map(await Promise.all(paths));
}
/** Refused calls did nothing: where the service refuses a second of a name, asking is the look. */
const doneSince = (world: World, seq: number): readonly string[] => changesSince(world, seq).filter((call) => !/^\S+ \S+ 4\d\d/.test(call));
/** How many of each collection live in the account. */
const alive = ({ emulator: { control } }: World): object =>
  pictureOf(control.objects() as Parameters<typeof pictureOf>[0], new Set()).alive;

/** Another cluster, whose operator works already while its objects come, what needs others first. */
async function rebuilt(old: World, objects: readonly KubeObject[], withKey: boolean): Promise<World> {
  const world = await World.create({ beside: old });
  const { data } = (await old.admin('GET', `${keyAt}/cloud-operator-key`)) as unknown as { readonly data: object };
  const metadata = { name: 'cloud-operator-key', namespace: 'cloud-operator' };
  if (withKey) await world.admin('POST', keyAt, { apiVersion: 'v1', kind: 'Secret', metadata, data });
  await prepared(world);
  for (const object of objects.toReversed()) {
    await restore(world, [object]);
    const { kind, status, metadata: of } = object;
    if (status !== undefined) await world.admin('PATCH', `${world.path(kind, of.namespace, of.name)}/status`, { status });
    await world.clock.advance(2000);
  }
  return world;
}
/** What was told once is lost with its Secret: it is found again, and says so. */
const isToldOnce = ([kind]: Named): boolean => kind === 'CloudObjectKey';

it('a sync that leaves nothing but what Git has changes nothing', { timeout: 120_000 }, async () => {
  const { world } = await begun(everything);
  const [seq, paths] = [lastRequest(world), await pathsOf(world, everything)];
  for (let sync = 0; sync < 6; sync += 1) {
    for (const [kind, name, spec] of everything) {
      const { metadata } = await world.get(kind, name);
      const { namespace, resourceVersion, finalizers } = metadata;
      const kept = { name, namespace, resourceVersion, ...(sync % 2 === 0 && { finalizers }) };
      const object = { apiVersion: 'cloudhosting.dev/v1alpha1', kind, metadata: kept, spec };
      await world.admin('PUT', world.path(kind, namespace, name), object);
    }
    await world.clock.advance(sync % 3 === 0 ? 1000 : 3 * minute);
  }
  await world.clock.advance(10 * minute);
  await allReady(world, everything);
  expect(changesSince(world, seq)).toEqual([]);
  expect(await pathsOf(world, everything)).toEqual(paths);
});

describe('a cluster that is rebuilt from Git', () => {
  it('finds all that its key signed, makes nothing, and leaves the rest to a person', { timeout: 120_000 }, async () => {
    const { world: old, operator } = await begun(everything);
    const paths = await pathsOf(old, everything);
    operator.kill();
    const seq = lastRequest(old);
    const world = await rebuilt(old, exported(old), true);
    await world.clock.advance(30 * minute);
    expect(doneSince(world, seq)).toEqual([]);
    const taken = [...(await pathsOf(world, everything))].filter(([, path]) => path !== undefined);
    expect(taken.length).toBeGreaterThan(everything.length / 2);
    expect(taken).toEqual(taken.map(([at]) => [at, paths.get(at)]));
    await world.patch('CloudAccount', 'default', { spec: { recover: true } });
    await allReady(
      world,
      everything.filter((one) => !isToldOnce(one)),
    );
    expect(await pathsOf(world, everything)).toEqual(paths);
    expect(doneSince(world, seq)).toEqual([]);
  });

  it('without its key takes nothing and makes nothing before it recovers, and then has all of it', { timeout: 120_000 }, async () => {
    const { world: old, operator } = await begun(everything);
    const paths = await pathsOf(old, everything);
    operator.kill();
    const seq = lastRequest(old);
    const world = await rebuilt(old, exported(old), false);
    await world.clock.advance(30 * minute);
    expect(doneSince(world, seq)).toEqual([]);
    expect([...(await pathsOf(world, everything)).values()].filter((path) => path !== undefined)).toEqual([]);
    await world.patch('CloudAccount', 'default', { spec: { recover: true } });
    await allReady(
      world,
      everything.filter((one) => !isToldOnce(one)),
    );
    expect(await pathsOf(world, everything)).toEqual(paths);
    expect(doneSince(world, seq)).toEqual([]);
  });
});

describe('what is renamed in Git, and pruned last, is there once in the end', () => {
  it.each(each)('%s', async (_, pair) => {
    const old = deleting(both(pair));
    const { world } = await begun(old);
    const before = alive(world);
    const renamed = deleting(both(pair, ['c', 'd']));
    for (const [kind, name, spec] of renamed) await world.apply(kind, name, spec);
    await world.clock.advance(1000);
    for (const [kind, name] of old) await world.delete(kind, name);
    for (const [kind, name] of old) await world.gone(kind, name, 60 * minute);
    await allReady(world, renamed);
    await world.clock.advance(5 * minute);
    await allReady(world, renamed);
    expect(alive(world)).toEqual(before);
  });
});

describe('a backup from before half of it was made anew', () => {
  it.each(each)('makes nothing a second time, and has what is there when a person says so: %s', async (_, pair) => {
    const objects = deleting(both(pair));
    const { world: old, operator } = await begun(objects);
    const backup = withStatus(old, exported(old, { annotations: true }));
    const anew = objects.slice(0, objects.length / 2);
    for (const [kind, name] of anew.toReversed()) await old.delete(kind, name);
    for (const [kind, name] of anew) await old.gone(kind, name, 60 * minute);
    for (const [kind, name, spec] of anew) await old.apply(kind, name, spec);
    await allReady(old, objects);
    await old.clock.advance(5 * minute);
    const [seq, paths, before] = [lastRequest(old), await pathsOf(old, objects), alive(old)];
    operator.kill();
    const world = await rebuilt(old, backup, true);
    await world.clock.advance(10 * minute);
    for (let asked = 0; asked < 3; asked += 1) await sayYes(world, objects, String(asked));
    expect(alive(world)).toEqual(before);
    expect(doneSince(world, seq)).toEqual([]);
    const told = await Promise.all(objects.map((one) => toldBy(world, one)));
    const right = objects.map(([kind, name]) => `Available ${String(paths.get(`${kind} ${name}`))}`);
    expect(told.filter((text, n) => text !== right[n] && !waiting.has(text))).toEqual([]);
    expect(told.filter((text, n) => text === right[n]).length).toBeGreaterThanOrEqual(objects.length / 2);
  });
});

const withStatus = (world: World, objects: readonly KubeObject[]): readonly KubeObject[] =>
  objects.map((object) => {
    const table = world.path(object.kind).split('/').at(-1);
    const { name } = object.metadata;
    const live = world.server.objects(`cloudhosting.dev/${table}`).find(({ metadata }) => metadata.name === name);
    return { ...object, status: (live as unknown as KubeObject).status } as KubeObject;
  });

/** Whether it is as wanted, and where; or why it waits for a person. */
async function toldBy(world: World, [kind, name]: Named): Promise<string> {
  const { reason = '' } = (await world.condition(kind, name, 'Synced')) ?? {};
  return reason === 'Available' ? `Available ${String((await world.get(kind, name)).status?.['path'])}` : reason;
}
const waiting = new Set(['AlreadyExists', 'RemoteMissing', 'ReferenceNotReady']);

/** To all that says that its own is gone. */
async function sayYes(world: World, objects: readonly Named[], value: string): Promise<void> {
  for (const [kind, name] of objects)
    if ((await world.condition(kind, name, 'Synced'))?.reason === 'RemoteMissing')
      await world.patch(kind, name, { metadata: { annotations: { 'cloudhosting.dev/recreate': value } } });
  await world.clock.advance(10 * minute);
}
