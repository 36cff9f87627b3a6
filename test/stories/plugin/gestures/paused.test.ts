import { beforeEach, describe, expect, it } from 'vitest';
import { cloud, type CliOptions, dataOf, endpoint } from '../../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import type { DiffData } from '../../../../src/plugin/output/shapes.ts';
import type { PlanData } from '../../../../src/plugin/output/plan-shape.ts';
import { type RunningOperator, World } from '../../../support/world/world.ts';

const minute = 60_000;
const volume = { region: 'us-east', sizeGiB: 20 };
const end = '2026-01-01T02:00:00Z';
const held = `until=${end};reason=audit`;
let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  operator = await world.start();
  await world.apply('CloudVolume', 'data', volume);
  await world.ready('CloudVolume', 'data');
});
const typed = (line: string, options: CliOptions = {}) =>
  cloud(world, [...line.split(' '), '--endpoint', endpoint], { limit: 10 * minute, ...options });
const planned = async (line: string, options: CliOptions = {}) => {
  const ran = await typed(`plan ${line} -o json`, options);
  return { exit: ran.exit, ...(dataOf(ran) as unknown as PlanData) };
};
const differs = async (line: string) => {
  const ran = await typed(`diff ${line} -o json`);
  return { exit: ran.exit, ...(dataOf(ran) as unknown as DiffData) };
};
const pause = async (kind: string, name: string, value = held): Promise<void> => {
  await world.patch(kind, name, { metadata: { annotations: { 'cloudhosting.dev/pause': value } } });
  await world.clock.advance(minute);
};
const grow = async (): Promise<void> => {
  await world.patch('CloudVolume', 'data', { spec: { sizeGiB: 40 } });
  await world.clock.advance(5 * minute);
};
const told = `paused until ${end}: "audit"`;

describe('a plan of an object that is paused', () => {
  it('tells until when, and what would be done then, and that nothing is sent before', async () => {
    await pause('CloudVolume', 'data');
    await grow();
    const plan = await planned('cvol/data');
    expect(plan).toMatchObject({
      exit: 1,
      objects: [{ action: 'change', paused: `until ${end}: "audit"`, changes: [{ field: 'sizeGiB', from: 20, to: 40 }] }],
    });
    expect(plan.objects[0]?.calls).toMatchObject([{ method: 'POST', path: '/volumes/1000/resize' }]);
    expect((await typed('plan cvol/data')).out).toContain(
      `\n  ${told}: nothing is sent until then, and what is told here is what happens then\n`,
    );
  });
  it('is 0 where nothing differs, and says that it is paused all the same', async () => {
    await pause('CloudVolume', 'data', 'true');
    const { exit, out } = await typed('plan cvol/data');
    expect([exit, out]).toEqual([
      0,
      expect.stringMatching(/^CloudVolume team-a\/data +none\n {2}paused until it is resumed: nothing is sent/),
    ]);
  });
  it('tells of what a manifest makes of it against the cluster, too', async () => {
    await pause('CloudVolume', 'data');
    const document = {
      apiVersion: 'cloudhosting.dev/v1alpha1',
      kind: 'CloudVolume',
      metadata: { name: 'data' },
      spec: { ...volume, sizeGiB: 40 },
    };
    const files = { 'data.yaml': JSON.stringify(document) };
    expect(await planned('-f data.yaml --against cluster', { files })).toMatchObject({
      exit: 1,
      objects: [{ action: 'change', paused: `until ${end}: "audit"`, changes: [{ field: 'sizeGiB', from: 20, to: 40 }] }],
    });
  });
  it('says no such thing once the pause is over', async () => {
    await pause('CloudVolume', 'data');
    await world.clock.advance(3 * 60 * minute);
    expect((await planned('cvol/data')).objects[0]?.paused).toBeUndefined();
  });
  it('whose account is paused says until when that is, and never that nothing differs', async () => {
    await pause('CloudAccount', 'default');
    await grow();
    const ran = await typed('plan cvol/data');
    expect([ran.exit, ran.out]).toEqual([
      1,
      expect.stringContaining(`CloudAccount team-a/default is ${told}: nothing is sent until`) as string,
    ]);
    const offline = await typed('plan cvol/data --against cluster');
    expect([offline.exit, offline.out]).toEqual([1, expect.stringContaining('spec.sizeGiB: the account has 20, wanted 40') as string]);
  });
});

describe('a diff of an object that is paused', () => {
  it('says that it is, and 0, where nothing differed when it was looked at last', async () => {
    await pause('CloudVolume', 'data');
    const { exit, out } = await typed('diff cvol/data');
    expect([exit, out]).toEqual([
      0,
      `Nothing differs (1 object compared).\nCloudVolume team-a/data is ${told}: nobody looks at it until then. As it is in the account now: --against account\n`,
    ]);
    expect((await differs('cvol/data')).held).toEqual([{ object: 'CloudVolume team-a/data', because: `is ${told}`, until: 'then' }]);
  });
  it('does not know, once it was edited', async () => {
    await pause('CloudVolume', 'data');
    await grow();
    const { exit, out } = await typed('diff cvol/data');
    expect(exit).toBe(1);
    expect(out).toMatch(
      /^CloudVolume team-a\/data {2}not known: nobody has compared it as it is now, and nobody does while it is paused\n/,
    );
    expect(out).toContain(`CloudVolume team-a/data is ${told}`);
    expect(await differs('cvol/data')).toMatchObject({ unknown: [{ object: 'CloudVolume team-a/data', reason: 'Paused' }] });
  });
  it('against the account tells what differs, and what becomes of it when the pause is over', async () => {
    await pause('CloudVolume', 'data');
    await new CloudUser(world).put('/volumes/1000', { tags: ['theirs'] });
    await world.patch('CloudVolume', 'data', { spec: { tags: ['ours'] } });
    const { exit, out } = await typed('diff cvol/data --against account');
    expect(exit).toBe(1);
    expect(out).toContain('CloudVolume team-a/data  spec.tags: wanted ["ours"], the account has ["theirs"]');
    expect(out).toContain(`\nCloudVolume team-a/data is ${told}: nothing is sent until then\n`);
  });
  it.each([
    ['paused', () => pause('CloudAccount', 'default'), `is ${told}`],
    ['ReadOnly', () => world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } }), 'has mode: ReadOnly'],
  ] as const)('tells what an edit waits for where its account is %s', async (_, hold, how) => {
    await hold();
    await world.clock.advance(minute);
    expect(await typed('diff cvol/data')).toMatchObject({
      exit: 0,
      out: expect.stringContaining(`\nCloudAccount team-a/default ${how}: nothing is changed in it`) as string,
    });
    await grow();
    const { exit, out } = await typed('diff cvol/data');
    expect(exit).toBe(1);
    expect(out).toContain('CloudVolume team-a/data  not sent: spec.sizeGiB: the account has 20, wanted 40\n');
    expect(out).toContain(`\nCloudAccount team-a/default ${how}: nothing is changed in it`);
  });
});

// Nobody has to take the annotation away, and nobody writes it out of the status while no operator runs.
const overByItself = async (): Promise<void> => {
  await pause('CloudVolume', 'data');
  await pause('CloudAccount', 'default');
  await world.clock.advance(3 * 60 * minute);
};

describe('a pause that ended by itself', () => {
  it('is told by nobody, though its annotation is still there', async () => {
    await overByItself();
    expect(await cloud(world, 'status')).toMatchObject({ exit: 0, out: expect.not.stringContaining('paused') as string });
    expect((await cloud(world, 'why cvol/data')).out).toContain(', may write, not paused, ');
    expect(await cloud(world, 'pause --list')).toMatchObject({ exit: 0, out: expect.stringMatching(/^Nothing is paused/) as string });
    for (const one of ['cvol/data', 'cacc/default'])
      expect(await cloud(world, `resume ${one}`)).toMatchObject({ exit: 0, out: expect.stringMatching(/ is not paused\n$/) as string });
    expect((await cloud(world, 'doctor')).out).not.toContain('has been paused since');
  });
  it('is told by nobody, though the status of an operator that is away has it', async () => {
    await pause('CloudVolume', 'data');
    await pause('CloudAccount', 'default');
    operator.kill();
    await world.clock.advance(30 * 60 * minute);
    const { exit, out } = await cloud(world, 'status');
    expect([exit, out]).toEqual([1, expect.stringContaining('no operator works for it')]);
    expect(out).not.toContain('paused');
    expect(await cloud(world, 'pause --list')).toMatchObject({ out: expect.stringMatching(/^Nothing is paused/) as string });
    expect((await cloud(world, 'doctor')).out).not.toContain('has been paused since');
  });
});

const volumes = (): number => world.emulator.control.rows('volumes').length;
describe('resume of an account', () => {
  beforeEach(async () => {
    await world.patch('CloudVolume', 'data', { spec: { lifecycle: { onDelete: 'Delete' } } });
    await pause('CloudAccount', 'default');
    await world.delete('CloudVolume', 'data');
    await world.clock.advance(minute);
  });
  it('names what is being deleted in it, and a yes alone is not enough', async () => {
    const asked = await cloud(world, 'resume cacc/default --yes');
    expect([asked.exit, volumes()]).toEqual([3, 1]);
    expect(asked.err).toMatch(/1 of its objects is being deleted, which would go on too:\n +CloudVolume team-a\/data: .*\/volumes\/1000/);
    await world.clock.advance(5 * minute);
    expect(volumes()).toBe(1);
    expect((await cloud(world, 'resume cacc/default --confirm default')).exit).toBe(0);
    await world.gone('CloudVolume', 'data');
    expect(volumes()).toBe(0);
  });
  it('is told by status and why before the pause ends, with how what it has stays', async () => {
    const { out } = await cloud(world, 'status');
    expect(out).toContain(
      '\nteam-a/default: 1 object in it is being deleted, and waits for the end of the pause; what it has in the account goes then, too: CloudVolume team-a/data. To keep that: kubectl cloud why -n team-a cvol/data\n',
    );
    const why = (await cloud(world, 'why cvol/data')).out;
    expect(why).toContain(
      '\n  kubectl -n team-a patch cloudvolume data --type=merge -p \'{"spec":{"lifecycle":{"onDelete":"Retain"}}}\'\n  kubectl cloud resume -n team-a cacc/default',
    );
    expect(why).toContain('What it has in the account goes, too, when that may be changed: the first line keeps it there');
    await world.patch('CloudVolume', 'data', { spec: { lifecycle: { onDelete: 'Retain' } } });
    await world.clock.advance(minute);
    expect((await cloud(world, 'status')).out).not.toContain('being deleted');
    expect((await cloud(world, 'why cvol/data')).out).not.toContain('"Retain"');
    await cloud(world, 'resume cacc/default --yes');
    await world.gone('CloudVolume', 'data');
    expect(volumes()).toBe(1);
  });
  it('is not refused to who may not list what is in it, and a yes alone is not enough', async () => {
    world.server.addUser('owner', { name: 'owner' });
    const resources = ['cloudaccounts'];
    world.server.setGrants([{ to: 'owner', rules: [{ apiGroups: ['cloudhosting.dev'], resources, verbs: ['get', 'list', 'patch'] }] }]);
    const asked = await cloud(world, 'resume cacc/default --yes', { token: 'owner' });
    expect([asked.exit, asked.err]).toEqual([3, expect.stringContaining('what is being deleted in team-a goes on too, and is not named')]);
    expect((await cloud(world, 'resume cacc/default --confirm default', { token: 'owner' })).exit).toBe(0);
  });
  it.each([
    ['when it was paused', false],
    ['and its operator says by now that it is paused', true],
    ['and an operator that saw no loss says so', 'anew'],
  ])('says of what is gone already that it is, %s', async (_, isLookedAt) => {
    await cloud(world, 'resume cacc/default --confirm default');
    await world.gone('CloudVolume', 'data');
    await world.apply('CloudVolume', 'lost', { region: 'eu-central', lifecycle: { onDelete: 'Delete' } });
    const path = String((await world.ready('CloudVolume', 'lost')).status?.['path']);
    await new CloudUser(world).delete(path);
    await world.reason('CloudVolume', 'lost', 'RemoteMissing', 60 * minute);
    await pause('CloudAccount', 'default', '');
    if (isLookedAt !== true) operator.kill();
    await world.delete('CloudVolume', 'lost');
    if (isLookedAt === 'anew') await world.start();
    await world.clock.advance(5 * minute);
    const { err } = await cloud(world, 'resume cacc/default', { answers: ['no'] });
    expect(err).toContain(`CloudVolume team-a/lost: its cloud resource is gone already (${path})`);
    expect(err).not.toContain('will be deleted');
  });
  it('of the object alone says it, too', async () => {
    await cloud(world, 'resume cacc/default --confirm default');
    await world.apply('CloudVolume', 'lost', { region: 'eu-central', lifecycle: { onDelete: 'Delete' } });
    const path = String((await world.ready('CloudVolume', 'lost')).status?.['path']);
    await new CloudUser(world).delete(path);
    await world.reason('CloudVolume', 'lost', 'RemoteMissing', 60 * minute);
    await pause('CloudVolume', 'lost', 'true');
    await world.delete('CloudVolume', 'lost');
    await world.clock.advance(minute);
    const { err } = await cloud(world, 'resume cvol/lost', { answers: ['no'] });
    expect(err).toContain(`its cloud resource is gone already (${path})`);
    expect(err).not.toContain('will be deleted');
  });
  it('asks for no name where what is being deleted stays in the account, or is paused itself', async () => {
    await world.patch('CloudVolume', 'data', { spec: { lifecycle: { onDelete: 'Retain' } } });
    await world.clock.advance(minute);
    expect((await cloud(world, 'resume cacc/default --yes')).exit).toBe(0);
    await world.clock.advance(5 * minute);
    expect(volumes()).toBe(1);
  });
});

const asked = async (value: string): Promise<void> => {
  await new CloudUser(world).delete(String((await world.get('CloudVolume', 'data')).status?.['path']));
  await world.reason('CloudVolume', 'data', 'RemoteMissing', 60 * minute);
  await pause('CloudAccount', 'default', value);
  expect((await cloud(world, 'recreate cvol/data --confirm data')).exit).toBe(0);
  await world.clock.advance(minute);
};
describe('what is asked to be made anew while its account is paused', () => {
  it('waits for the end of that, which why tells with the line that ends it, and needs no doctor', async () => {
    await asked('');
    const { out } = await cloud(world, 'why cvol/data');
    expect(out).toContain(': RemoteMissing: it is asked to be made anew, which is taken up once changes may be made in its account\n');
    expect(out).toContain('\n  CloudAccount team-a/default: Paused: nothing is changed in it, paused until it is resumed\n');
    expect(out).toContain('\n  kubectl cloud resume -n team-a cacc/default\n');
    for (const never of ['NotLookedAt', 'doctor']) expect(out).not.toContain(never);
    expect((await cloud(world, 'status')).out).toContain(
      '\nCloudAccount team-a/default: Paused\n  holds up 1 object: CloudVolume team-a/data\n',
    );
    expect(await cloud(world, 'resume cacc/default --yes')).toMatchObject({ exit: 0 });
    await world.ready('CloudVolume', 'data');
  });
  it('needs nobody where the pause ends by itself', async () => {
    await asked(`until=${end}`);
    expect((await cloud(world, 'why cvol/data')).out).toContain(
      `CloudAccount team-a/default: Paused: nothing is changed in it, paused until ${end}`,
    );
    expect((await cloud(world, 'status')).out).not.toContain('CloudVolume team-a/data');
  });
});
