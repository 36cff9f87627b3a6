import { describe, expect, it } from 'vitest';
import { cloud } from '../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

// Accounts without `spec.installation`, in which nothing but the label tells who made a bucket or a database.
const [platform, mine, theirs] = ['platform', 'team-a', 'team-b'];
const accountRef = { name: 'default', namespace: platform };
const hour = 3_600_000;
const bucket = { accountRef, cluster: 'eu-central-1' };
const database = { accountRef, engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-dedicated-2' };
const both = [
  ['CloudBucket', bucket],
  ['CloudDatabase', database],
] as const;

let operator: RunningOperator;
async function begin(access: readonly object[] = [{ namespaces: [mine, theirs] }], beside?: World): Promise<World> {
  const world = await World.create(beside === undefined ? {} : { beside });
  for (const name of [platform, theirs]) await world.namespace(name);
  await world.account({ access, installation: undefined }, platform);
  operator = await world.start();
  await world.ready('CloudAccount', 'default', 600_000, platform);
  return world;
}
/** Made by that team, kept in the account, and without an object, of which no process knows. */
async function left(world: World, kind: string, spec: object, name = 'uploads'): Promise<void> {
  await world.apply(kind, name, { ...spec, lifecycle: { onDelete: 'Retain' } }, theirs);
  await world.ready(kind, name, 2 * hour, theirs);
  await world.delete(kind, name, theirs);
  await world.gone(kind, name, hour, theirs);
  await restarted(world);
}
async function restarted(world: World): Promise<void> {
  operator.kill();
  operator = await world.start();
  await world.clock.advance(60_000);
}

describe('what an object of the same name left in the account from another namespace', () => {
  it.each(both)('keeps nobody from the name: the key proves whose it was (%s)', async (kind, spec) => {
    const world = await begin();
    await left(world, kind, spec);
    await world.apply(kind, 'uploads', spec, mine);
    await world.ready(kind, 'uploads', 2 * hour, mine);
  });

  it('is not taken by whoever comes second, and that one has its own', async () => {
    const world = await begin();
    await left(world, 'CloudBucket', bucket);
    const [before] = world.emulator.control.rows('buckets') as unknown as readonly { readonly label: string }[];
    await world.apply('CloudBucket', 'uploads', bucket, mine);
    const { status } = await world.ready('CloudBucket', 'uploads', hour, mine);
    expect(status?.['path']).not.toContain(before?.label);
    expect(world.emulator.control.rows('buckets')).toHaveLength(2);
  });

  it('nor where that namespace has no object and no access any more but another one of the kind', async () => {
    const world = await begin();
    await world.apply('CloudBucket', 'other', bucket, theirs);
    await left(world, 'CloudBucket', bucket);
    await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: [mine] }] } }, platform);
    await world.clock.advance(60_000);
    await world.apply('CloudBucket', 'uploads', bucket, mine);
    await world.ready('CloudBucket', 'uploads', hour, mine);
  });
});

describe('what looks like it and cannot be proven', () => {
  it.each(both)('of a rebuilt cluster still waits, in the same namespace and in another (%s)', async (kind, spec) => {
    const first = await begin();
    await first.apply(kind, 'uploads', spec, theirs);
    await first.ready(kind, 'uploads', 2 * hour, theirs);
    operator.kill();
    const world = await begin(undefined, first);
    for (const namespace of [theirs, mine]) await world.apply(kind, 'uploads', spec, namespace);
    await world.clock.advance(2 * hour);
    for (const namespace of [theirs, mine])
      expect(await world.condition(kind, 'uploads', 'Synced', namespace)).toMatchObject({ reason: 'AlreadyExists' });
  });

  it.each(both)('by a label that a team chose is ended by the line of the owner, which why gives (%s)', async (kind, spec) => {
    const world = await begin();
    await left(world, kind, { ...spec, label: 'uploads-abcdefgh' }, 'x');
    await world.apply(kind, 'uploads', spec, mine);
    await world.clock.advance(hour);
    const { message } = await world.reason(kind, 'uploads', 'AlreadyExists', undefined, mine);
    const uid = (await world.get('CloudAccount', 'default', platform)).status?.['installation'];
    expect(message).toContain(`If not: give this object another name, or have the owner of the account say`);
    expect(message).toMatch(new RegExp(`with spec\\.installation: ${String(uid)} on CloudAccount platform/default$`));
    const { out } = await cloud(world, `why -n ${mine} ${kind.toLowerCase()}/uploads`, { limit: 600_000 });
    expect(out).toContain(`kubectl -n platform patch cloudaccount default --type=merge -p '{"spec":{"installation":"${String(uid)}"}}'`);
    expect(out).not.toContain('apply the corrected one');
    await world.patch('CloudAccount', 'default', { spec: { installation: uid } }, platform);
    await world.ready(kind, 'uploads', 2 * hour, mine);
  });

  it('made by hand is none of another namespace either', async () => {
    const world = await begin();
    await new CloudUser(world).post('/object-storage/buckets', { label: 'uploads-abcdefgh', cluster: 'eu-central-1' });
    await world.clock.advance(hour);
    await world.apply('CloudBucket', 'uploads', bucket, mine);
    await world.clock.advance(hour);
    expect(await world.condition('CloudBucket', 'uploads', 'Synced', mine)).toMatchObject({ reason: 'AlreadyExists' });
  });
});
