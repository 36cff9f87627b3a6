import { beforeEach, describe, expect, it } from 'vitest';
import { begin, cloud } from '../../../support/plugin/cloud-cli.ts';
import { World } from '../../../support/world/world.ts';

const minute = 60_000;
const machine = { region: 'us-east', type: 'g6-nanode-1' };
const volume = { region: 'us-east', sizeGiB: 20, instanceRef: { name: 'web' } };
let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
});

/** `kubectl cloud wait`, and how long it took. */
async function waited(line: string) {
  const before = world.clock.now();
  const ran = await cloud(world, `wait ${line}`, { limit: 60 * minute });
  return { ...ran, took: world.clock.now() - before };
}

describe.each([{}, { power: 'On' }])('a volume of a machine that has nothing to boot, with %j', (power) => {
  beforeEach(async () => {
    await world.apply('CloudInstance', 'web', { ...machine, ...power });
    await world.clock.advance(minute);
    await world.apply('CloudVolume', 'data', volume);
    await world.clock.advance(minute);
  });
  it('is not waited for, as the machine needs a person', async () => {
    const { exit, out, took } = await waited('cvol/data');
    expect(exit).toBe(1);
    expect(out).toMatch(
      /^CloudVolume team-a\/data waits for CloudInstance team-a\/web, which needs a person: (?:PoweredOff|Rejected): .*nothing to boot/,
    );
    expect(out).toContain('\n  kubectl cloud why -n team-a cvol/data\n');
    expect(took).toBeLessThan(minute);
  });
  it('has the machine as its root', async () => {
    const { exit, out } = await cloud(world, 'why cvol/data');
    expect(exit).toBe(1);
    expect(out).toMatch(/\n {2}CloudInstance team-a\/web.*: (?:PoweredOff|Rejected): .*nothing to boot/);
    expect(out).toContain('\n  kubectl -n team-a edit cloudinstance web\n');
    expect(out).not.toContain('edit cloudvolume');
  });
  it('is not what status lists, but the machine', async () => {
    const { exit, out } = await cloud(world, 'status');
    expect(exit).toBe(1);
    expect(out).toContain('kubectl cloud why -n team-a cinst/web\n');
    expect(out).not.toContain('cvol/data');
    expect(out).toMatch(/ +1\n\nCloudInstance team-a\/web/);
  });
});

describe('a volume of a machine that is off as its spec says, and has nothing to boot', () => {
  beforeEach(async () => {
    await world.apply('CloudInstance', 'web', { ...machine, power: 'Off' });
    await world.ready('CloudInstance', 'web');
    await world.apply('CloudVolume', 'data', volume);
    await world.clock.advance(10 * minute);
  });
  it('needs a person itself, in every verb', async () => {
    const { exit, out, took } = await waited('cvol/data');
    expect([exit, out]).toEqual([
      1,
      expect.stringContaining('CloudVolume team-a/data needs a person: Rejected: the API refused POST /volumes'),
    ]);
    expect(took).toBeLessThan(minute);
    const status = await cloud(world, 'status');
    expect([status.exit, status.out]).toEqual([1, expect.stringContaining('kubectl cloud why -n team-a cvol/data\n')]);
  });
  it('is led to the machine by why', async () => {
    const { out } = await cloud(world, 'why cvol/data');
    expect(out).toContain('\nWhat to do: Give CloudInstance team-a/web what the message asks for, or correct the field that it names.');
    expect(out).toContain(
      '\n  kubectl -n team-a edit cloudinstance web\n  kubectl -n team-a edit cloudvolume data\n  kubectl cloud reconcile -n team-a cvol/data\n',
    );
  });
  it('is waited for while a configuration of the machine comes', async () => {
    await world.secret('root', { password: 'Correct-Horse-7' });
    await world.apply('CloudDisk', 'root', {
      instanceRef: { name: 'web' },
      sizeMB: 8192,
      image: 'vm/debian11',
      rootPasswordSecretRef: { name: 'root', key: 'password' },
    });
    await world.apply('CloudInstanceConfig', 'main', { instanceRef: { name: 'web' }, devices: { sda: { diskRef: { name: 'root' } } } });
    expect(await waited('cvol/data')).toMatchObject({ exit: 0 });
  });
});

describe('what waits for something else', () => {
  it('that is not there is given two minutes, in which it may be applied', async () => {
    await world.apply('CloudVolume', 'data', volume);
    const late = begin(world, 'wait cvol/data');
    await world.clock.advance(1.5 * minute);
    expect(late.isOver()).toBe(false);
    const { exit, out } = await late.ended(minute);
    expect([exit, out]).toEqual([
      1,
      expect.stringContaining(
        'CloudVolume team-a/data waits for CloudInstance team-a/web, which needs a person: NotFound: it is not there',
      ),
    ]);

    const soon = begin(world, 'wait cvol/data');
    await world.clock.advance(1.5 * minute);
    await world.secret('root', { password: 'Correct-Horse-7' });
    await world.apply('CloudInstance', 'web', {
      ...machine,
      image: 'vm/debian11',
      rootPasswordSecretRef: { name: 'root', key: 'password' },
    });
    expect((await soon.ended(10 * minute)).exit).toBe(0);
  });
  it('is waited for where that is under way', async () => {
    await world.secret('root', { password: 'Correct-Horse-7' });
    await world.apply('CloudInstance', 'web', {
      ...machine,
      image: 'vm/debian11',
      rootPasswordSecretRef: { name: 'root', key: 'password' },
    });
    await world.apply('CloudVolume', 'data', volume);
    expect((await waited('cvol/data')).exit).toBe(0);
  });
});

describe('what is of an account', () => {
  it('whose token is refused is not waited for', async () => {
    world.emulator.control.revokeToken('token-admin');
    await world.clock.advance(10 * minute);
    await world.apply('CloudVolume', 'data', { region: 'us-east', sizeGiB: 20 });
    const { exit, out, took } = await waited('cvol/data');
    expect([exit, out]).toEqual([
      1,
      expect.stringMatching(/waits for CloudAccount team-a\/default, which needs a person: (Unauthorized|AccountNotReady)/),
    ]);
    expect(took).toBeLessThan(minute);
  });
  it('that may not write is not waited for, nor what is paused without an end', async () => {
    await world.apply('CloudVolume', 'data', { region: 'us-east', sizeGiB: 20 });
    await world.ready('CloudVolume', 'data');
    await cloud(world, 'pause cvol/data');
    await world.patch('CloudVolume', 'data', { spec: { sizeGiB: 40 } });
    await world.reason('CloudVolume', 'data', 'Paused');
    expect(await waited('cvol/data')).toMatchObject({ exit: 1, out: expect.stringContaining('needs a person: Paused') });
    await cloud(world, 'pause cvol/data --for 10m');
    await world.clock.advance(minute);
    expect(await waited('cvol/data')).toMatchObject({ exit: 0 });
    await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
    await world.patch('CloudVolume', 'data', { spec: { sizeGiB: 60 } });
    await world.reason('CloudVolume', 'data', 'ReadOnly');
    expect(await waited('cvol/data')).toMatchObject({
      exit: 1,
      out: expect.stringContaining('waits for CloudAccount team-a/default, which needs a person: ReadOnly'),
    });
  });
});

it('an account that was connected, and whose token is refused since, is not Ready to status and wait', async () => {
  world.emulator.control.revokeToken('token-admin');
  await world.reason('CloudAccount', 'default', 'Unauthorized', 60 * minute);
  const { exit, out } = await cloud(world, 'status');
  expect(exit).toBe(1);
  expect(out).toMatch(/^team-a\/default +Unauthorized +admin .* 1$/m);
  expect(out).toContain('\nteam-a/default: Unauthorized: ');
  expect(await waited('cacc/default')).toMatchObject({ exit: 1, out: expect.stringContaining('needs a person: Unauthorized: ') });
});

describe('at its end wait tells of many objects', () => {
  const names = ['a', 'b', 'c', 'd'];
  const apply = (more: readonly string[] = []) =>
    Promise.all([
      ...names.map((name) => world.apply('CloudVolume', name, { region: 'us-east', sizeGiB: 20 })),
      ...more.map((name) => world.apply('CloudVolume', name, { region: 'us-east', sizeGiB: 20, instanceRef: { name: 'none' } })),
    ]);
  it('how many came and how long it took, and not each once more', async () => {
    await apply();
    expect(await waited('cvol')).toMatchObject({ exit: 0, out: expect.stringMatching(/^4 objects are Ready after \d+ s\.\n$/) });
    expect(await waited('cvol')).toMatchObject({ exit: 0, out: '4 objects are Ready.\n' });
    expect(await waited('cvol/a')).toMatchObject({ exit: 0, out: 'CloudVolume team-a/a  Available\n' });
  });
  it('which did not come when time ran out', async () => {
    await apply(['late']);
    const { exit, out } = await waited('cvol --timeout 30s');
    expect([exit, out]).toEqual([
      6,
      '1 of 5 objects are not Ready after 30 s:\nCloudVolume team-a/late  ReferenceNotReady\nTime ran out. What is waited for: kubectl cloud why -n team-a cvol/late\n',
    ]);
  });
  it('who needs a person, and how many came before that', async () => {
    await apply(['late']);
    const { exit, out } = await waited('cvol --timeout 30m');
    expect([exit, out]).toEqual([
      1,
      expect.stringMatching(
        /^CloudVolume team-a\/late waits for .*, which needs a person: .*\n {2}kubectl cloud why -n team-a cvol\/late\n4 of 5 objects are Ready after 2 min; nothing more was waited for\.\n$/,
      ),
    ]);
  });
  it('of which of those that rest there is more to say', async () => {
    await apply();
    await world.apply('CloudVolume', 'odd', { region: 'us-east', sizeGiB: 20, volumeRef: { name: 'odd' } });
    expect((await waited('cvol --for=Quiet')).out).toMatch(
      /^5 objects are at rest after \d+ s:\nCloudVolume team-a\/odd {2}InvalidSpec\n$/,
    );
  });
});

const pathOf = async (name: string) => String((await world.get('CloudVolume', name)).status?.['path']);
describe('what asks to adopt by a match that fits several', () => {
  const wish = { region: 'eu-central', sizeGiB: 20 };
  beforeEach(async () => {
    for (const name of ['a', 'b']) await world.apply('CloudVolume', name, { ...wish, lifecycle: { onDelete: 'Delete' } });
    for (const name of ['a', 'b']) await world.ready('CloudVolume', name);
    await world.apply('CloudVolume', 'new', { ...wish, adopt: { match: { size: '20' } } });
    await world.clock.advance(minute);
  });
  it('is told whose they are, and the line that says which one is meant, first', async () => {
    const { exit, out } = await cloud(world, 'why cvol/new');
    expect(exit).toBe(1);
    expect(out).toContain(
      `What to do: Nothing is taken over while it fits several. ${await pathOf('a')} is CloudVolume team-a/a; ${await pathOf('b')} is CloudVolume team-a/b. Say which one is meant by the first line, with spec.adopt: {id: ...} (in the manifest, too). If none is, delete this object by the second line: nothing was made for it, and nothing in the account is touched.\n`,
    );
    expect(out).toContain('\n  kubectl -n team-a edit cloudvolume new\n  kubectl -n team-a delete cloudvolume new\n');
    expect(out).not.toContain('surplus');
  });
  it('and what it holds up name each other, and the line that ends it does', async () => {
    const path = await pathOf('a');
    await world.delete('CloudVolume', 'a');
    await world.clock.advance(minute);
    const [held, asking] = [await cloud(world, 'why cvol/a'), await cloud(world, 'why cvol/new')];
    expect(held.out).toContain(
      `ReferenceNotReady: CloudVolume new asks for ${path} with spec.adopt, and cannot take it yet: that one is Ambiguous`,
    );
    for (const { out } of [held, asking]) {
      expect(out).toContain(`${path} is CloudVolume team-a/a, whose deletion waits until this is decided; `);
      expect(out).toContain(
        'What is named and being deleted is handed over to this object; the deletion of what is not named goes on at once, for good. If none is, delete this object by the second line: nothing was made for it, but those deletions go on then, at once and for good.\n',
      );
      expect(out).toContain('\n  kubectl -n team-a edit cloudvolume new\n  kubectl -n team-a delete cloudvolume new\n');
    }
    expect(world.emulator.control.rows('volumes')).toHaveLength(2);
    await world.patch('CloudVolume', 'new', { spec: { adopt: { match: null, id: Number(path.split('/').at(-1)) } } });
    await world.gone('CloudVolume', 'a', 10 * minute);
    expect(await world.ready('CloudVolume', 'new', 10 * minute)).toMatchObject({ status: { path } });
    expect(world.emulator.control.rows('volumes')).toHaveLength(2);
  });
});
