import { beforeEach, describe, expect, it } from 'vitest';
import { InstallationKey, duplicateMac } from '../../../src/engine/model/identity.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
});
const volumes = (): { id: number }[] => world.emulator.control.rows('volumes') as never;
const deletes = (): number => world.emulator.control.requests().filter(({ method }) => method === 'DELETE').length;
const retained = (): string =>
  JSON.stringify((world.server.objects('/events') as unknown as { reason: string }[]).filter(({ reason }) => reason === 'Retained'));
const volume = { region: 'eu-central', lifecycle: { onDelete: 'Delete' } };
const remote = 'cloudhosting.dev/remote';

describe('an object that may not delete what it names', () => {
  it('goes without a call when its annotation was forged, and says that something may be left', async () => {
    await world.apply('CloudVolume', 'victim', volume);
    const victim = await world.ready('CloudVolume', 'victim');
    await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
    await world.clock.advance(1000);
    await world.apply('CloudVolume', 'thief', volume);
    const annotations = { [remote]: victim.metadata.annotations?.[remote] ?? '' };
    await world.patch('CloudVolume', 'thief', { metadata: { annotations, finalizers: [remote] } });
    await world.patch('CloudAccount', 'default', { spec: { mode: 'Manage' } });
    await world.reason('CloudVolume', 'thief', 'IdentityConflict');
    await world.delete('CloudVolume', 'thief');
    await world.gone('CloudVolume', 'thief');
    await world.clock.advance(10_000);
    expect(deletes()).toBe(0);
    expect(volumes()).toHaveLength(1);
    expect(retained()).toContain('nothing in the account was touched');
  });
  it('goes without a call when annotation and status differ, and says which remotes both name', async () => {
    await world.apply('CloudVolume', 'data', volume);
    const { status, metadata } = await world.ready('CloudVolume', 'data');
    const another = (metadata.annotations?.[remote] ?? '').replace(/volumes\/\d+/, 'volumes/4711');
    await world.patch('CloudVolume', 'data', { metadata: { annotations: { [remote]: another } } });
    await world.reason('CloudVolume', 'data', 'IdentityConflict');
    await world.delete('CloudVolume', 'data');
    await world.gone('CloudVolume', 'data');
    await world.clock.advance(10_000);
    expect(deletes()).toBe(0);
    expect(volumes()).toHaveLength(1);
    expect(retained()).toContain('"type":"Warning"');
    expect(retained()).toContain(`names /volumes/4711 and status names ${String(status?.['path'])}, so nothing in the account was touched`);
  });
  it('goes without a call when another object holds its remote, and says which and whose', async () => {
    await world.apply('CloudVolume', 'older', volume);
    const { status } = await world.ready('CloudVolume', 'older');
    await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
    await world.clock.advance(5000);
    await world.apply('CloudVolume', 'younger', volume);
    await world.clock.advance(5000);
    operator.kill();
    const { uid } = (await world.get('CloudVolume', 'younger')).metadata;
    await world.admin('PATCH', `${world.path('CloudVolume', 'team-a', 'younger')}/status`, { status: { ...status, objectUid: uid } });
    await world.patch('CloudVolume', 'younger', { metadata: { finalizers: [remote] } });
    await world.delete('CloudVolume', 'younger');
    await world.start();
    await world.gone('CloudVolume', 'younger');
    await world.clock.advance(10_000);
    expect(deletes()).toBe(0);
    expect(retained()).toContain(`${String(status?.['path'])} belongs to CloudVolume team-a/older, so nothing in the account was touched`);
  });
  it('stays while its remote is in an account that the token does not lead to', async () => {
    await world.apply('CloudVolume', 'data', volume);
    await world.ready('CloudVolume', 'data');
    operator.kill();
    // As after a restore beside another account: no status, and a token that leads elsewhere.
    await world.admin('PATCH', `${world.path('CloudAccount', 'team-a', 'default')}/status`, { status: { account: null } });
    const token = Buffer.from('token-other').toString('base64');
    await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/cloud-token', { data: { token } });
    await world.delete('CloudVolume', 'data');
    await world.start();
    const condition = await world.reason('CloudVolume', 'data', 'AccountMismatch');
    expect(condition.message).toContain('token of the right account');
    await world.clock.advance(600_000);
    expect(await world.find('CloudVolume', 'data')).toBeDefined();
    expect(volumes()).toHaveLength(1);
  });
  it('gets its finalizer back soon after a full replace dropped it', async () => {
    await world.apply('CloudVolume', 'data', volume);
    await world.ready('CloudVolume', 'data');
    await world.clock.advance(5000);
    const { metadata, ...rest } = await world.get('CloudVolume', 'data');
    const bare = { ...rest, metadata: { ...metadata, finalizers: [], annotations: {} } };
    await world.admin('PUT', world.path('CloudVolume', 'team-a', 'data'), bare);
    await world.clock.advance(1000);
    const healed = await world.get('CloudVolume', 'data');
    expect(healed.metadata.annotations).toEqual(metadata.annotations);
    await world.delete('CloudVolume', 'data');
    await world.gone('CloudVolume', 'data');
    expect(volumes()).toEqual([]);
  });
});

/** As the operator itself notes a second remote. */
async function noted(name: string, path: string, before = 0): Promise<object> {
  const secrets = world.server.objects('/secrets') as unknown as { metadata: { name: string }; data: { key?: string } }[];
  const secret = secrets.find(({ metadata }) => metadata.name === 'cloud-operator-key');
  const key = new InstallationKey(Buffer.from(Buffer.from(secret?.data.key ?? '', 'base64').toString(), 'base64'));
  const object = (await world.find('CloudVolume', name)) ?? (await world.get('CloudVolume', 'data'));
  const at = new Date(world.clock.now() - before).toISOString();
  const whose = { installation: 'tests', kind: 'CloudVolume', namespace: 'team-a', name };
  return { path, at, mac: duplicateMac({ key, name: whose, object: object as never }, { path, at }) };
}

describe('a read-only account', () => {
  it('deletes no twin; one that may be written deletes only what the operator itself noted', async () => {
    await world.apply('CloudVolume', 'data', volume);
    const { status } = await world.ready('CloudVolume', 'data');
    const [made] = world.emulator.control.rows('volumes') as unknown as { label: string; tags: string[] }[];
    const body = { label: made?.label, tags: made?.tags, region: 'eu-central', size: 20 };
    await world.emulator.control.actAs({ username: 'admin', method: 'POST', path: '/v4/volumes', body });
    const twin = volumes().find(({ id }) => String(id) !== status?.['id']);
    await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
    await world.clock.advance(5000);
    const path = `/volumes/${twin?.id}`;
    const name = (note: object): Promise<unknown> =>
      world.patch('CloudVolume', 'data', { metadata: { annotations: { 'cloudhosting.dev/twins': JSON.stringify([note]) } } });
    await name(await noted('data', path));
    await world.clock.advance(300_000);
    expect(volumes()).toHaveLength(2);
    await name(await noted('another', path));
    await world.patch('CloudAccount', 'default', { spec: { mode: 'Manage' } });
    await world.clock.advance(300_000);
    expect(volumes(), 'what another object was noted for, or a person wrote, names nothing').toHaveLength(2);
    await name(await noted('data', path, 3_600_000));
    await world.clock.advance(300_000);
    expect(volumes(), 'a name may have come to be somebody else’s since the note').toHaveLength(2);
    await name(await noted('data', path));
    await world.clock.advance(300_000);
    expect(volumes().map(({ id }) => String(id))).toEqual([status?.['id']]);
  });
});

describe('a second remote of a deleted object that has lost the first', () => {
  it.each([
    [{ management: 'Observe' }, 'management is Observe'],
    [{ protect: true }, 'protect is true'],
  ])('stays as the spec says: %j', async (lifecycle, says) => {
    await world.apply('CloudVolume', 'data', { ...volume, lifecycle: { onDelete: 'Delete', ...lifecycle, management: 'Manage' } });
    const { status } = await world.ready('CloudVolume', 'data');
    const [made] = world.emulator.control.rows('volumes') as unknown as { label: string; tags: string[] }[];
    const body = { label: made?.label, tags: made?.tags, region: 'eu-central', size: 20 };
    await world.emulator.control.actAs({ username: 'admin', method: 'POST', path: '/v4/volumes', body });
    const twin = volumes().find(({ id }) => String(id) !== status?.['id']);
    operator.kill();
    const note = JSON.stringify([await noted('data', `/volumes/${twin?.id}`)]);
    const annotations = { [remote]: null, 'cloudhosting.dev/intent': null, 'cloudhosting.dev/twins': note };
    await world.patch('CloudVolume', 'data', { metadata: { annotations }, spec: { lifecycle } });
    await world.admin('PATCH', `${world.path('CloudVolume', 'team-a', 'data')}/status`, { status: null });
    await world.delete('CloudVolume', 'data');
    await world.start();
    await world.clock.advance(600_000);
    expect(deletes()).toBe(0);
    expect((await world.condition('CloudVolume', 'data', 'Synced'))?.message).toContain(says);
    await world.patch('CloudVolume', 'data', { spec: { lifecycle: { management: 'Manage', protect: false } } });
    await world.gone('CloudVolume', 'data', 600_000);
    expect(volumes(), 'the first is known by its mark then, and goes too').toEqual([]);
  });
});
