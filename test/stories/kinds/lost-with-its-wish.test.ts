import { beforeEach, describe, expect, it } from 'vitest';
import { connectedWorld } from '../../support/connected-world.ts';
import type { RunningOperator, World } from '../../support/world.ts';

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

const rows = (of: 'firewalls' | 'disks' | 'configs' | 'domain records'): readonly Row[] => world.emulator.control.rows(of) as never;
async function byAdmin(method: string, path: string, body?: object): Promise<number> {
  const answer = await world.emulator.control.actAs({ username: 'admin', method, path: `/v4${path}`, ...(body && { body }) });
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${String(answer.body)}`);
  return (JSON.parse(String(answer.body)) as Row).id;
}
const refuse = (template: string, status: number, times = 1): number =>
  world.emulator.control.addFault({ match: { method: 'POST', template }, times, effect: { kind: 'answer', status } });
const askFor = (kind: string, name: string): Promise<unknown> =>
  world.patch(kind, name, { metadata: { annotations: { 'cloudhosting.dev/recreate': 'now' } } });
/** It has let go of what is gone. */
const hasLetGo = (kind: string, name: string): Promise<unknown> =>
  world.clock.runUntil(async () => Number((await world.get(kind, name)).status?.['remotesBefore']) >= 1, 30 * minute);
async function restarted(): Promise<void> {
  operator.kill();
  await world.clock.advance(minute);
  operator = await world.start();
}

const machine = { region: 'us-east', type: 'g6-standard-1', label: 'web' };

interface Walled {
  readonly id: number;
  readonly wall: number;
}
const body = { label: 'edge', rules: { inbound_policy: 'DROP', outbound_policy: 'ACCEPT', inbound: [], outbound: [] } };
async function importedWall(adopt: (wall: number) => object, more: object = {}): Promise<Walled> {
  const id = await byAdmin('POST', '/vm/instances', machine);
  await world.clock.advance(minute);
  const wall = await byAdmin('POST', '/networking/firewalls', { ...body, devices: { vms: [id] } });
  await world.apply('CloudInstance', 'web', { ...machine, adopt: { id } });
  const spec = { label: 'edge', inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT', inbound: [], outbound: [] };
  await world.apply('CloudFirewall', 'edge', { ...spec, instanceRefs: [{ name: 'web' }], adopt: adopt(wall), ...more });
  for (const [kind, name] of both) await world.ready(kind, name);
  return { id, wall };
}
const both = [
  ['CloudInstance', 'web'],
  ['CloudFirewall', 'edge'],
] as const;
async function loseBoth({ id, wall }: Walled): Promise<void> {
  await byAdmin('DELETE', `/vm/instances/${id}`);
  await byAdmin('DELETE', `/networking/firewalls/${wall}`);
}
/** One firewall, another than before, with the machine behind it. */
async function isWallBack(wall: number): Promise<boolean> {
  await hasLetGo('CloudFirewall', 'edge');
  for (const [kind, name] of both) await world.ready(kind, name, 60 * minute);
  const [only, ...more] = rows('firewalls');
  const { status } = await world.get('CloudFirewall', 'edge');
  return more.length === 0 && only?.id !== wall && status?.['id'] === String(only?.id) && status['instances'] === 1;
}
describe('an imported firewall that the account deleted with its instance', () => {
  const ways = { id: (id: number) => ({ id }), match: () => ({ match: { label: 'edge' } }) };

  it.each([
    ['id', 200],
    ['id', 400],
    ['id', 503],
    ['match', 200],
    ['match', 400],
    ['match', 503],
  ] as const)('comes back with it where it was adopted by %s, and the service answers %i first', async (way, status) => {
    const made = await importedWall(ways[way]);
    if (status !== 200) refuse('/networking/firewalls', status);
    await loseBoth(made);
    await world.clock.advance(5 * minute);
    await askFor('CloudInstance', 'web');
    expect(await isWallBack(made.wall)).toBe(true);
  });

  it.each(['id', 'match'] as const)(
    'comes back where it was adopted by %s, and the operator is killed as it has let go of it',
    async (way) => {
      const made = await importedWall(ways[way]);
      refuse('/networking/firewalls', 400);
      await loseBoth(made);
      await hasLetGo('CloudFirewall', 'edge');
      await restarted();
      await askFor('CloudInstance', 'web');
      expect(await isWallBack(made.wall)).toBe(true);
    },
  );

  it('is not made beside what a colleague made by its name meanwhile, which is taken over', async () => {
    const made = await importedWall(ways.match);
    operator.kill();
    await loseBoth(made);
    const wall = await byAdmin('POST', '/networking/firewalls', body);
    await world.clock.advance(minute);
    operator = await world.start();
    await askFor('CloudInstance', 'web');
    expect(await isWallBack(made.wall)).toBe(true);
    expect(rows('firewalls').map(({ id }) => id)).toEqual([wall]);
    expect((await world.get('CloudFirewall', 'edge')).status?.['origin']).toBe('Adopted');
  });

  it('asks first where its spec says so, and is not made before', async () => {
    const made = await importedWall(ways.match, { lifecycle: { onMissing: 'Stall' } });
    await loseBoth(made);
    await world.reason('CloudInstance', 'web', 'RemoteMissing');
    await askFor('CloudInstance', 'web');
    await world.ready('CloudInstance', 'web', 30 * minute);
    const { message } = await world.reason('CloudFirewall', 'edge', 'RemoteMissing');
    expect(message).toContain('annotate cloudhosting.dev/recreate=<time>');
    expect(rows('firewalls')).toEqual([]);
    await askFor('CloudFirewall', 'edge');
    expect(await isWallBack(made.wall)).toBe(true);
  });
});

interface Machine {
  readonly id: number;
  readonly root: number;
  readonly config: number;
}
async function imported(more: { readonly instance?: object; readonly disk?: object; readonly config?: object } = {}): Promise<Machine> {
  const id = await byAdmin('POST', '/vm/instances', machine);
  await world.clock.advance(minute);
  const root = await byAdmin('POST', `/vm/instances/${id}/disks`, { label: 'root', size: 2000, filesystem: 'ext4' });
  await world.clock.advance(minute);
  const config = await byAdmin('POST', `/vm/instances/${id}/configs`, { label: 'main', devices: {} });
  const instanceRef = { name: 'web' };
  await world.apply('CloudInstance', 'web', { ...machine, autoResizeDisk: false, adopt: { id }, ...more.instance });
  await world.apply('CloudDisk', 'root', { instanceRef, label: 'root', sizeMB: 2000, adopt: { id: root }, ...more.disk });
  await world.apply('CloudInstanceConfig', 'main', { instanceRef, label: 'main', devices: {}, adopt: { id: config }, ...more.config });
  const all = { CloudInstance: 'web', CloudDisk: 'root', CloudInstanceConfig: 'main' };
  for (const [kind, name] of Object.entries(all)) await world.ready(kind, name);
  return { id, root, config };
}
const configs = '/vm/instances/{vmId}/configs';
const lose = ({ id, config }: Machine): Promise<number> => byAdmin('DELETE', `/vm/instances/${id}/configs/${config}`);
const isBack = async (): Promise<readonly string[]> => {
  await hasLetGo('CloudInstanceConfig', 'main');
  await world.ready('CloudInstanceConfig', 'main', 60 * minute);
  return rows('configs').map(({ label }) => label);
};

const posts = (): readonly object[] =>
  world.emulator.control.requests().filter(({ method, path, status }) => method === 'POST' && status === 200 && path.endsWith('/configs'));
const backedUp = { instance: { backupsEnabled: true }, config: { label: 'then' } };
async function backupOf({ id }: Machine): Promise<number> {
  const backup = await byAdmin('POST', `/vm/instances/${id}/backups`, { label: 'before' });
  await world.clock.advance(5 * minute);
  await world.patch('CloudInstanceConfig', 'main', { spec: { label: 'main' } });
  await world.ready('CloudInstanceConfig', 'main');
  return backup;
}
async function isAskedAndTakenOver(): Promise<void> {
  const { message } = await world.reason('CloudInstanceConfig', 'main', 'RemoteMissing', 60 * minute);
  const [only, ...more] = rows('configs');
  expect([only?.label, more]).toEqual(['then', []]);
  expect(message).toContain(`spec.adopt: {id: ${String(only?.id)}} takes that over`);
  await world.clock.advance(90 * minute);
  expect(rows('configs').map(({ id }) => id)).toEqual([only?.id]);
  await world.patch('CloudInstanceConfig', 'main', { spec: { adopt: { id: only?.id } } });
  expect(await isBack()).toEqual(['main']);
  expect(rows('configs').map(({ id }) => id)).toEqual([only?.id]);
}

describe('a part of an imported machine that was lost alone', () => {
  it.each([400, 503])('comes back by itself where the service answers %i first', async (status) => {
    const made = await imported();
    refuse(configs, status);
    await lose(made);
    expect(await isBack()).toEqual(['main']);
  });

  it('comes back by itself where it was adopted by a match', async () => {
    const made = await imported({ config: { adopt: { match: { label: 'main' } } } });
    refuse(configs, 400);
    await lose(made);
    expect(await isBack()).toEqual(['main']);
  });

  it('comes back as a person asks, with the first create refused, too', async () => {
    const made = await imported({ config: { lifecycle: { onMissing: 'Stall' } } });
    refuse(configs, 400);
    await lose(made);
    await world.reason('CloudInstanceConfig', 'main', 'RemoteMissing');
    await askFor('CloudInstanceConfig', 'main');
    expect(await isBack()).toEqual(['main']);
  });

  it('comes back where the operator is killed as it has let go of it', async () => {
    const made = await imported();
    refuse(configs, 400);
    await lose(made);
    await hasLetGo('CloudInstanceConfig', 'main');
    await restarted();
    expect(await isBack()).toEqual(['main']);
  });

  it('comes back by itself as a disk, where its spec says so', async () => {
    const { id, root } = await imported({ disk: { lifecycle: { onMissing: 'Recreate' } } });
    refuse('/vm/instances/{vmId}/disks', 400);
    await byAdmin('DELETE', `/vm/instances/${id}/disks/${root}`);
    await hasLetGo('CloudDisk', 'root');
    await world.ready('CloudDisk', 'root', 60 * minute);
    expect(rows('disks').map(({ label }) => label)).toEqual(['root']);
  });

  it.each(['goes on', 'is killed then'])(
    'is not made beside what a backup brings while its create is refused, where the operator %s',
    async (how) => {
      const made = await imported(backedUp);
      const backup = await backupOf(made);
      const refused = refuse(configs, 503, 1000);
      await lose(made);
      await hasLetGo('CloudInstanceConfig', 'main');
      await byAdmin('POST', `/vm/instances/${made.id}/backups/${backup}/restore`, { vm_id: made.id, overwrite: true });
      if (how === 'goes on') await world.clock.advance(5 * minute);
      else await restarted();
      world.emulator.control.removeFault(refused);
      await isAskedAndTakenOver();
    },
  );

  it('is made beside what a backup brought where a person asks after that, with the first create refused, too', async () => {
    const made = await imported({ ...backedUp, config: { ...backedUp.config, lifecycle: { onMissing: 'Stall' } } });
    const backup = await backupOf(made);
    await byAdmin('POST', `/vm/instances/${made.id}/backups/${backup}/restore`, { vm_id: made.id, overwrite: true });
    await world.reason('CloudInstanceConfig', 'main', 'RemoteMissing');
    await world.clock.advance(5 * minute);
    refuse(configs, 400);
    await askFor('CloudInstanceConfig', 'main');
    expect((await isBack()).toSorted()).toEqual(['main', 'then']);
  });

  it('is not let go of while what brings others is at work', async () => {
    const made = await imported(backedUp);
    const backup = await backupOf(made);
    await lose(made);
    await byAdmin('POST', `/vm/instances/${made.id}/backups/${backup}/restore`, { vm_id: made.id, overwrite: true });
    await isAskedAndTakenOver();
    expect(posts()).toHaveLength(1);
  });
});

it('a record of an imported zone that was lost alone comes back where the service answers 400 first', async () => {
  const zone = await byAdmin('POST', '/domains', { domain: 'example.org', type: 'master', soa_email: 'a@example.org' });
  const id = await byAdmin('POST', `/domains/${zone}/records`, { type: 'A', name: 'www', target: '192.0.2.7' });
  await world.apply('CloudDomain', 'zone', { domain: 'example.org', type: 'master', soaEmail: 'a@example.org', adopt: { id: zone } });
  await world.apply('CloudDomainRecord', 'www', {
    domainRef: { name: 'zone' },
    type: 'A',
    name: 'www',
    target: '192.0.2.7',
    adopt: { id },
  });
  await world.ready('CloudDomainRecord', 'www');
  refuse('/domains/{domainId}/records', 400);
  await byAdmin('DELETE', `/domains/${zone}/records/${id}`);
  await hasLetGo('CloudDomainRecord', 'www');
  await world.ready('CloudDomainRecord', 'www', 60 * minute);
  expect(rows('domain records')).toHaveLength(1);
});
