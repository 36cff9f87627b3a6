import { beforeEach, describe, expect, it } from 'vitest';
import { cloud } from '../../support/plugin/cloud-cli.ts';
import { connectedWorld } from '../../support/world/connected-world.ts';
import type { KubeObject } from '../../support/world/custom-object.ts';
import type { RunningOperator, World } from '../../support/world/world.ts';

const minute = 60_000;
interface Row {
  readonly id: number;
  readonly label: string;
}
let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  ({ world, operator } = await connectedWorld());
});

const rows = (of: 'instances' | 'disks' | 'configs'): readonly Row[] => world.emulator.control.rows(of) as never;
const labels = (of: 'disks' | 'configs'): readonly string[] => rows(of).map(({ label }) => label);
const byAdmin = (method: string, path: string, body?: object): Promise<number> => by('admin', method, path, body);
async function by(username: string, method: string, path: string, body?: object): Promise<number> {
  const answer = await world.emulator.control.actAs({ username, method, path: `/v4${path}`, ...(body && { body }) });
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${String(answer.body)}`);
  return (JSON.parse(String(answer.body)) as Row).id;
}
const posts = (): readonly string[] =>
  world.emulator.control
    .requests()
    .filter(({ method, path, status }) => method === 'POST' && status === 200 && /\/(?:disks|configs)$/.test(path))
    .map(({ path }) => path);
const refuseOnce = (of: 'disks' | 'configs', status: number): number =>
  world.emulator.control.addFault({
    match: { method: 'POST', template: `/vm/instances/{vmId}/${of}` },
    times: 1,
    effect: { kind: 'answer', status },
  });
const machine = { region: 'us-east', type: 'g6-standard-1', label: 'web' };

interface Machine {
  readonly id: number;
  readonly root: number;
  readonly config: number;
}
/** By hand, as a machine is before anybody imports it. */
async function madeByHand(label: string, config = 'main'): Promise<Machine> {
  const id = await byAdmin('POST', '/vm/instances', { ...machine, label });
  await world.clock.advance(minute);
  const root = await byAdmin('POST', `/vm/instances/${id}/disks`, { label: 'root', size: 2000, filesystem: 'ext4' });
  await world.clock.advance(minute);
  const devices = { sda: { disk_id: root } };
  return { id, root, config: await byAdmin('POST', `/vm/instances/${id}/configs`, { label: config, devices }) };
}

interface Wishes {
  readonly instance?: object;
  readonly disk?: object;
  readonly config?: object;
}
/** As export writes it: each part names what it is to take over. */
async function imported(more: Wishes = {}): Promise<Machine> {
  const made = await madeByHand('web');
  const instanceRef = { name: 'web' };
  await world.apply('CloudInstance', 'web', { ...machine, autoResizeDisk: false, adopt: { id: made.id }, ...more.instance });
  await world.apply('CloudDisk', 'root', { instanceRef, label: 'root', sizeMB: 2000, adopt: { id: made.root }, ...more.disk });
  const devices = { sda: { diskRef: { name: 'root' } } };
  await world.apply('CloudInstanceConfig', 'main', { instanceRef, label: 'main', devices, adopt: { id: made.config }, ...more.config });
  for (const [kind, name] of all) await world.ready(kind, name);
  return made;
}
const all = [
  ['CloudInstance', 'web'],
  ['CloudDisk', 'root'],
  ['CloudInstanceConfig', 'main'],
] as const;

const lose = async ({ id }: { readonly id: number }): Promise<void> => {
  await byAdmin('DELETE', `/vm/instances/${id}`);
  await world.clock.advance(minute);
};
const askFor = (kind: string, name: string, at = 'now'): Promise<KubeObject> =>
  world.patch(kind, name, { metadata: { annotations: { 'cloudhosting.dev/recreate': at } } });
const askForBoth = async (at = 'now'): Promise<void> => {
  await askFor('CloudInstance', 'web', at);
  await askFor('CloudDisk', 'root', at);
};
async function areBack(): Promise<unknown> {
  for (const [kind, name] of all) await world.ready(kind, name, 30 * minute);
  return [rows('instances').length, labels('disks'), labels('configs'), world.panics];
}
const whole = [1, ['root'], ['main'], []];
const message = async (kind: string, name: string): Promise<string> =>
  (await world.reason(kind, name, 'RemoteMissing', 30 * minute)).message;

describe('an imported machine that was lost, and that a person asked for again', () => {
  it.each([400, 503])('comes back with its disk and configuration, where the service answers %i first', async (status) => {
    await lose(await imported());
    refuseOnce('disks', status);
    refuseOnce('configs', status);
    await askForBoth();
    expect(await areBack()).toEqual(whole);
  });

  it('comes back with a configuration that was found by what it is like', async () => {
    await lose(await imported({ config: { adopt: { match: { label: 'main' } } } }));
    refuseOnce('configs', 400);
    await askForBoth();
    expect(await areBack()).toEqual(whole);
  });

  it('has a disk come by itself whose spec says so', async () => {
    await lose(await imported({ disk: { lifecycle: { onMissing: 'Recreate' } } }));
    refuseOnce('disks', 400);
    await askFor('CloudInstance', 'web');
    expect(await areBack()).toEqual(whole);
  });

  it.each(['CloudInstance', 'CloudDisk', 'CloudInstanceConfig'])(
    'comes back where the operator is killed as it has let go of what %s had',
    async (kind) => {
      await lose(await imported());
      refuseOnce('configs', 400);
      await askForBoth();
      const name = new Map<string, string>(all).get(kind) ?? '';
      await world.clock.runUntil(async () => (await world.get(kind, name)).status?.['remotesBefore'] === 1, 30 * minute);
      operator.kill();
      await world.clock.advance(minute);
      await world.start();
      expect(await areBack()).toEqual(whole);
    },
  );

  it('comes back a second time, too', async () => {
    await lose(await imported());
    await askForBoth();
    expect(await areBack()).toEqual(whole);
    await lose({ id: rows('instances')[0]?.id ?? 0 });
    const asked = await cloud(world, 'recreate cinst/web --yes --confirm web', { limit: 10 * minute });
    expect([asked.exit, asked.err]).toEqual([0, expect.not.stringContaining('is taken over')]);
    await askFor('CloudDisk', 'root', 'once more');
    refuseOnce('configs', 400);
    expect(await areBack()).toEqual(whole);
  });

  it('has nothing made while nobody asks', async () => {
    await lose(await imported());
    await world.clock.advance(20 * minute);
    expect(posts().length).toBe(2);
    await message('CloudInstance', 'web');
  });
});

/** Lists lag as long as the operator reckons with. */
const listsLag = (): void => world.emulator.control.setKnobs({ listLagSeconds: 60 });

/** Nothing of it waits for a disk. */
const alone = { devices: {} };
const ofConfig = async (told: RegExp): Promise<Row> => {
  await world.clock.advance(30 * minute);
  const [only, ...more] = rows('configs');
  expect([more, only?.label === 'main']).toEqual([[], false]);
  expect(await message('CloudInstanceConfig', 'main')).toMatch(told);
  return only as Row;
};
async function isTakenOver({ id }: Row): Promise<void> {
  await world.patch('CloudInstanceConfig', 'main', { spec: { adopt: { id } } });
  await askFor('CloudInstanceConfig', 'main');
  await world.ready('CloudInstanceConfig', 'main');
  expect(rows('configs').map((one) => one.id)).toEqual([id]);
}

describe('what came in the place of an imported configuration', () => {
  it('is told, and none made beside it, where what the machine is made anew of brings one', async () => {
    await world.secret('web-root', { password: 'Correct-Horse-7' });
    const image = { image: 'vm/debian11', rootPasswordSecretRef: { name: 'web-root', key: 'password' } };
    await lose(await imported({ instance: { ...image, lifecycle: { ignoreFields: ['image'] } }, config: alone }));
    listsLag();
    await askFor('CloudInstance', 'web');
    await isTakenOver(await ofConfig(/No object has \d+ of \/vm\/instances\/\d+ \(\d+: "My Debian 11 Disk Profile"\)/));
  });

  it('is told, and none made beside it, where a colleague has restored the machine under another id, and that is taken over', async () => {
    await lose(await imported({ config: alone }));
    const other = await madeByHand('restored', 'as it was called then');
    await world.patch('CloudInstance', 'web', { spec: { adopt: { id: other.id } } });
    await askFor('CloudInstance', 'web');
    await world.ready('CloudInstance', 'web');
    await isTakenOver(await ofConfig(/nothing tells whether \/vm\/instances\/\d+ was made anew .* No object has \d+/));
  });

  it('is taken over where its id is written with that of the machine, whatever it is called', async () => {
    await lose(await imported({ config: alone }));
    const other = await madeByHand('restored', 'as it was called then');
    await world.patch('CloudInstance', 'web', { spec: { adopt: { id: other.id } } });
    await world.patch('CloudInstanceConfig', 'main', { spec: { adopt: { id: other.config } } });
    await askFor('CloudInstance', 'web');
    await world.ready('CloudInstanceConfig', 'main');
    expect(rows('configs').map(({ id }) => id)).toEqual([other.config]);
  });

  it('is told, and none made beside it, where the machine was restored in place, with what that was called then', async () => {
    const { id } = await imported({ instance: { backupsEnabled: true }, config: { ...alone, label: 'as it was called then' } });
    const backup = await byAdmin('POST', `/vm/instances/${id}/backups`, { label: 'before' });
    await world.clock.advance(5 * minute);
    await world.patch('CloudInstanceConfig', 'main', { spec: { label: 'main' } });
    await world.ready('CloudInstanceConfig', 'main');
    await byAdmin('POST', `/vm/instances/${id}/backups/${backup}/restore`, { vm_id: id, overwrite: true });
    await isTakenOver(await ofConfig(/No object has \d+ of \/vm\/instances\/\d+ \(\d+: "as it was called then"\)/));
  });

  it('is made anew by itself beside others, where somebody deleted that alone', async () => {
    const { id, config } = await imported({ config: alone });
    await by('colleague', 'POST', `/vm/instances/${id}/configs`, { label: 'rescue', devices: {} });
    await byAdmin('DELETE', `/vm/instances/${id}/configs/${config}`);
    await world.clock.advance(10 * minute);
    await world.ready('CloudInstanceConfig', 'main');
    expect(labels('configs').toSorted()).toEqual(['main', 'rescue']);
  });

  it('is asked about where what came since was made by the user of the token: it may be what this object had last', async () => {
    const { id, config } = await imported({ config: alone });
    await byAdmin('POST', `/vm/instances/${id}/configs`, { label: 'rescue', devices: {} });
    await byAdmin('DELETE', `/vm/instances/${id}/configs/${config}`);
    await world.clock.advance(10 * minute);
    expect(await message('CloudInstanceConfig', 'main')).toMatch(/No object has \d+ of \/vm\/instances\/\d+ \(\d+: rescue\)/);
    expect(labels('configs')).toEqual(['rescue']);
  });
});

it('where the machine has lost its status nothing is made by itself, and the configuration says why, and comes when it is asked for', async () => {
  await lose(await imported({ config: { devices: {} } }));
  await askFor('CloudInstance', 'web');
  await world.clock.runUntil(async () => (await world.get('CloudInstance', 'web')).status?.['id'] !== undefined, minute);
  await world.server.as('admin', 'PATCH', `${world.path('CloudInstance', 'team-a', 'web')}/status`, [{ op: 'remove', path: '/status' }]);
  await world.ready('CloudInstance', 'web');
  expect(await message('CloudInstanceConfig', 'main')).toContain('nothing tells whether /vm/instances/1001 was made anew in place of that');
  expect(rows('configs')).toEqual([]);
  refuseOnce('configs', 400);
  expect((await cloud(world, 'recreate ccfg/main --yes')).exit).toBe(0);
  await world.ready('CloudInstanceConfig', 'main');
  expect(labels('configs')).toEqual(['main']);
});

it('a machine that was taken over in place of the one that was made anew may be a restored one: its configuration is asked about', async () => {
  await lose(await imported({ config: { devices: {} } }));
  await askFor('CloudInstance', 'web');
  await world.clock.runUntil(async () => (await world.get('CloudInstance', 'web')).status?.['id'] !== undefined, minute);
  await lose({ id: rows('instances')[0]?.id ?? 0 });
  const id = await byAdmin('POST', '/vm/instances', { ...machine, label: 'restored' });
  await world.patch('CloudInstance', 'web', { spec: { adopt: { id } } });
  await askFor('CloudInstance', 'web', 'once more');
  await world.ready('CloudInstance', 'web');
  expect(await message('CloudInstanceConfig', 'main')).toContain('was made anew in place of that, or restored');
  expect(rows('configs')).toEqual([]);
});

it('a machine that is made anew by itself, as its spec says, has its configuration come with it', async () => {
  await lose(await imported({ instance: { lifecycle: { onMissing: 'Recreate' } }, disk: { lifecycle: { onMissing: 'Recreate' } } }));
  refuseOnce('configs', 400);
  expect(await areBack()).toEqual(whole);
});

it('a configuration waits for the answer to what another object has made, and is made beside that', async () => {
  await lose(await imported({ config: { devices: {} } }));
  await askFor('CloudInstance', 'web');
  await world.clock.runUntil(async () => (await world.get('CloudInstance', 'web')).status?.['id'] !== undefined, minute);
  // What came with the machine may be listed from now on.
  await world.clock.advance(57_000);
  world.emulator.control.addFault({
    match: { method: 'POST', template: '/vm/instances/{vmId}/configs' },
    times: 1,
    effect: { kind: 'delay', seconds: 12 },
  });
  await world.apply('CloudInstanceConfig', 'rescue', { instanceRef: { name: 'web' }, label: 'rescue', devices: {} });
  await world.ready('CloudInstanceConfig', 'main', 2 * minute);
  await world.ready('CloudInstanceConfig', 'rescue', minute);
  expect(labels('configs').toSorted()).toEqual(['main', 'rescue']);
});
