import { beforeEach, describe, expect, it } from 'vitest';
import type { DiffData } from '../../../../src/plugin/output/shapes.ts';
import type { PlanData } from '../../../../src/plugin/output/plan-shape.ts';
import { cloud, type CliOptions, dataOf, endpoint, type Ran } from '../../../support/plugin/cloud-cli.ts';
import { connectedWorld } from '../../../support/world/connected-world.ts';
import type { RunningOperator, World } from '../../../support/world/world.ts';

const minute = 60_000;
let world: World;
let operator: RunningOperator;
beforeEach(async () => ({ world, operator } = await connectedWorld()));

const document = (kind: string, name: string, spec: object) =>
  JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind, metadata: { name }, spec });
const typed = (line: string, options: CliOptions = {}): Promise<Ran> =>
  cloud(world, `${line} --endpoint ${endpoint}`, { limit: 10 * minute, ...options });
const planned = async (line: string, options: CliOptions = {}): Promise<PlanData & Pick<Ran, 'exit'>> => {
  const ran = await typed(`plan ${line} -o json`, options);
  return { ...(dataOf(ran) as unknown as PlanData), exit: ran.exit };
};
const compared = async (line: string): Promise<DiffData & Pick<Ran, 'exit'>> => {
  const ran = await typed(`diff ${line} --against account -o json`);
  return { ...(dataOf(ran) as unknown as DiffData), exit: ran.exit };
};
const made = async (kind: string, name: string, spec: Record<string, unknown>): Promise<void> => {
  await world.apply(kind, name, spec);
  await world.ready(kind, name);
};
const readOnly = async (): Promise<void> => {
  await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
  await world.clock.advance(minute);
};
const pause = (kind: string, name: string) =>
  world.patch(kind, name, { metadata: { annotations: { 'cloudhosting.dev/pause': 'until=2030-01-01T00:00:00Z' } } });
const as = async (method: 'PUT' | 'POST' | 'DELETE', path: string, body: object = {}): Promise<void> => {
  const { status, ...answer } = await world.emulator.control.actAs({ username: 'colleague', method, path: `/v4${path}`, body });
  if (status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
};
const changing = () => world.emulator.control.requests().filter(({ method }) => method !== 'GET');
const betweenAccount: CliOptions['betweenAccount'] = (server) => ({
  ...server,
  handle: (request) =>
    request.path.endsWith('/access')
      ? Promise.resolve({ status: 403, headers: {}, body: '{"errors":[{"reason":"Unauthorized"}]}' })
      : server.handle(request),
});
const volume = { region: 'eu-central', sizeGiB: 20 };
const larger = { files: { 'data.yaml': document('CloudVolume', 'data', { ...volume, sizeGiB: 40 }) } };

describe('a plan for an account to which nothing is sent now', () => {
  it.each([
    ['ReadOnly', readOnly, 'has mode: ReadOnly', 'its mode is Manage'],
    ['paused', () => pause('CloudAccount', 'default'), 'is paused until 2030-01-01T00:00:00Z', 'its pause is over'],
  ] as const)('tells what would happen once it is not %s any more, and says so', async (_, hold, because, until) => {
    await made('CloudVolume', 'data', volume);
    await hold();
    const before = changing().length;
    const plan = await planned('-f data.yaml', larger);
    expect(plan.exit).toBe(1);
    expect(plan.objects).toMatchObject([{ action: 'change', changes: [{ field: 'sizeGiB', from: 20, to: 40 }] }]);
    expect(plan.objects[0]?.calls).toMatchObject([{ method: 'POST', path: '/volumes/1000/resize' }]);
    expect(plan.notWritable).toEqual([{ account: 'CloudAccount team-a/default', because, until }]);
    const { out } = await typed('plan -f data.yaml', larger);
    expect(out).toContain(
      `CloudAccount team-a/default ${because}: nothing is sent until ${until}, and what is told here is what happens then.\n`,
    );
    const offline = await planned('-f data.yaml --against cluster', larger);
    expect(offline).toMatchObject({ exit: 1, objects: [{ action: 'change' }], notWritable: [{ because }] });
    expect(await planned('cvol/data')).toMatchObject({ exit: 0, objects: [{ action: 'none' }] });
    expect(changing().slice(before)).toEqual([]);
  });

  it('names a create, and says nothing of it where the account may be written', async () => {
    const young = { files: { 'young.yaml': document('CloudVolume', 'young', volume) } };
    expect((await planned('-f young.yaml', young)).notWritable).toBeUndefined();
    await readOnly();
    expect(await planned('-f young.yaml', young)).toMatchObject({
      exit: 1,
      objects: [{ action: 'create', calls: [{ path: '/volumes' }] }],
    });
  });

  it('whose mode the manifests change says so, and how many of its objects are not in the plan', async () => {
    await readOnly();
    await world.apply('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20 });
    await world.reason('CloudVolume', 'data', 'ReadOnly');
    const spec = { ...(await world.get('CloudAccount', 'default')).spec, mode: 'Manage' };
    const files = { 'account.yaml': document('CloudAccount', 'default', spec) };
    for (const against of ['account', 'cluster']) {
      const { exit, objects } = await planned(`-f account.yaml --against ${against}`, { files });
      expect([exit, objects]).toMatchObject([
        1,
        [
          {
            action: 'change',
            changes: [{ field: 'mode', from: 'ReadOnly', to: 'Manage' }],
            calls: [],
            message: expect.stringContaining('1 object of it that no manifest here names is not part of the plan') as string,
          },
        ],
      ]);
    }
    const whole = { files: { ...files, 'v.yaml': document('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20 }) } };
    const { objects } = await planned('-f account.yaml -f v.yaml', whole);
    expect(objects).toMatchObject([{ action: 'change' }, { action: 'create' }]);
    expect(objects[0]).not.toHaveProperty('message');
  });
  it('does nothing to what is only observed, and says why', async () => {
    await made('CloudVolume', 'data', { ...volume, lifecycle: { management: 'Manage' } });
    const observed = {
      files: { 'data.yaml': document('CloudVolume', 'data', { ...volume, sizeGiB: 40, lifecycle: { management: 'Observe' } }) },
    };
    const { exit, objects } = await planned('-f data.yaml', observed);
    expect([exit, objects]).toMatchObject([
      0,
      [{ action: 'none', message: expect.stringMatching(/^lifecycle.management is Observe, so nothing is changed: .*sizeGiB/) as string }],
    ]);
  });
});

describe('what lies in parts of a remote', () => {
  const bucket = { cluster: 'us-east-1', label: 'assets', acl: 'private' };
  const cluster = { region: 'us-east', k8sVersion: '1.25', nodePools: [{ name: 'base', type: 'g6-standard-1', count: 1 }] };
  const firewall = { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT', instanceRefs: [{ name: 'web' }] };
  const scenes = {
    CloudBucket: async () => {
      await made('CloudBucket', 'it', bucket);
      return () => as('PUT', '/object-storage/buckets/us-east-1/assets/access', { acl: 'public-read', cors_enabled: true });
    },
    CloudFirewall: async () => {
      await made('CloudInstance', 'web', { region: 'us-east', type: 'g6-nanode-1' });
      await made('CloudFirewall', 'it', firewall);
      const [row] = world.emulator.control.rows('firewalls') as unknown as { id: number }[];
      const [device] = world.emulator.control.rows('firewall devices') as unknown as { id: number }[];
      return () => as('DELETE', `/networking/firewalls/${row?.id}/devices/${device?.id}`);
    },
    CloudKubernetesCluster: async () => {
      await made('CloudKubernetesCluster', 'it', cluster);
      const { status } = await world.get('CloudKubernetesCluster', 'it');
      const [pool] = world.emulator.control.rows('pools') as unknown as { id: number }[];
      return () => as('PUT', `${String(status?.['path'])}/pools/${pool?.id}`, { count: 3 });
    },
  } as const;
  const holds = {
    'in an account that is ReadOnly': readOnly,
    paused: (kind: string) => pause(kind, 'it'),
    observed: (kind: string) => world.patch(kind, 'it', { spec: { lifecycle: { management: 'Observe' } } }),
  } as const;
  const cases = Object.entries(scenes).flatMap(([kind, scene]) => Object.entries(holds).map(([how, hold]) => ({ kind, how, scene, hold })));

  it.each(cases)('$kind, $how: is read before anything is said, each time', async ({ kind, scene, hold }) => {
    const touch = await scene();
    await hold(kind);
    await world.clock.advance(minute);
    expect(await compared(`${kind}/it`)).toMatchObject({ exit: 0, differences: [] });
    await touch();
    const all = [];
    for (let time = 0; time < 3; time += 1) all.push(await compared(`${kind}/it`));
    expect(all[0]?.differences).toHaveLength(1);
    expect(all).toEqual([all[0], all[0], all[0]]);
    expect(all[0]?.exit).toBe(1);
    const why = await typed(`why ${kind}/it --against account`);
    expect(why.out).not.toContain('has what the spec asks for');
  });

  it('is told as not known where it cannot be read, and never as nothing', async () => {
    const touch = await scenes.CloudBucket();
    await readOnly();
    await touch();
    const plan = await planned('CloudBucket/it', { betweenAccount });
    expect(plan.exit).toBe(1);
    expect(plan.objects).toMatchObject([{ action: 'wait', unknown: [expect.stringMatching(/^spec\.acl: /) as string] }]);
    const ran = await typed('diff CloudBucket/it --against account', { betweenAccount });
    expect([ran.exit, ran.out]).toEqual([1, expect.stringMatching(/^CloudBucket team-a\/it {2}not known: spec\.acl: /) as string]);
  });
});

describe('what was deleted behind the back', () => {
  it('is told of that object alone, and the others are answered', async () => {
    await made('CloudInstance', 'web', { region: 'us-east', type: 'g6-nanode-1' });
    await made('CloudDisk', 'root', { instanceRef: { name: 'web' }, sizeMB: 1024, filesystem: 'ext4', lifecycle: { onMissing: 'Stall' } });
    await made('CloudVolume', 'data', volume);
    operator.kill();
    await as('DELETE', String((await world.get('CloudDisk', 'root')).status?.['path']));
    await world.clock.advance(20 * minute);
    const { exit, differences } = await compared('-A');
    expect(differences).toEqual([{ object: 'CloudDisk team-a/root', field: 'spec', want: 'there', have: 'not there', policy: 'Correct' }]);
    expect(exit).toBe(1);
    const plan = await planned('cdisk/root cvol/data cinst/web');
    expect(plan.objects).toMatchObject([
      { name: 'root', missing: true },
      { name: 'data', action: 'none' },
      { name: 'web', action: 'none' },
    ]);
    await as('DELETE', String((await world.get('CloudInstance', 'web')).status?.['path']));
    await world.clock.advance(20 * minute);
    const all = await compared('-A');
    expect(all.differences.map(({ object, have }) => [object, have])).toEqual([
      ['CloudInstance team-a/web', 'not there'],
      ['CloudDisk team-a/root', 'not there'],
    ]);
    expect(all.unknown).toBeUndefined();
  });
  it('is refused in the words of the object, long after the operator proved it, and not said to be checked', async () => {
    await made('CloudBucket', 'data', { cluster: 'us-east-1', label: 'assets' });
    await as('DELETE', '/object-storage/buckets/us-east-1/assets');
    const { message } = await world.reason('CloudBucket', 'data', 'RemoteMissing', 60 * minute);
    expect((await planned('CloudBucket/data')).objects).toMatchObject([
      { name: 'data', action: 'refused', missing: true, refusal: { reason: 'RemoteMissing', message } },
    ]);
    operator.kill();
    await world.patch('CloudBucket', 'data', { metadata: { annotations: { 'cloudhosting.dev/recreate': 'now' } } });
    expect((await planned('CloudBucket/data')).objects).toMatchObject([{ name: 'data', action: 'wait', missing: true }]);
    await world.patch('CloudBucket', 'data', {
      metadata: { annotations: { 'cloudhosting.dev/recreate': null } },
      spec: { lifecycle: { onMissing: 'Recreate' } },
    });
    expect((await planned('CloudBucket/data')).objects).toMatchObject([{ name: 'data', action: 'wait', missing: true }]);
  });
  it('is told also where no event says so, and the proof would take longer than a look', async () => {
    await made('CloudBucket', 'it', { cluster: 'us-east-1', label: 'assets' });
    await made('CloudVolume', 'data', volume);
    operator.kill();
    await as('DELETE', '/object-storage/buckets/us-east-1/assets');
    await world.clock.advance(20 * minute);
    const plan = await planned('CloudBucket/it cvol/data');
    expect(plan.objects).toMatchObject([
      { name: 'it', action: 'wait', missing: true, message: expect.stringContaining('checked twice') as string },
      { name: 'data', action: 'none' },
    ]);
    expect(plan.exit).toBe(1);
    const { exit, differences } = await compared('-A');
    expect([exit, differences]).toMatchObject([1, [{ object: 'CloudBucket team-a/it', have: 'not there' }]]);
  });
});
