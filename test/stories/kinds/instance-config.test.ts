import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

const machine = { region: 'eu-central', type: 'g6-nanode-1' };
const kind = 'CloudInstanceConfig';
interface Config {
  readonly id: number;
  readonly label: string;
  readonly kernel: string;
  readonly devices: Readonly<Record<string, { readonly disk_id: number | null; readonly volume_id: number | null } | null>>;
  readonly interfaces: readonly object[];
}

let world: World;
let colleague: CloudUser;
let operator: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  colleague = new CloudUser(world);
  await world.account();
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
});
const configs = (): readonly Config[] => world.emulator.control.rows('configs') as never;
const status = async (name: string) => (await world.get(kind, name)).status ?? {};
/** An empty instance, which boots nothing by itself. */
async function instance(name = 'web'): Promise<string> {
  await world.apply('CloudInstance', name, machine);
  await world.ready('CloudInstance', name);
  return String((await world.get('CloudInstance', name)).status?.['path']);
}
const config = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  instanceRef: { name: 'web' },
  devices: {},
  lifecycle: { onDelete: 'Delete' },
  ...more,
});

describe('whether a boot is pending', () => {
  it('is told from the create on until the instance boots with it, and again after each change, across a restart', async () => {
    const at = await instance();
    await world.apply(kind, 'main', config({ label: 'main' }));
    await world.apply(kind, 'other', config({ label: 'other' }));
    for (const name of ['main', 'other']) await world.ready(kind, name);
    expect(await status('main')).toMatchObject({ pendingBoot: true, lastBoot: 'never' });
    const id = Number((await status('main'))['id']);
    const other = Number((await status('other'))['id']);
    await world.clock.advance(2000);
    await colleague.post(`${at}/boot`, { config_id: id });
    await world.clock.runUntil(async () => (await status('main'))['pendingBoot'] === false, 60_000);
    expect(await status('other')).toMatchObject({ pendingBoot: true, lastBoot: 'never' });

    await world.patch(kind, 'main', { spec: { kernel: 'vm/grub2' } });
    await world.clock.advance(5000);
    await world.ready(kind, 'main');
    expect(await status('main')).toMatchObject({ pendingBoot: true, kernel: 'vm/grub2' });
    await colleague.post(`${at}/reboot`, { config_id: other });
    await world.clock.advance(120_000);
    expect(await status('main')).toMatchObject({ pendingBoot: true });
    expect(await status('other')).toMatchObject({ pendingBoot: false });

    operator.process.kill();
    const second = await world.start();
    await world.clock.advance(600_000);
    expect(await status('main')).toMatchObject({ pendingBoot: true });
    expect(await status('other')).toMatchObject({ pendingBoot: false });
    await colleague.post(`${at}/reboot`, { config_id: id });
    await world.clock.advance(120_000);
    expect(await status('main')).toMatchObject({ pendingBoot: false });
    second.process.kill();
    await world.start();
    await world.clock.advance(600_000);
    expect(await status('main')).toMatchObject({ pendingBoot: false });
    expect(world.panics).toEqual([]);
  });
  it('is not, where it was made and booted within one second', async () => {
    const at = await instance();
    const { id } = await colleague.post(`${at}/configs`, { label: 'theirs', devices: {} });
    await colleague.post(`${at}/boot`, { config_id: id });
    const made = configs().find((one) => one.id === id) as unknown as { readonly created: string };
    const booted = world.emulator.control.rows('events').find((event) => Reflect.get(event, 'action') === 'vm_boot') as unknown as {
      readonly created: string;
    };
    expect(booted.created).toBe(made.created);
    await world.apply(kind, 'theirs', config({ label: 'theirs', adopt: { id } }));
    await world.ready(kind, 'theirs');
    await world.clock.advance(120_000);
    expect(await status('theirs')).toMatchObject({ pendingBoot: false, lastBoot: made.created });
  });
  it('is not told of one that came into being in the same second as its boot, and is of a change in that second after it', async () => {
    const deployed = { ...machine, label: 'theirs', image: 'vm/debian11', root_pass: 'Correct-Horse-9-Battery' };
    const { id: vm } = await colleague.post('/vm/instances', deployed);
    const at = `/vm/instances/${String(vm)}`;
    const [main] = configs();
    await world.clock.advance(120_000);
    await world.apply('CloudInstance', 'web', { ...machine, adopt: { id: vm } });
    await world.ready('CloudInstance', 'web');
    await world.apply(kind, 'main', config({ adopt: { id: main?.id } }));
    await world.ready(kind, 'main');
    const { changed, lastBoot, pendingBoot } = await status('main');
    expect([changed, pendingBoot]).toEqual([lastBoot, false]);

    await colleague.post(`${at}/reboot`);
    await colleague.put(`${at}/configs/${main?.id}`, { memory_limit: 512 });
    await world.clock.runUntil(async () => (await status('main'))['lastBoot'] !== lastBoot, 120_000);
    const after = await status('main');
    expect([after['changed'], after['pendingBoot']]).toEqual([after['lastBoot'], true]);
    await world.clock.advance(5000);
    await colleague.put(`${at}/configs/${main?.id}`, { memory_limit: 256 });
    await colleague.post(`${at}/reboot`);
    await world.clock.runUntil(async () => (await status('main'))['pendingBoot'] === false, 120_000);
    operator.process.kill();
    await world.start();
    await world.clock.advance(600_000);
    expect(await status('main')).toMatchObject({ pendingBoot: false });
  });
  it('ends with a resize, which boots what ran by itself with the configuration of before, and with none of a machine that is off', async () => {
    const at = await instance();
    for (const name of ['main', 'other']) await world.apply(kind, name, config({ label: name }));
    for (const name of ['main', 'other']) await world.ready(kind, name);
    await world.clock.advance(2000);
    await colleague.post(`${at}/boot`, { config_id: Number((await status('main'))['id']) });
    await world.clock.runUntil(async () => (await status('main'))['pendingBoot'] === false, 60_000);
    for (const name of ['main', 'other']) await world.patch(kind, name, { spec: { memoryLimitMB: 512 } });
    await world.clock.runUntil(async () => (await status('main'))['pendingBoot'] === true, 60_000);
    await world.clock.advance(5000);
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1', lifecycle: { approve: ['Reboot'] } } });
    await world.clock.runUntil(async () => (await status('main'))['pendingBoot'] === false, 300_000);
    await world.clock.advance(60_000);
    expect(await status('other')).toMatchObject({ pendingBoot: true, lastBoot: 'never' });

    await colleague.post(`${at}/shutdown`);
    await world.clock.advance(120_000);
    await world.patch(kind, 'main', { spec: { memoryLimitMB: 256 } });
    await world.clock.advance(10_000);
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-2' } });
    await world.clock.advance(300_000);
    expect((await world.get('CloudInstance', 'web')).status).toMatchObject({ type: 'g6-standard-2' });
    expect(await status('main')).toMatchObject({ pendingBoot: true });
    expect(world.panics).toEqual([]);
  });
  it('is told of a boot that nobody watched, and of a change that somebody else made', async () => {
    const at = await instance();
    await world.apply(kind, 'main', config({ label: 'main' }));
    await world.ready(kind, 'main');
    const id = Number((await status('main'))['id']);
    await world.clock.advance(2000);
    operator.process.kill();
    await colleague.post(`${at}/boot`, { config_id: id });
    await world.clock.advance(60_000);
    await world.start();
    await world.clock.runUntil(async () => (await status('main'))['pendingBoot'] === false, 60_000);
    await colleague.put(`${at}/configs/${id}`, { memory_limit: 512 });
    await world.clock.runUntil(async () => (await status('main'))['pendingBoot'] === true, 60_000);
  });
  it('is not claimed to be known of one that is older than what events tell, before it is changed', async () => {
    const at = await instance();
    const { id } = await colleague.post(`${at}/configs`, { label: 'theirs', devices: {} });
    await world.clock.advance(5000);
    for (let count = 1; count <= 510; count += 1) await colleague.put(at, { group: `group ${count}` });
    await world.clock.advance(5000);
    operator.process.kill();
    await world.start();
    await world.apply(kind, 'theirs', config({ label: 'theirs', adopt: { id } }));
    await world.ready(kind, 'theirs');
    expect(await status('theirs')).not.toHaveProperty('pendingBoot');
    await world.patch(kind, 'theirs', { spec: { runLevel: 'single' } });
    await world.clock.advance(5000);
    await world.ready(kind, 'theirs');
    expect(await status('theirs')).toMatchObject({ pendingBoot: true });
  });
});

describe('an update', () => {
  it('leaves what came into another slot, or to the interfaces, at the same moment', async () => {
    const at = await instance();
    await world.apply(kind, 'main', config({ label: 'main', devices: { sda: { empty: true } } }));
    await world.ready(kind, 'main');
    const id = Number((await status('main'))['id']);
    const { id: volume } = await colleague.post('/volumes', { label: 'theirs', region: 'eu-central' });
    const { id: disk } = await colleague.post(`${at}/disks`, { label: 'theirs', size: 100 });
    await world.clock.advance(60_000);
    const devices = { sdb: { disk_id: disk }, sdc: { volume_id: volume } };
    const interfaces = [{ purpose: 'public' }, { purpose: 'vlan', label: 'lan-1', ipam_address: '10.0.0.1/24' }];
    // The edit is planned from the row of before: the colleague is first by a hair.
    const edited = world.patch(kind, 'main', {
      spec: { devices: { sda: { empty: null, diskRef: { external: disk } } }, runLevel: 'single' },
    });
    await colleague.put(`${at}/configs/${id}`, { devices, interfaces });
    await edited;
    await world.clock.advance(60_000);
    await world.ready(kind, 'main');
    const [row] = configs();
    expect(row?.devices).toMatchObject({ sda: { disk_id: disk }, sdb: { disk_id: disk }, sdc: { volume_id: volume } });
    expect(row?.interfaces).toHaveLength(2);
  });
  it('that names what is not there waits for that, and quotes no slots', async () => {
    await instance();
    await world.apply(kind, 'main', config());
    await world.ready(kind, 'main');
    await world.patch(kind, 'main', { spec: { devices: { sda: { volumeRef: { name: 'missing' } } } } });
    await world.reason(kind, 'main', 'ReferenceNotReady');
    const { message } = (await world.condition(kind, 'main', 'Synced')) ?? {};
    expect(message).toContain('CloudVolume missing is not found');
    expect(message).not.toContain('{');
  });
  it('that empties a slot takes out what is in it', async () => {
    await instance();
    await world.apply(kind, 'main', config({ label: 'main', devices: { sdd: { empty: true } } }));
    await world.ready(kind, 'main');
    const id = Number((await status('main'))['id']);
    const { path } = (await world.get('CloudInstance', 'web')).status ?? {};
    const { id: disk } = await colleague.post(`${String(path)}/disks`, { label: 'theirs', size: 100 });
    await colleague.put(`${String(path)}/configs/${id}`, { devices: { sdd: { disk_id: disk }, sde: { disk_id: disk } } });
    await world.clock.runUntil(() => Promise.resolve(configs()[0]?.devices['sdd'] === null), 60_000);
    expect(configs()[0]?.devices['sde']).toMatchObject({ disk_id: disk });
  });
});

describe('a configuration', () => {
  it('that a rebuild takes away is made anew, once', async () => {
    await world.secret('root', { password: 'Correct-Horse-9-Battery' });
    const at = await instance();
    await world.apply(kind, 'main', config({ label: 'main' }));
    const before = (await world.ready(kind, 'main')).status?.['path'];
    await colleague.post(`${at}/rebuild`, { image: 'vm/debian11', root_pass: 'Correct-Horse-9-Battery' });
    await world.clock.runUntil(async () => ![undefined, before].includes((await status('main'))['path']), 600_000);
    await world.ready(kind, 'main');
    expect(configs().filter(({ label }) => label === 'main')).toHaveLength(1);
  });
  it('goes with its instance, and is made below the one that takes its place', async () => {
    const at = await instance();
    await world.apply(kind, 'main', config({ label: 'main' }));
    await world.ready(kind, 'main');
    await colleague.delete(at);
    await world.reason('CloudInstance', 'web', 'RemoteMissing', 3_600_000);
    await world.patch('CloudInstance', 'web', { metadata: { annotations: { 'cloudhosting.dev/recreate': 'now' } } });
    await world.ready('CloudInstance', 'web');
    await world.clock.advance(600_000);
    expect(String((await world.ready(kind, 'main')).status?.['path'])).not.toContain(`${at}/`);
    expect(configs()).toHaveLength(1);
    await world.delete(kind, 'main');
    await world.gone(kind, 'main');
    expect(configs()).toEqual([]);
    expect(world.panics).toEqual([]);
  });
  it('whose create was never answered is found, and not made twice', async () => {
    await instance();
    const effect = { kind: 'commit-late', seconds: 30 } as const;
    world.emulator.control.addFault({ match: { method: 'POST', path: '/vm/instances/*/configs', username: 'admin' }, times: 1, effect });
    await world.apply(kind, 'main', config({ label: 'main' }));
    await world.clock.advance(300_000);
    await world.ready(kind, 'main');
    expect(configs()).toHaveLength(1);
  });
  it("of somebody else's that bears the label is neither taken nor joined by another", async () => {
    const at = await instance();
    await colleague.post(`${at}/configs`, { label: 'main', devices: {}, comments: 'theirs' });
    await world.apply(kind, 'main', config({ label: 'main', comments: 'ours' }));
    await world.reason(kind, 'main', 'AlreadyExists');
    await world.clock.advance(600_000);
    expect(configs()).toMatchObject([{ label: 'main', comments: 'theirs' }]);
    await world.delete(kind, 'main');
    await world.gone(kind, 'main');
    expect(configs()).toHaveLength(1);
  });
});

describe('a tenant who may not adopt', () => {
  const accountRef = { name: 'default', namespace: 'team-a' };
  const attempts: readonly (readonly [field: string, spec: Record<string, unknown>])[] = [
    ['spec.instanceRef', { instanceRef: { external: 1001 }, devices: {} }],
    ['spec.devices.sda.diskRef', { devices: { sda: { diskRef: { external: 424_242 } } } }],
    ['spec.devices.sdb.volumeRef', { devices: { sdb: { volumeRef: { external: 424_242 } } } }],
    ['spec.interfaces[0].label', { devices: {}, interfaces: [{ purpose: 'vlan', label: 'backend' }] }],
    ['spec.instanceRef', { instanceRef: { name: 'web', namespace: 'team-a' }, devices: {} }],
  ];
  it.each(attempts)('cannot name what is not theirs in %s', async (field, spec) => {
    await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'], adopt: 'None' }] } });
    await world.namespace('team-b');
    await instance();
    await world.apply('CloudInstance', 'mine', { ...machine, accountRef }, 'team-b');
    await world.ready('CloudInstance', 'mine', 60_000, 'team-b');
    const before = changesOf(world).length;
    await world.apply(kind, 'thief', { accountRef, instanceRef: { name: 'mine' }, ...spec }, 'team-b');
    const { message } = await world.reason(kind, 'thief', 'ReferenceNotReady', 60_000, 'team-b');
    expect(message).toContain(`${field}: `);
    expect(changesOf(world)).toHaveLength(before);
    expect(configs()).toEqual([]);
  });
});
