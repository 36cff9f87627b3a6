import { beforeEach, describe, expect, it } from 'vitest';
import { begin, cloud, dataOf } from '../../../support/plugin/cloud-cli.ts';
import { connectedWorld } from '../../../support/world/connected-world.ts';
import type { World } from '../../../support/world/world.ts';

const minute = 60_000;
const machine = { region: 'us-east', type: 'g6-nanode-1', power: 'On' };
const instanceRef = { name: 'web' };
const disk = { instanceRef, label: 'root', sizeMB: 2000, filesystem: 'ext4' };
const config = { instanceRef, label: 'main', devices: { sda: { diskRef: { name: 'root' } } } };
let world: World;
const why = async (line: string): Promise<string> => (await cloud(world, `why ${line}`)).out;
const byAdmin = async (method: string, path: string, body?: object): Promise<void> => {
  const answer = await world.emulator.control.actAs({ username: 'admin', method, path: `/v4${path}`, ...(body && { body }) });
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${String(answer.body)}`);
};
const pathOf = async (kind: string, name: string): Promise<string> => String((await world.get(kind, name)).status?.['path']);

beforeEach(async () => {
  ({ world } = await connectedWorld());
});

describe('a machine that was made anew, and whose disk waits for a yes', () => {
  beforeEach(async () => {
    await world.apply('CloudInstance', 'web', machine);
    await world.apply('CloudDisk', 'root', disk);
    await world.apply('CloudInstanceConfig', 'main', config);
    await world.ready('CloudInstance', 'web');
    await byAdmin('DELETE', await pathOf('CloudInstance', 'web'));
    await world.reason('CloudInstance', 'web', 'RemoteMissing');
    await cloud(world, 'recreate cinst/web --confirm web');
    await world.reason('CloudInstance', 'web', 'Rejected');
    await world.reason('CloudDisk', 'root', 'RemoteMissing');
  });

  it('is told to wait for that, and not to correct a field', async () => {
    const out = await why('cinst/web');
    expect(out).toMatch(
      /^CloudInstance team-a\/web is not Ready since .*: Incomplete: CloudInstanceConfig team-a\/main, CloudDisk team-a\/root are to be in it, and are not there yet; until then it is Rejected, and asked for again as they come\n/,
    );
    expect(out).toMatch(/\n {2}CloudInstanceConfig team-a\/main.*: ReferenceNotReady: .*\n {4}CloudDisk team-a\/root.*: RemoteMissing: /);
    expect(out).toContain('Have it made anew, empty, with the second, which asks');
    expect(out).toContain('\n  kubectl cloud recreate -n team-a cdisk/root\n');
    for (const never of ['Correct the field', 'edit cloudinstance', 'In it, and without']) expect(out).not.toContain(never);
  });

  it('says so in data, too, and in steps', async () => {
    const { objects } = dataOf(await cloud(world, 'why cinst/web -o json')) as { objects: readonly Record<string, unknown>[] };
    expect(objects).toMatchObject([{ well: false, root: 'CloudDisk team-a/root', chain: [{ reason: 'Incomplete' }, {}, {}] }]);
    const steps = await why('cinst/web --steps');
    expect(steps.indexOf('you: CloudDisk team-a/root')).toBeGreaterThan(0);
    expect(steps).toContain('operator: CloudInstance team-a/web: goes on by itself after that.');
  });

  it('has its disk as the cause for what is attached to it, and in status', async () => {
    await world.apply('CloudVolume', 'data', { region: 'us-east', sizeGiB: 20, instanceRef });
    await world.clock.advance(minute);
    expect(await why('cvol/data')).toContain('\n  kubectl cloud recreate -n team-a cdisk/root\n');
    const { out } = await cloud(world, 'status');
    expect(out).toContain('kubectl cloud why -n team-a cdisk/root\n');
    expect(out).not.toContain('why -n team-a cinst/web');
  });

  it('is not waited for while the disk needs that yes, and then it is', async () => {
    expect(await cloud(world, 'wait cinst/web', { limit: 30 * minute })).toMatchObject({
      exit: 1,
      out: expect.stringContaining('waits for CloudDisk team-a/root, which needs a person: RemoteMissing: '),
    });
    await cloud(world, 'recreate cdisk/root --confirm root');
    await world.clock.advance(1000);
    expect((await cloud(world, 'wait cinst/web', { limit: 30 * minute })).exit).toBe(0);
  });
});

describe('a machine that has nothing to boot', () => {
  it('is waited for where its disk and configuration come by themselves', async () => {
    await world.apply('CloudInstance', 'web', machine);
    await world.reason('CloudInstance', 'web', 'Rejected');
    await world.apply('CloudDisk', 'root', disk);
    await world.apply('CloudInstanceConfig', 'main', config);
    const line = begin(world, 'wait cinst/web');
    const asked = await why('cinst/web');
    expect(asked).toContain(': Incomplete: ');
    expect((await line.ended(30 * minute)).exit).toBe(0);
  });

  it('and that no object gives it anything to boot, is told what it is told', async () => {
    await world.apply('CloudInstance', 'web', machine);
    await world.reason('CloudInstance', 'web', 'Rejected');
    const out = await why('cinst/web');
    expect(out).toContain(': Rejected: the API refused POST');
    expect(out).toContain('\nWhat to do: Correct the field');
    expect(await cloud(world, 'wait cinst/web')).toMatchObject({ exit: 1, out: expect.stringContaining('needs a person: Rejected') });
  });

  it('of which one is there already, is told what it is told', async () => {
    await world.apply('CloudInstance', 'web', machine);
    await world.reason('CloudInstance', 'web', 'Rejected');
    for (const label of ['one', 'two']) await byAdmin('POST', `${await pathOf('CloudInstance', 'web')}/configs`, { label, devices: {} });
    const { id } = (world.emulator.control.rows('configs') as unknown as { id: number }[])[0] ?? { id: 0 };
    await world.apply('CloudInstanceConfig', 'one', { instanceRef, label: 'one', devices: {}, adopt: { id } });
    await world.ready('CloudInstanceConfig', 'one');
    await world.apply('CloudInstanceConfig', 'late', { ...config, label: 'late' });
    await world.clock.advance(10 * minute);
    expect(await why('cinst/web')).toContain(': Rejected: the API refused POST');
  });
});
