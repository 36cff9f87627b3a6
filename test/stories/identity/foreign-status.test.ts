import { describe, expect, it } from 'vitest';
import { changesSince, lastRequest } from '../../support/world/gitops.ts';
import { type Named, pairs } from '../../support/samples/pairs.ts';
import { planted } from '../../support/samples/planted.ts';
import { type KubeObject, World } from '../../support/world/world.ts';

const minute = 60_000;
const limit = { timeout: 120_000 };
const recreate = 'cloudhosting.dev/recreate';

const addresses: readonly Named[] = [
  ['CloudInstance', 'web', { region: 'us-southeast', type: 'g6-standard-1' }],
  ['CloudIPAddress', 'a', { type: 'IPv4', instanceRef: { name: 'web' } }],
  ['CloudIPAddress', 'b', { type: 'IPv4', instanceRef: { name: 'web' } }],
];
const shared: readonly Named[] = ['a', 'b'].flatMap((name) => pairs['share and address']?.(name, name) ?? []);

async function made(objects: readonly Named[]): Promise<World> {
  const world = await World.create({ emulator: { speed: 10, knobs: planted } });
  await world.account({ installation: 'prod' });
  await world.start();
  for (const [kind, name, spec] of objects) await world.apply(kind, name, spec);
  for (const [kind, name] of objects) await world.ready(kind, name, 60 * minute);
  await world.clock.advance(5 * minute);
  return world;
}

/** `kubectl replace` with a manifest that has no annotations. */
async function replaced(world: World, name: string): Promise<void> {
  const now = await world.get('CloudIPAddress', name);
  await world.admin('PUT', world.path('CloudIPAddress', undefined, name), { ...now, metadata: { ...now.metadata, annotations: {} } });
}
type At = readonly [kind: string, name: string, namespace?: string];
/** `kubectl replace --subresource=status` */
async function given(
  world: World,
  [kind, name, namespace]: At,
  { status }: { readonly status?: KubeObject['status'] | undefined },
): Promise<void> {
  const now = await world.get(kind, name, namespace);
  await world.admin('PUT', `${world.path(kind, namespace, name)}/status`, { ...now, status });
}
const creates = (world: World, seq: number): readonly string[] => changesSince(world, seq).filter((call) => call.startsWith('POST'));
async function synced(world: World, kind: string, name: string, namespace?: string): Promise<string> {
  const { status } = await world.get(kind, name, namespace);
  const { reason, message } = status?.conditions?.find(({ type }) => type === 'Synced') ?? {};
  return `${reason}: ${message}`;
}

describe('an address without annotations and with the status of another one', () => {
  it.each([
    ['of one instance', addresses],
    ['of two instances, in shares', shared],
  ])('swapped, %s: makes no second one', limit, async (_, objects) => {
    const world = await made(objects);
    const seq = lastRequest(world);
    const [a, b] = [await world.get('CloudIPAddress', 'a'), await world.get('CloudIPAddress', 'b')];
    for (const name of ['a', 'b']) await replaced(world, name);
    await given(world, ['CloudIPAddress', 'a'], b);
    await given(world, ['CloudIPAddress', 'b'], a);
    await world.clock.advance(20 * minute);
    expect(creates(world, seq)).toEqual([]);
    for (const name of ['a', 'b']) expect(await synced(world, 'CloudIPAddress', name)).toMatch(/^AlreadyExists: .*spec\.adopt/);
    expect(world.panics).toEqual([]);
  });
  it('has another one made beside it when a person says so', limit, async () => {
    const world = await made(addresses);
    const a = await world.get('CloudIPAddress', 'a');
    const seq = lastRequest(world);
    await replaced(world, 'b');
    await given(world, ['CloudIPAddress', 'b'], a);
    await world.clock.advance(20 * minute);
    expect(creates(world, seq)).toEqual([]);
    await world.patch('CloudIPAddress', 'b', { metadata: { annotations: { [recreate]: '2026-01-01T00:00:00Z' } } });
    await world.ready('CloudIPAddress', 'b', 20 * minute);
    expect(creates(world, seq)).toHaveLength(1);
  });
  it('keeps its own where its annotation is there still, however many remotes the other one has had', limit, async () => {
    const world = await made(addresses);
    const [a, b] = [await world.get('CloudIPAddress', 'a'), await world.get('CloudIPAddress', 'b')];
    const seq = lastRequest(world);
    await given(world, ['CloudIPAddress', 'b'], { ...a, status: { ...a.status, remotesBefore: 1 } });
    await world.clock.advance(20 * minute);
    expect((await world.get('CloudIPAddress', 'b')).status).toMatchObject({ path: b.status?.['path'], objectUid: b.metadata.uid });
    // What was signed for this one's first remote stays good.
    await given(world, ['CloudIPAddress', 'b'], { ...b, status: {} });
    await world.clock.advance(20 * minute);
    expect((await world.get('CloudIPAddress', 'b')).status).toMatchObject({ path: b.status?.['path'] });
    expect(creates(world, seq)).toEqual([]);
  });
});

/** As a manifest that somebody copied with all that is in it. */
async function copied(world: World, namespace: string, [kind, name, spec]: Named): Promise<void> {
  const { metadata, status } = await world.get(kind, name);
  const { annotations, finalizers } = metadata;
  const apiVersion = 'cloudhosting.dev/v1alpha1';
  await world.admin('POST', world.path(kind, namespace), {
    apiVersion,
    kind,
    metadata: { name, namespace, annotations, finalizers },
    spec,
  });
  await given(world, [kind, name, namespace], { status });
}

describe('a copy of an object, with annotations, finalizers and status, in a namespace without a CloudAccount', () => {
  const zone: readonly Named[] = pairs['record and domain']?.('a', 'a') ?? [];
  it('says what one says that made nothing, and goes', limit, async () => {
    const world = await made(zone);
    const seq = lastRequest(world);
    await world.namespace('team-b');
    for (const object of zone) await copied(world, 'team-b', object);
    await world.clock.advance(minute);
    for (const [kind, name] of zone) {
      expect(await synced(world, kind, name, 'team-b')).toMatch(
        /^AccountNotReady: .* is not found\. Create it\. Where another account is meant/,
      );
      await world.delete(kind, name, 'team-b');
    }
    for (const [kind, name] of zone) await world.gone(kind, name, 60 * minute, 'team-b');
    expect(changesSince(world, seq)).toEqual([]);
    for (const [kind, name] of zone) await world.ready(kind, name);
  });
  it('stays, and says why, where the object that it was copied from is gone', limit, async () => {
    const world = await made(zone);
    await world.namespace('team-b');
    const [domain] = zone;
    if (domain === undefined) throw new Error('no domain');
    const [kind, name] = domain;
    await copied(world, 'team-b', domain);
    for (const [its, one] of zone.toReversed()) await world.delete(its, one);
    await world.gone(kind, name, 60 * minute);
    await world.delete(kind, name, 'team-b');
    await world.clock.advance(20 * minute);
    expect(await synced(world, kind, name, 'team-b')).toMatch(
      /is not found\. Whether \/domains\/\d+, which it names, is this object's cannot be told without the account\. Create it again; or, .* kubectl -n team-b edit clouddomain a$/,
    );
  });
});
