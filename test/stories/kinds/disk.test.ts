import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

const kind = 'CloudDisk';
interface Disk {
  readonly id: number;
  readonly label: string;
  readonly size: number;
}
let world: World;
let colleague: CloudUser;
let at: string;
beforeEach(async () => {
  world = await World.create();
  colleague = new CloudUser(world);
  await world.account();
  await world.start();
  await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' });
  at = String((await world.ready('CloudInstance', 'web')).status?.['path']);
});
const disks = (): readonly Disk[] => world.emulator.control.rows('disks') as never;
const posts = (end: string): number =>
  world.emulator.control.requests().filter(({ method, path, username }) => method === 'POST' && username === 'admin' && path.endsWith(end))
    .length;
const disk = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  instanceRef: { name: 'web' },
  label: 'data',
  sizeMB: 1000,
  lifecycle: { onDelete: 'Delete', approve: ['InPlace', 'Reboot', 'Rebuild'] },
  ...more,
});
/** The instance runs, with the disk in its configuration. */
async function running(): Promise<void> {
  const { id } = (await world.ready(kind, 'data')).status ?? {};
  await colleague.post(`${at}/configs`, { label: 'main', devices: { sda: { disk_id: Number(id) } } });
  await colleague.post(`${at}/boot`);
  await world.clock.advance(60_000);
}

describe('a disk of a running instance', () => {
  it('is not resized before that is powered off, and says which', async () => {
    await world.apply(kind, 'data', disk());
    await running();
    await world.patch(kind, 'data', { spec: { sizeMB: 2000 } });
    await world.clock.runUntil(async () => (await world.condition(kind, 'data', 'Synced'))?.reason === 'Updating', 60_000);
    await world.clock.advance(300_000);
    expect((await world.condition(kind, 'data', 'Synced'))?.message).toContain(`${at} (spec.instanceRef) runs`);
    expect(posts('/resize') + posts('/shutdown')).toBe(0);
    await colleague.post(`${at}/shutdown`);
    await world.clock.advance(180_000);
    await world.ready(kind, 'data');
    expect(disks()).toMatchObject([{ size: 2000 }]);
    expect(posts('/resize')).toBe(1);
    expect(posts('/boot')).toBe(0);
  });
  it('asks for approval where nobody gave it, and needs none once that is off', async () => {
    await world.apply(kind, 'data', disk({ lifecycle: { onDelete: 'Delete' } }));
    await running();
    await world.patch(kind, 'data', { spec: { sizeMB: 2000 } });
    const { message } = await world.reason(kind, 'data', 'ApprovalRequired');
    expect(message).toContain(`or power off ${at} (spec.instanceRef) (power: Off in its CloudInstance`);
    await colleague.post(`${at}/shutdown`);
    await world.clock.advance(180_000);
    await world.ready(kind, 'data');
    expect(disks()).toMatchObject([{ size: 2000 }]);
  });
  it('is not deleted before that is powered off, unless it is in no configuration', async () => {
    await world.apply(kind, 'data', disk());
    await running();
    await world.apply(kind, 'free', disk({ label: 'free' }));
    await world.ready(kind, 'free');
    await world.delete(kind, 'free');
    await world.gone(kind, 'free');
    await world.delete(kind, 'data');
    await world.clock.advance(300_000);
    expect(disks()).toMatchObject([{ label: 'data' }]);
    expect((await world.condition(kind, 'data', 'Synced'))?.message).toContain('Power it off');
    await colleague.post(`${at}/shutdown`);
    await world.gone(kind, 'data');
    expect(disks()).toEqual([]);
    expect(world.panics).toEqual([]);
  });
});

it('a disk that its listing shows for a while after it went is asked for every few seconds, and no oftener', async () => {
  await world.apply(kind, 'data', disk());
  await world.ready(kind, 'data');
  world.emulator.control.setKnobs({ listLagSeconds: 60 });
  const from = world.emulator.control.requests().length;
  await world.delete(kind, 'data');
  await world.clock.advance(60_000);
  const reads = world.emulator.control
    .requests()
    .slice(from)
    .filter(({ method, username }) => method === 'GET' && username === 'admin');
  expect(reads.filter(({ path }) => /\/vm\/instances\/\d+(\/disks)?$/.test(path)).length).toBeLessThan(40);
  await world.gone(kind, 'data');
});

it('a disk whose deletion was sent does not ask again whether its instance is off', async () => {
  await world.apply(kind, 'data', disk());
  await world.ready(kind, 'data');
  world.emulator.control.setKnobs({ listLagSeconds: 60 });
  const asked = (wanted: string) =>
    world.emulator.control.requests().filter(({ method, username }) => method === wanted && username === 'admin');
  await world.delete(kind, 'data');
  await world.clock.runUntil(() => Promise.resolve(asked('DELETE').length > 0), 60_000);
  const before = asked('GET').filter(({ path }) => path === at).length;
  await world.clock.advance(5_000);
  expect(asked('GET').filter(({ path }) => path === at)).toHaveLength(before);
  await world.gone(kind, 'data');
});

it('a disk of an instance that shall be on is resized once its object says Off, and the instance runs again by its object', async () => {
  await world.apply(kind, 'data', disk());
  await running();
  await world.patch('CloudInstance', 'web', { spec: { power: 'On' } });
  await world.patch(kind, 'data', { spec: { sizeMB: 2000 } });
  await world.clock.advance(120_000);
  expect((await world.condition(kind, 'data', 'Synced'))?.message).toContain('Power it off (power: Off in its CloudInstance');
  await world.patch('CloudInstance', 'web', { spec: { power: 'Off' } });
  await world.clock.advance(180_000);
  await world.ready(kind, 'data');
  expect(disks()).toMatchObject([{ size: 2000 }]);
  expect([posts('/shutdown'), posts('/resize')]).toEqual([1, 1]);
  await world.patch('CloudInstance', 'web', { spec: { power: 'On' } });
  await world.clock.advance(120_000);
  expect(world.emulator.control.rows('instances')).toMatchObject([{ status: 'running' }]);
});

it('a password that is rotated is set once the instance is off, and once', async () => {
  await world.secret('disk-root', { password: 'correct-horse-Battery-9-staple' });
  const rootPasswordSecretRef = { name: 'disk-root', key: 'password' };
  await world.apply(kind, 'data', disk({ sizeMB: 4000, image: 'vm/debian11', rootPasswordSecretRef }));
  await running();
  const calls = () =>
    world.emulator.control
      .requests()
      .filter(({ method, path, username }) => method === 'POST' && username === 'admin' && path.endsWith('/password'));
  await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/disk-root', {
    data: { password: Buffer.from('another-Battery-7-of-horses').toString('base64') },
  });
  await world.clock.advance(700_000);
  expect(calls()).toEqual([]);
  const { reason, message } = (await world.condition(kind, 'data', 'Synced')) ?? {};
  expect(reason).toBe('Updating');
  expect(message).toContain('Power it off');
  await colleague.post(`${at}/shutdown`);
  await world.clock.advance(180_000);
  await world.ready(kind, 'data');
  expect(calls()).toMatchObject([{ body: JSON.stringify({ password: 'another-Battery-7-of-horses' }), status: 200 }]);
  await colleague.post(`${at}/boot`);
  await world.clock.advance(600_000);
  expect(calls()).toHaveLength(1);
  expect(posts('/shutdown') + posts('/boot')).toBe(0);
  expect(JSON.stringify(await world.get(kind, 'data'))).not.toContain('Battery');
});

it('a disk whose create was never answered is found, and not made twice', async () => {
  const effect = { kind: 'commit-late', seconds: 30 } as const;
  world.emulator.control.addFault({ match: { method: 'POST', path: `${at}/disks`, username: 'admin' }, times: 1, effect });
  await world.apply(kind, 'data', disk());
  await world.clock.advance(300_000);
  await world.ready(kind, 'data');
  expect(disks()).toHaveLength(1);
});

it('a disk that somebody deletes waits for a person, and one whose object goes stays', async () => {
  await world.apply(kind, 'lost', disk({ label: 'lost' }));
  const { path } = (await world.ready(kind, 'lost')).status ?? {};
  await world.apply(kind, 'kept', { instanceRef: { name: 'web' }, label: 'kept', sizeMB: 1000 });
  await world.ready(kind, 'kept');
  await world.delete(kind, 'kept');
  await world.gone(kind, 'kept');
  await colleague.delete(String(path));
  await world.reason(kind, 'lost', 'RemoteMissing', 3_600_000);
  expect(disks().map(({ label }) => label)).toEqual(['kept']);
});

it('a disk that went with its instance says so once that is made anew, and is not Ready until a list lacks it', async () => {
  await world.apply(kind, 'data', disk());
  await world.ready(kind, 'data');
  await world.clock.advance(60_000);
  await world.delete('CloudInstance', 'web');
  await world.gone('CloudInstance', 'web');
  await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' });
  await world.ready('CloudInstance', 'web');
  await world.clock.advance(30_000);
  expect(await world.condition(kind, 'data', 'Ready')).toMatchObject({ status: 'False', reason: 'RemoteMissing' });
  expect(disks()).toEqual([]);
});

it('a disk in an instance that somebody deleted is not Ready while that is gone', async () => {
  await world.apply(kind, 'data', disk());
  await world.ready(kind, 'data');
  await world.clock.advance(60_000);
  await colleague.delete(at);
  await world.reason('CloudInstance', 'web', 'RemoteMissing', 3_600_000);
  await world.clock.advance(60_000);
  expect(await world.condition(kind, 'data', 'Synced')).toMatchObject({ status: 'False', reason: 'ReferenceNotReady' });
  const ready = await world.condition(kind, 'data', 'Ready');
  expect(ready).toMatchObject({ status: 'False', reason: 'ReferenceNotReady' });
  expect(ready?.message).toContain('went with what it was in');
});

it('a tenant who may not adopt reaches no disk by its id, and no instance of another namespace', async () => {
  const accountRef = { name: 'default', namespace: 'team-a' };
  await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'], adopt: 'None' }] } });
  await world.namespace('team-b');
  await world.apply(kind, 'thief', { ...disk(), accountRef, instanceRef: { external: 1000 } }, 'team-b');
  await world.apply(kind, 'other', { ...disk(), accountRef }, 'team-b');
  for (const name of ['thief', 'other']) await world.reason(kind, name, 'ReferenceNotReady', 60_000, 'team-b');
  expect(disks()).toEqual([]);
});

// A listing that lags for longer than anybody knows of told that it was lost, and with onMissing Recreate it was made twice.
it('a disk that no list shows yet is there all the same, as its id says, also to an operator that was started anew', async () => {
  const made = await World.create();
  await made.account();
  const operator = await made.start();
  await made.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' });
  await made.ready('CloudInstance', 'web');
  made.emulator.control.setKnobs({ listLagSeconds: 3600 });
  await made.apply(kind, 'data', disk({ lifecycle: { onMissing: 'Recreate' } }));
  await made.clock.runUntil(async () => (await made.get(kind, 'data')).status?.['path'] !== undefined, 60_000);
  operator.kill();
  await made.start();
  await made.clock.advance(1_800_000);
  await made.ready(kind, 'data');
  const sent = made.emulator.control.requests().filter(({ method, path }) => method === 'POST' && path.endsWith('/disks'));
  expect(sent).toHaveLength(1);
});

it('a copy of a disk is made once, found by the name that the service gave it, and gets its own', async () => {
  await world.apply(kind, 'data', disk());
  await world.ready(kind, 'data');
  await world.apply(kind, 'copy', disk({ label: 'copied', cloneFrom: { diskRef: { name: 'data' } } }));
  await world.ready(kind, 'copy');
  expect(disks().map(({ label, size }) => [label, size])).toEqual([
    ['data', 1000],
    ['copied', 1000],
  ]);
  expect(posts('/clone')).toBe(1);
  // What it was made of may be gone by then.
  await world.delete(kind, 'data');
  await world.gone(kind, 'data');
  await world.clock.advance(900_000);
  expect((await world.condition(kind, 'copy', 'Ready'))?.status).toBe('True');
  expect(posts('/clone')).toBe(1);
});

it('a copy of which the answer was lost is not made a second time', async () => {
  await world.apply(kind, 'data', disk());
  await world.ready(kind, 'data');
  world.emulator.control.addFault({ match: { method: 'POST', username: 'admin' }, times: 1, effect: { kind: 'lose-answer' } });
  await world.apply(kind, 'copy', disk({ label: 'copied', cloneFrom: { diskRef: { name: 'data' } } }));
  await world.ready(kind, 'copy', 1_800_000);
  expect(disks().map(({ label }) => label)).toEqual(['data', 'copied']);
  expect(posts('/clone')).toBe(1);
});

it('a copy is made only of what its own instance and namespace have', async () => {
  await world.apply('CloudInstance', 'other', { region: 'eu-central', type: 'g6-nanode-1' });
  await world.ready('CloudInstance', 'other');
  await world.apply(kind, 'theirs', disk({ instanceRef: { name: 'other' } }));
  await world.ready(kind, 'theirs');
  await world.apply(kind, 'copy', disk({ label: 'copied', cloneFrom: { diskRef: { name: 'theirs' } } }));
  await world.clock.advance(600_000);
  expect((await world.condition(kind, 'copy', 'Ready'))?.status).not.toBe('True');
  expect(disks()).toHaveLength(1);
  await world.namespace('team-b');
  await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'] }] } });
  const { id } = (await world.get('CloudInstance', 'other')).status ?? {};
  const theirs = { instanceRef: { external: id }, cloneFrom: { diskRef: { name: 'theirs' } } };
  const accountRef = { name: 'default', namespace: 'team-a' };
  await world.apply(kind, 'copy', { ...disk({ label: 'x', ...theirs }), accountRef }, 'team-b');
  await world.clock.advance(600_000);
  const message = (await world.condition(kind, 'copy', 'Synced', 'team-b'))?.message;
  expect(message).toContain('adopt: Any');
  expect(message).toContain('CloudDisk theirs is not found');
  expect(disks()).toHaveLength(1);
});
