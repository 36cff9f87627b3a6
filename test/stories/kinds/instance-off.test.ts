import { beforeEach, describe, expect, it } from 'vitest';
import { begin, cloud } from '../../support/plugin/cloud-cli.ts';
import { connectedWorld } from '../../support/world/connected-world.ts';
import type { World } from '../../support/world/world.ts';

/** What Ready says of a machine whose spec says nothing of its power. */
let world: World;
beforeEach(async () => {
  ({ world } = await connectedWorld());
  await world.secret('root', { password: 'Canary-Horse-9-Battery' });
});
const second = 1000;
const minute = 60 * second;
const withImage = {
  region: 'eu-central',
  type: 'g6-nanode-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: { name: 'root', key: 'password' },
};
const running = async (lifecycle?: object): Promise<void> => {
  await world.apply('CloudInstance', 'web', { ...withImage, ...(lifecycle && { lifecycle }) });
  await world.ready('CloudInstance', 'web');
  await world.clock.advance(2 * minute);
};
const machine = (): { status: string } =>
  (world.emulator.control.rows('instances') as unknown as { status: string }[])[0] ?? { status: '' };
const ready = async () => world.condition('CloudInstance', 'web', 'Ready');
const isReady = async (): Promise<boolean> => {
  const { metadata } = await world.get('CloudInstance', 'web');
  const now = await ready();
  return now?.status === 'True' && now.observedGeneration === metadata.generation;
};
/** What was seen each second: the machine's state where it was said to be Ready. */
async function readyWhile(seconds: number): Promise<readonly string[]> {
  const seen: string[] = [];
  for (let at = 0; at < seconds; at += 1) {
    await world.clock.advance(second);
    if (await isReady()) seen.push(machine().status);
  }
  return seen;
}

describe('a machine that nobody asked to be off is not Ready', () => {
  it('while it is resized, and until the service has booted it again', async () => {
    await running({ approve: ['InPlace', 'Reboot'] });
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    const seen = await readyWhile(180);
    expect([...new Set(seen)]).toEqual(['running']);
    expect(seen.length).toBeGreaterThan(30);
  });
  it('while its type is changed: Ready of the spec before is no longer True', async () => {
    await running({ approve: ['InPlace', 'Reboot'] });
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    await world.clock.runUntil(() => Promise.resolve(machine().status === 'resizing'), minute);
    await world.clock.advance(10 * second);
    expect(await ready()).toMatchObject({ status: 'False', message: expect.stringContaining('changing its type') });
  });
  it('while an operation reboots it', async () => {
    await running();
    const notAfter = new Date(world.clock.now() + 600_000).toISOString().replace(/\.\d+Z$/, 'Z');
    await world.apply('CloudOperation', 'again', { action: 'RebootInstance', target: { name: 'web' }, notAfter });
    await world.clock.runUntil(() => Promise.resolve(machine().status === 'rebooting'), minute);
    await world.clock.advance(2 * second);
    expect(await ready()).toMatchObject({
      status: 'False',
      reason: 'Busy',
      message: expect.stringMatching(/CloudOperation again|the instance is rebooting/),
    });
    expect([...new Set(await readyWhile(90))]).toEqual(['running']);
    expect(await isReady()).toBe(true);
  });
  it('as long as the plugin waits for an approved change', async () => {
    await running();
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    await world.reason('CloudInstance', 'web', 'ApprovalRequired');
    const typing = begin(world, 'approve cinst/web --wait --yes');
    const { exit } = await typing.ended(10 * minute);
    expect([exit, machine().status]).toEqual([0, 'running']);
  });
});

describe('a machine that is off, and will stay so', () => {
  const off = 'it is powered off, which spec.power does not ask for';
  it('says so where nothing was there to boot, and the plugin does not call that reached', async () => {
    await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' });
    await world.ready('CloudInstance', 'web');
    expect(await ready()).toMatchObject({ status: 'True', reason: 'PoweredOff', message: expect.stringContaining(off) });
    expect((await ready())?.message).toContain('nothing to boot, as it has no configuration');
    const { exit, out } = await cloud(world, 'wait cinst/web');
    expect(exit).toBe(1);
    expect(out).toContain('PoweredOff');
    expect((await cloud(world, 'why cinst/web')).out).toContain(`CloudInstance team-a/web is as its spec says`);
    const why = (await cloud(world, 'why cinst/web')).out;
    expect(why).toContain(`and off: ${off}`);
    expect(why, 'which would be refused').not.toContain('{"power":"On"}');
    expect((await cloud(world, 'reconcile cinst/web --wait')).exit).toBe(0);
  });
  it('says what it has to boot once an object gives it a configuration, before that is listed, and meanwhile what that waits for', async () => {
    await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' });
    await world.ready('CloudInstance', 'web');
    const instanceRef = { name: 'web' };
    await world.apply('CloudInstanceConfig', 'main', { instanceRef, label: 'main', devices: { sda: { diskRef: { name: 'root' } } } });
    await world.reason('CloudInstanceConfig', 'main', 'ReferenceNotReady');
    const waiting = (await cloud(world, 'why cinst/web')).out;
    expect(waiting).toMatch(
      /: Incomplete: CloudInstanceConfig team-a\/main is to be in it, and is not there yet; until then there is nothing to boot/,
    );
    expect(waiting).toContain('CloudDisk team-a/root: NotFound');
    for (const never of ['Make a CloudDisk', 'edit cloudinstance web']) expect(waiting).not.toContain(never);
    expect((await cloud(world, 'why cinst/web --steps')).out).not.toContain('cinst/web: goes on by itself');
    expect((await cloud(world, 'status')).out).not.toContain('CloudInstance team-a/web: PoweredOff');
    const reads = (): number => world.emulator.control.requests().filter(({ path }) => path.endsWith('/configs')).length;
    await world.apply('CloudDisk', 'root', { instanceRef, label: 'root', sizeMB: 2000, filesystem: 'ext4' });
    await world.ready('CloudInstanceConfig', 'main');
    const before = reads();
    await world.clock.advance(10 * second);
    expect(reads() - before, 'it is known without a call').toBe(0);
    expect((await ready())?.message).toBe(`${off}. Set power to On to have it booted, or set power to Off where it is meant to be off`);
    expect((await cloud(world, 'why cinst/web')).out).toContain('{"power":"On"}');
  });
  it('is one thing over status, why, wait and tree: it needs a person, who is told what to type', async () => {
    await running();
    machine().status = 'offline';
    await world.clock.runUntil(async () => (await ready())?.reason === 'PoweredOff', 3_600_000);
    const status = await cloud(world, 'status');
    expect(status.exit).toBe(1);
    expect(status.out).toContain('1 PoweredOff');
    expect(status.out).toMatch(/^CloudInstance team-a\/web: PoweredOff\n {2}kubectl cloud why -n team-a cinst\/web$/m);
    const why = await cloud(world, 'why cinst/web');
    expect(why.exit).toBe(1);
    expect(why.out).toContain(`kubectl -n team-a patch cloudinstance web --type=merge -p '{"spec":{"power":"On"}}'`);
    expect(why.out).toContain(`kubectl -n team-a patch cloudinstance web --type=merge -p '{"spec":{"power":"Off"}}'`);
    expect((await cloud(world, 'wait cinst/web')).exit).toBe(1);
    expect((await cloud(world, 'tree cinst/web')).out).toContain('PoweredOff ●');
    await world.patch('CloudInstance', 'web', { spec: { power: 'Off' } });
    await world.clock.runUntil(async () => (await ready())?.reason === 'Available', 3_600_000);
    expect((await cloud(world, 'status')).exit).toBe(0);
    expect((await cloud(world, 'why cinst/web')).exit).toBe(0);
  });
  it('may be off after a change that was approved, where it was so before', async () => {
    await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' });
    await world.ready('CloudInstance', 'web');
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    await world.reason('CloudInstance', 'web', 'ApprovalRequired');
    const { exit } = await begin(world, 'approve cinst/web --wait --yes').ended(10 * minute);
    expect([exit, machine().status]).toEqual([0, 'offline']);
  });
  it('is as wanted where its spec says Off', async () => {
    await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1', power: 'Off' });
    await world.ready('CloudInstance', 'web');
    expect(await ready()).toMatchObject({ status: 'True', reason: 'Available', message: '' });
    expect((await cloud(world, 'wait cinst/web')).exit).toBe(0);
  });
  it('says so where the service did not boot it again after its type was changed', async () => {
    world.emulator.control.setKnobs({ resizeBootsAgain: false });
    await running({ approve: ['InPlace', 'Reboot'] });
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    await world.clock.runUntil(() => Promise.resolve(machine().status === 'resizing'), minute);
    await world.clock.advance(5 * minute);
    expect(await ready()).toMatchObject({ status: 'True', reason: 'PoweredOff', message: expect.stringContaining(off) });
  });
});
