import { beforeEach, describe, expect, it } from 'vitest';
import { cloud } from '../../support/plugin/cloud-cli.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

// A tool that applies Git makes what was renamed first, and prunes last.
let world: World;
let running: RunningOperator;
beforeEach(async () => {
  world = await World.create();
});
async function begin(access?: readonly Record<string, unknown>[]): Promise<void> {
  await world.account(access === undefined ? {} : { access }, 'team-a', 'token-admin');
  running = await world.start();
  await world.ready('CloudAccount', 'default');
}
const machine = { region: 'eu-central', type: 'g6-nanode-1' };
async function made(): Promise<number> {
  await world.apply('CloudInstance', 'old', machine);
  return Number((await world.ready('CloudInstance', 'old')).status?.['id']);
}
const deleted = (): readonly string[] =>
  world.emulator.control
    .requests()
    .filter(({ method, username }) => method === 'DELETE' && username === 'admin')
    .map(({ path }) => path);
const events = (): readonly { readonly reason: string; readonly message: string }[] => world.server.objects('/events') as never;

describe('what another object of the namespace asks to adopt', () => {
  it('is handed over to it with the deletion of its object, and says so', async () => {
    await begin();
    const id = await made();
    await world.apply('CloudInstance', 'new', { ...machine, adopt: { id } });
    expect((await world.reason('CloudInstance', 'new', 'AlreadyClaimed')).message).toContain('or delete the other one');
    const { out } = await cloud(world, 'why cinst/new');
    expect(out).toContain('delete the other one by the first line: it is handed over');
    expect(out).toContain('\n  kubectl -n team-a delete cloudinstance old\n');
    expect(out).not.toContain('goes what it stands for');
    await world.delete('CloudInstance', 'old');
    await world.gone('CloudInstance', 'old');
    expect((await world.ready('CloudInstance', 'new', 120_000)).status).toMatchObject({ id: String(id), origin: 'Adopted' });
    expect(deleted()).toEqual([]);
    expect(
      events()
        .filter(({ reason }) => reason === 'Retained')
        .map(({ message }) => message),
    ).toEqual([expect.stringContaining('stays in the account for CloudInstance new, which asks for it with spec.adopt')]);
  });
  it('is handed over where a match names it, and where it is protected, by an operator that has just begun', async () => {
    await begin();
    await world.apply('CloudVolume', 'old', {
      region: 'eu-central',
      sizeGiB: 20,
      label: 'data',
      lifecycle: { onDelete: 'Delete', protect: true },
    });
    const { status } = await world.ready('CloudVolume', 'old');
    await world.apply('CloudVolume', 'new', { region: 'eu-central', sizeGiB: 20, label: 'data', adopt: { match: { label: 'data' } } });
    await world.reason('CloudVolume', 'new', 'AlreadyClaimed');
    running.kill();
    await world.delete('CloudVolume', 'old');
    await world.start();
    await world.gone('CloudVolume', 'old');
    expect((await world.ready('CloudVolume', 'new', 120_000)).status).toMatchObject({ id: status?.['id'] });
    expect(deleted()).toEqual([]);
  });
  it('of three, goes on to none that is being deleted', async () => {
    await begin();
    const id = await made();
    await world.apply('CloudInstance', 'new', { ...machine, adopt: { id } });
    await world.reason('CloudInstance', 'new', 'AlreadyClaimed');
    await world.delete('CloudInstance', 'new');
    await world.gone('CloudInstance', 'new');
    await world.delete('CloudInstance', 'old');
    await world.gone('CloudInstance', 'old', 120_000);
    expect(deleted()).toEqual([expect.stringMatching(new RegExp(`/instances/${id}$`))]);
  });
});

it('is deleted where only another namespace asks for it: who wants it gone is not to leave it to others', async () => {
  await world.namespace('team-b');
  await begin([{ namespaces: ['team-a', 'team-b'], adopt: 'Any' }]);
  const id = await made();
  await world.apply('CloudInstance', 'new', { ...machine, accountRef: { name: 'default', namespace: 'team-a' }, adopt: { id } }, 'team-b');
  await world.reason('CloudInstance', 'new', 'AlreadyClaimed', 600_000, 'team-b');
  await world.delete('CloudInstance', 'old');
  await world.gone('CloudInstance', 'old', 120_000);
  expect(deleted()).toHaveLength(1);
});

it('is kept while who asks for it by its id has one of its own, as in a chain of renames, and why says how to choose', async () => {
  await begin();
  const id = await made();
  await world.apply('CloudInstance', 'other', machine);
  await world.ready('CloudInstance', 'other');
  await world.patch('CloudInstance', 'other', { spec: { adopt: { id } } });
  await world.clock.advance(60_000);
  await world.delete('CloudInstance', 'old');
  const { message } = await world.reason('CloudInstance', 'old', 'DeletionHeld', 120_000);
  expect(message).toContain(`CloudInstance other asks for /vm/instances/${id} with spec.adopt, and has /vm/instances/`);
  const { out } = await cloud(world, 'why cinst/old');
  const lines = /(kubectl .+"Retain".+)\n.*(kubectl .+"adopt":null.+)\n/.exec(out);
  expect(lines).not.toBeNull();
  await world.clock.advance(600_000);
  expect(deleted()).toEqual([]);
  await world.patch('CloudInstance', 'other', { spec: { adopt: null } });
  await world.gone('CloudInstance', 'old', 120_000);
  expect(deleted()).toHaveLength(1);
});

const volumes = (): number => world.emulator.control.rows('volumes').length;
describe('who asks for it and comes to nothing', () => {
  const volume = { region: 'eu-central', sizeGiB: 20, label: 'data', lifecycle: { onDelete: 'Delete' } };
  async function asked(more: object = {}): Promise<number> {
    await begin();
    await world.apply('CloudVolume', 'old', volume);
    const id = Number((await world.ready('CloudVolume', 'old')).status?.['id']);
    await world.apply('CloudVolume', 'new', { ...volume, adopt: { id }, ...more });
    return id;
  }

  it('leaves nothing behind where both are deleted in the same moment', async () => {
    await asked();
    await world.reason('CloudVolume', 'new', 'AlreadyClaimed');
    await world.delete('CloudVolume', 'old');
    await world.delete('CloudVolume', 'new');
    await world.gone('CloudVolume', 'old', 300_000);
    await world.gone('CloudVolume', 'new', 300_000);
    expect(volumes()).toBe(0);
  });
  it('is waited for while it cannot take it, and has it as soon as it can', async () => {
    const id = await asked({ instanceRef: { name: 'nope' } });
    await world.reason('CloudVolume', 'new', 'ReferenceNotReady');
    await world.delete('CloudVolume', 'old');
    const { message } = await world.reason('CloudVolume', 'old', 'ReferenceNotReady');
    expect(message).toContain('CloudVolume new asks for /volumes/');
    expect(message).toContain('ReferenceNotReady');
    expect(message).toContain(
      'To have it deleted after all, take spec.adopt out of CloudVolume new, or delete that, whose policy is Delete',
    );
    const { out } = await cloud(world, 'why cvol/old');
    expect(out).toContain('spec.instanceRef: CloudInstance nope is not found');
    expect(out).toContain('  kubectl -n team-a edit cloudvolume new\n');
    await world.patch('CloudVolume', 'new', { spec: { instanceRef: null } });
    await world.gone('CloudVolume', 'old', 120_000);
    expect((await world.ready('CloudVolume', 'new', 120_000)).status).toMatchObject({ id: String(id) });
    expect(deleted()).toEqual([]);
  });
  it('keeps nothing from being deleted once it is deleted itself', async () => {
    await asked({ instanceRef: { name: 'nope' } });
    await world.delete('CloudVolume', 'old');
    await world.reason('CloudVolume', 'old', 'ReferenceNotReady');
    await world.delete('CloudVolume', 'new');
    await world.gone('CloudVolume', 'old', 120_000);
    expect(volumes()).toBe(0);
  });
  it('is waited for where it was changed since it was looked at', async () => {
    const id = await asked();
    await world.reason('CloudVolume', 'new', 'AlreadyClaimed');
    running.kill();
    await world.patch('CloudVolume', 'new', { spec: { instanceRef: { name: 'nope' } } });
    await world.delete('CloudVolume', 'old');
    running = await world.start();
    await world.reason('CloudVolume', 'old', 'ReferenceNotReady', 120_000);
    await world.delete('CloudVolume', 'new');
    await world.gone('CloudVolume', 'old', 120_000);
    expect(id).toBeDefined();
    expect(volumes()).toBe(0);
  });
  it('is passed over for one that can take it', async () => {
    const id = await asked({ instanceRef: { name: 'nope' } });
    await world.reason('CloudVolume', 'new', 'ReferenceNotReady');
    await world.apply('CloudVolume', 'second', { ...volume, adopt: { id } });
    await world.reason('CloudVolume', 'second', 'AlreadyClaimed');
    await world.delete('CloudVolume', 'old');
    expect((await world.ready('CloudVolume', 'second', 120_000)).status).toMatchObject({ id: String(id) });
  });
  it('ends what was on its way out when it was to, and not with the object: a key that another one had taken the place of', async () => {
    await begin();
    const key = { label: 'uploads', bucketAccess: [], lifecycle: { onDelete: 'Delete' } };
    await world.apply('CloudObjectKey', 'old', { ...key, rotation: { overlapHours: 1 } });
    const first = (await world.ready('CloudObjectKey', 'old')).status?.['id'];
    await world.patch('CloudObjectKey', 'old', { metadata: { annotations: { 'cloudhosting.dev/rotate': 'now' } } });
    await world.clock.runUntil(async () => (await world.get('CloudObjectKey', 'old')).status?.['id'] !== first, 600_000);
    const second = (await world.ready('CloudObjectKey', 'old')).status?.['id'];
    await world.apply('CloudObjectKey', 'new', { ...key, adopt: { id: second } });
    await world.reason('CloudObjectKey', 'new', 'AlreadyClaimed');
    await world.delete('CloudObjectKey', 'old');
    await world.gone('CloudObjectKey', 'old', 120_000);
    await world.clock.advance(60_000);
    expect((await world.get('CloudObjectKey', 'new')).status?.['id']).toBe(second);
    expect(deleted()).toEqual([]);
    await world.clock.advance(3_600_000);
    expect(deleted()).toEqual([expect.stringMatching(new RegExp(`/keys/${String(first)}$`))]);
  });
  it('is not waited for where the remote stays anyway', async () => {
    await asked({ instanceRef: { name: 'nope' } });
    await world.patch('CloudVolume', 'old', { spec: { lifecycle: { onDelete: 'Retain' } } });
    await world.delete('CloudVolume', 'old');
    await world.gone('CloudVolume', 'old', 60_000);
    expect(volumes()).toBe(1);
  });
});

it.each(['', ' after a restart'])('a part that waits for its taker sees at once that its machine is deleted%s', async (when) => {
  await begin();
  await made();
  const disk = { instanceRef: { name: 'old' }, sizeMB: 1024, label: 'data', lifecycle: { onDelete: 'Delete' } };
  await world.apply('CloudDisk', 'old', disk);
  const { status } = await world.ready('CloudDisk', 'old', 600_000);
  await world.apply('CloudDisk', 'new', { ...disk, instanceRef: { name: 'nope' }, adopt: { id: Number(status?.['id']) } });
  await world.reason('CloudDisk', 'new', 'ReferenceNotReady');
  await world.delete('CloudDisk', 'old');
  await world.reason('CloudDisk', 'old', 'ReferenceNotReady', 60_000);
  if (when !== '') {
    running.kill();
    running = await world.start();
    await world.clock.advance(60_000);
  }
  await world.reason('CloudDisk', 'old', 'ReferenceNotReady', 60_000);
  world.emulator.control.addFault({
    match: { method: 'DELETE', path: String((await world.get('CloudInstance', 'old')).status?.['path']) },
    times: 5,
    effect: { kind: 'answer', status: 503 },
  });
  await world.delete('CloudInstance', 'old');
  await world.clock.advance(5000);
  expect(await world.condition('CloudDisk', 'old', 'Synced')).toMatchObject({
    reason: 'Deleting',
    message: expect.stringContaining('goes with CloudInstance old') as string,
  });
});
