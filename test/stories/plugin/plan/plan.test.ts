import { beforeEach, describe, expect, it } from 'vitest';
import type { PlanData } from '../../../../src/plugin/output/plan-shape.ts';
import { cloud, type CliOptions, dataOf, endpoint, type Ran } from '../../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import { World } from '../../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.secret('root', { password: 'Canary-Horse-9-Battery' });
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
});

const rooted = { image: 'vm/debian11', rootPasswordSecretRef: { name: 'root', key: 'password' } };
const machine = { region: 'eu-central', type: 'g6-nanode-1', power: 'On', ...rooted };
const volume = { region: 'eu-central', sizeGiB: 20 };
const shop = (allowList: readonly string[]) => ({ engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-dedicated-2', allowList });

const document = (kind: string, name: string, spec: object, metadata: object = {}) =>
  JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind, metadata: { name, ...metadata }, spec });
const file = (...documents: readonly string[]) => ({ files: { 'all.yaml': documents.join('\n---\n') } });
const plan = (line: string, options: CliOptions = {}): Promise<Ran> =>
  cloud(world, `plan ${line} --endpoint ${endpoint}`, { limit: 300_000, ...options });
const plannedIn = async (line: string, options: CliOptions = {}): Promise<PlanData & Pick<Ran, 'exit'>> => {
  const ran = await plan(`${line} -o json`, options);
  return { ...(dataOf(ran) as unknown as PlanData), exit: ran.exit };
};
const changing = () => world.emulator.control.requests().filter(({ method }) => method !== 'GET');

async function web(): Promise<void> {
  await world.apply('CloudInstance', 'web', machine);
  await world.ready('CloudInstance', 'web');
}

const resized = { ...machine, type: 'g6-standard-2' };
const objectOf = ({ objects }: PlanData, name: string): PlanData['objects'][number] => {
  const found = objects.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} is not in the plan`);
  return found;
};

describe('of a whole namespace', () => {
  it('is about all objects there, where it names nothing but that', async () => {
    await world.apply('CloudVolume', 'data', volume);
    await world.ready('CloudVolume', 'data');
    const { objects, exit } = await plannedIn('-n team-a');
    expect([exit, objects.map(({ name }) => name)]).toEqual([0, ['default', 'data']]);
  });
});

describe('a change that needs a yes', () => {
  it('is shown with its calls, and the annotation that approves it travels with the merge: one resize, and nobody is asked again', async () => {
    await web();
    const { exit, objects } = await plannedIn('-f all.yaml', file(document('CloudInstance', 'web', resized)));
    expect(exit).toBe(1);
    expect(objects[0]).toMatchObject({
      action: 'change',
      effect: 'Reboot',
      needsApproval: true,
      changes: [{ field: 'type', from: 'g6-nanode-1', to: 'g6-standard-2', effect: 'Reboot' }],
      calls: [{ method: 'POST', path: '/vm/instances/1000/resize' }, { path: '/vm/instances/1000/boot' }],
    });
    const before = changing().length;
    const { annotation = '', value } = objects[0]?.approval ?? {};
    await world.patch('CloudInstance', 'web', { metadata: { annotations: { [annotation]: value } }, spec: resized });
    await world.ready('CloudInstance', 'web');
    expect(
      changing()
        .slice(before)
        .map(({ path }) => path),
    ).toEqual(['/vm/instances/1000/resize', '/vm/instances/1000/boot']);
    expect((await world.get('CloudInstance', 'web')).status?.['plan']).toBeUndefined();
  });
  it('is not asked for any more in a plan of manifests that bring the approval', async () => {
    await web();
    const { objects } = await plannedIn('-f all.yaml --valid 1h', file(document('CloudInstance', 'web', resized)));
    const { annotation = '', value = '' } = objects[0]?.approval ?? {};
    const merged = file(document('CloudInstance', 'web', resized, { annotations: { [annotation]: value } }));
    const again = await plannedIn('-f all.yaml', merged);
    expect(again.objects[0]).toMatchObject({ action: 'change', needsApproval: false });
    expect(again.objects[0]?.calls.length).toBe(2);
  });
  it('is offered an approval that was not used before, where the same change was made once and undone', async () => {
    await web();
    const change = file(document('CloudInstance', 'web', resized));
    const merged = async (spec: object, { objects }: PlanData): Promise<string> => {
      const { annotation = '', value = '' } = objects[0]?.approval ?? {};
      await world.patch('CloudInstance', 'web', { metadata: { annotations: { [annotation]: value } }, spec });
      await world.ready('CloudInstance', 'web', 600_000);
      return value;
    };
    const once = await merged(resized, await plannedIn('-f all.yaml', change));
    await merged(machine, await plannedIn('-f all.yaml', file(document('CloudInstance', 'web', machine))));
    const again = await merged(resized, await plannedIn('-f all.yaml', change));
    expect(again.split('.')[0]).toBe(once.split('.')[0]);
    expect((await world.get('CloudInstance', 'web')).status?.['type']).toBe(resized.type);
  });
  it('is told when it does more than is allowed', async () => {
    await web();
    const ran = await plan('-f all.yaml --max-effect InPlace', file(document('CloudInstance', 'web', resized)));
    expect(ran).toMatchObject({ exit: 3, err: expect.stringContaining('Reboot is more than --max-effect allows') as string });
    expect((await plan('-f all.yaml --max-effect Reboot', file(document('CloudInstance', 'web', resized)))).exit).toBe(1);
  });
});

describe('several manifests', () => {
  it('are told in their order, with what must be made before, and no secret', async () => {
    const options = file(
      document('CloudVolume', 'data', { instanceRef: { name: 'app' }, sizeGiB: 20 }),
      document('CloudInstance', 'app', machine),
      document('CloudVolume', 'small', { ...volume, sizeGiB: 5 }),
      JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'other' } }),
    );
    const ran = await plan('-f all.yaml', options);
    expect(ran.exit).toBe(4);
    expect(ran.out).toContain('CloudVolume team-a/data    create   after CloudInstance team-a/app, ? $/month\n');
    expect(ran.out).toContain('CloudInstance team-a/app   create   +5.00 $/month\n  POST /vm/instances\n');
    expect(ran.out).toContain('CloudVolume team-a/small   refused\n');
    expect(ran.out).toContain('3 objects: 2 create, 1 refused. +5.00 $/month and what 1 of them cost, which is not known.\n');
    expect(ran.err).toContain('1 document is not of cloudhosting.dev');
    expect(ran.err).toContain('reading as user admin with the token of CloudAccount team-a/default');
    const { objects } = await plannedIn('-f all.yaml', options);
    expect(objects[1]?.calls[0]?.body).toMatchObject({ label: 'app-********', root_pass: '[redacted]' });
    expect(objects[2]?.refusal).toMatchObject({ reason: 'Admission', field: 'spec.sizeGiB' });
    expect(ran.out + ran.err + JSON.stringify(objects)).not.toMatch(/Canary|token-admin/);
    expect((await plan('-f all.yaml --strict', options)).exit).toBe(2);
    expect(changing()).toEqual([]);
  });
  it('say what of an object cannot be changed, by field', async () => {
    await world.apply('CloudVolume', 'data', volume);
    await world.ready('CloudVolume', 'data');
    const frozen = file(document('CloudVolume', 'data', { ...volume, region: 'us-east' }));
    const { exit, objects } = await plannedIn('-f all.yaml', frozen);
    expect(exit).toBe(4);
    expect(objects[0]).toMatchObject({ action: 'refused', calls: [], refusal: { field: 'spec.region' } });
  });
  it('name as deleted what has their labels and is not among them, with what becomes of it', async () => {
    const labels = { part: 'shop' };
    for (const [name, onDelete] of [
      ['kept', 'Retain'],
      ['cache', 'Delete'],
      ['here', 'Delete'],
    ] as const) {
      await world.apply('CloudVolume', name, { ...volume, lifecycle: { onDelete } });
      await world.patch('CloudVolume', name, { metadata: { labels } });
      await world.ready('CloudVolume', name);
    }
    const options = file(document('CloudVolume', 'here', { ...volume, lifecycle: { onDelete: 'Delete' } }, { labels }));
    const found = await plannedIn('-f all.yaml --prune -l part=shop', options);
    expect([found.exit, found.summary]).toEqual([1, { none: 1, delete: 1, retain: 1 }]);
    expect(objectOf(found, 'cache')).toMatchObject({ action: 'delete', calls: [{ method: 'DELETE' }] });
    expect(objectOf(found, 'kept')).toMatchObject({ action: 'retain', calls: [] });
    expect((await plan('-f all.yaml --prune', options)).exit).toBe(2);
  });
  it('name the objects of which what they have goes along, also where those stay in Git', async () => {
    const labels = { part: 'shop' };
    await web();
    await world.patch('CloudInstance', 'web', { metadata: { labels }, spec: { lifecycle: { onDelete: 'Delete' } } });
    const [disk] = world.emulator.control.rows('disks') as unknown as readonly { readonly id: number; readonly size: number }[];
    await world.apply('CloudDisk', 'scratch', { instanceRef: { name: 'web' }, sizeMB: disk?.size, adopt: { id: disk?.id } });
    await world.ready('CloudDisk', 'scratch');
    const options = file(document('CloudVolume', 'here', volume, { labels }));
    const gone = objectOf(await plannedIn('-f all.yaml --prune -l part=shop', options), 'web');
    expect(gone).toMatchObject({
      action: 'delete',
      message: expect.stringMatching(
        /^what these have is lost with it: CloudDisk team-a\/scratch; lost with it, and no object stands for it, as far as was seen last: /,
      ) as string,
    });
    const anew = { ...machine, image: 'vm/debian10', lifecycle: { onDelete: 'Delete' } };
    const rebuilt = objectOf(await plannedIn('-f all.yaml', file(document('CloudInstance', 'web', anew, { labels }))), 'web');
    expect([rebuilt.effect, rebuilt.message]).toEqual(['Rebuild', expect.stringContaining('CloudDisk team-a/scratch')]);
    const larger = objectOf(await plannedIn('-f all.yaml', file(document('CloudInstance', 'web', resized, { labels }))), 'web');
    expect(larger.message ?? '').not.toContain('lost');
  });
  it.each([
    ['the account', ''],
    ['the cluster', ' --against cluster'],
    ['nothing', ' --against none --base old -n team-a'],
  ])('say against %s that a disk is fitted with its instance, and whose size that is', async (_, against) => {
    await web();
    const fits = 'a single disk beside swap takes the size of the new plan; spec.autoResizeDisk: false keeps it as it is';
    const old = document('CloudInstance', 'web', machine);
    const messageOf = async (spec: object, more: Record<string, string> = {}): Promise<string | undefined> => {
      const files = { 'new/web.yaml': document('CloudInstance', 'web', spec), 'old/web.yaml': old, ...more };
      return objectOf(await plannedIn(`-f new${against}`, { files }), 'web').message;
    };
    expect(await messageOf(resized)).toContain(fits);
    const [row] = world.emulator.control.rows('disks') as unknown as readonly { readonly id: number; readonly size: number }[];
    const disk = { instanceRef: { name: 'web' }, sizeMB: row?.size, adopt: { id: row?.id } };
    await world.apply('CloudDisk', 'root', disk);
    await world.ready('CloudDisk', 'root');
    const written = document('CloudDisk', 'root', disk);
    const beside = { 'new/root.yaml': written, 'old/root.yaml': written };
    expect(await messageOf(resized, beside)).toContain(
      'what these say of spec.sizeMB stays so: CloudDisk team-a/root. To have that taken along, set spec.autoResizeDisk: true on CloudInstance team-a/web, or write there first what it is to be',
    );
    expect(await messageOf({ ...resized, autoResizeDisk: true }, beside)).toContain(
      `${fits}. What these say of it then differs, and they ask to have it set back: CloudDisk team-a/root. To leave them as they are, set spec.autoResizeDisk: false on CloudInstance team-a/web before the yes (the plan and its hash stay the same); to keep what comes of it, write into their spec.sizeMB afterwards what status.sizeMB shows`,
    );
    // It is told of what is about to happen, and of nothing else.
    expect((await messageOf({ ...resized, autoResizeDisk: false }, beside)) ?? '').not.toContain('disk');
    expect((await messageOf({ ...machine, label: 'other' }, beside)) ?? '').not.toContain('disk');
    expect((await messageOf({ ...machine, autoResizeDisk: true }, beside)) ?? '').not.toContain('disk');
  });
});

describe('objects as they are', () => {
  it('need nothing while nothing differs, and what somebody changed is told with what would put it back', async () => {
    await world.apply('CloudDomain', 'zone', { domain: 'example.org', type: 'master', soaEmail: 'dns@example.org' });
    await world.ready('CloudDomain', 'zone');
    expect(await plan('-A')).toMatchObject({ exit: 0, out: expect.stringContaining('2 objects: 2 none.\n') as string });
    const [row] = (await new CloudUser(world).list('/domains')) as readonly { readonly id: number }[];
    await new CloudUser(world).put(`/domains/${row?.id}`, { soa_email: 'theirs@example.org' });
    const { exit, objects } = await plannedIn('cdom/zone');
    expect(exit).toBe(1);
    expect(objects[0]).toMatchObject({
      action: 'change',
      changes: [{ field: 'soaEmail', from: 'theirs@example.org', to: 'dns@example.org' }],
      calls: [{ method: 'PUT', path: `/domains/${row?.id}`, body: { soa_email: 'dns@example.org' } }],
    });
  });
  it('are shown and left alone where nothing may be written', async () => {
    await world.apply('CloudVolume', 'data', volume);
    await world.ready('CloudVolume', 'data');
    const observed = file(document('CloudVolume', 'data', { ...volume, sizeGiB: 40, lifecycle: { management: 'Observe' } }));
    expect((await plannedIn('-f all.yaml', observed)).objects[0]).toMatchObject({
      action: 'none',
      changes: [{ field: 'sizeGiB' }],
      calls: [],
    });
  });
});

describe('what is there already', () => {
  it('is adopted as spec.adopt says, and brought to the spec', async () => {
    const made = (await new CloudUser(world).post('/volumes', { label: 'theirs', region: 'eu-central', size: 20 })) as {
      readonly id: number;
    };
    await world.clock.advance(60_000);
    const before = changing().length;
    const adopt = { adopt: { id: made.id } };
    const same = file(document('CloudVolume', 'theirs', { ...volume, ...adopt }));
    expect((await plannedIn('-f all.yaml', same)).objects[0]).toMatchObject({ action: 'adopt', calls: [], changes: [] });
    const grown = file(document('CloudVolume', 'theirs', { ...volume, sizeGiB: 40, ...adopt }));
    expect((await plannedIn('-f all.yaml', grown)).objects[0]).toMatchObject({
      action: 'adopt',
      calls: [{ method: 'POST', path: `/volumes/${made.id}/resize` }],
    });
    expect(changing().length).toBe(before);
  });
  it('is offered no approval with the object that adopts it, as one that comes with it counts as spent', async () => {
    const made = (await new CloudUser(world).post('/vm/instances', { label: 'theirs', region: 'eu-central', type: 'g6-nanode-1' })) as {
      readonly id: number;
    };
    await world.clock.advance(60_000);
    const adopting = file(document('CloudInstance', 'theirs', { region: 'eu-central', type: 'g6-standard-2', adopt: { id: made.id } }));
    const ran = await plan('-f all.yaml --approvals out/kustomization.yaml', adopting);
    expect(ran.out).toContain('it asks once it is there: an approval that comes with an object that is new counts as spent');
    expect(ran.out).toContain('Once it is applied: kubectl cloud approve cloudinstance/theirs -n team-a');
    expect(ran.out).not.toContain('approve-change');
    expect(ran.err).toContain('cannot be approved with the change, because it asks once it is there');
    expect(Reflect.get(adopting.files, 'out/kustomization.yaml')).toContain('patches: []');
  });
  it('is in the way of one of the same name', async () => {
    await new CloudUser(world).post('/domains', { domain: 'example.org', type: 'master', soa_email: 'dns@example.org' });
    const zone = file(document('CloudDomain', 'zone', { domain: 'example.org', type: 'master', soaEmail: 'dns@example.org' }));
    const { exit, objects } = await plannedIn('-f all.yaml', zone);
    expect([exit, objects[0]?.action, objects[0]?.refusal?.reason]).toEqual([4, 'refused', 'AlreadyExists']);
  });
});

it('shows one of two that want the same name as made', async () => {
  const zone = { domain: 'example.org', type: 'master', soaEmail: 'dns@example.org' };
  const { summary, objects } = await plannedIn('-f all.yaml', file(document('CloudDomain', 'a', zone), document('CloudDomain', 'b', zone)));
  expect(summary).toEqual({ create: 1, wait: 1 });
  expect(objectOf({ objects } as PlanData, 'b').message).toContain('CloudDomain team-a/a');
});

describe('the way to the account', () => {
  const young = file(document('CloudVolume', 'data', volume));

  it('is named by the caller, and no token goes out in clear', async () => {
    const open = await cloud(world, 'plan -f all.yaml --endpoint main=http://api.example.com/v4', young);
    expect(open).toMatchObject({ exit: 2, err: expect.stringContaining('in clear') as string });
    const other = await cloud(world, 'plan -f all.yaml --endpoint other=https://api.test/v4', young);
    expect(other).toMatchObject({ exit: 2, out: '', err: expect.stringContaining('add --endpoint main=https://HOST/v4') as string });
  });
  it("is else what the operator's ConfigMap says, and not one of another namespace", async () => {
    const offered = (namespace: string, endpoints: string) => world.configMap('cloud-operator-endpoints', { endpoints }, namespace);
    await offered('team-a', `${endpoint}\n`);
    const none = await cloud(world, 'plan -f all.yaml', young);
    expect(none).toMatchObject({ exit: 2, out: '', err: expect.stringContaining('cloud-operator/cloud-operator-endpoints') as string });
    await offered('cloud-operator', `${endpoint}\n`);
    expect(await cloud(world, 'plan -f all.yaml', { ...young, limit: 300_000 })).toMatchObject({
      exit: 1,
      out: expect.stringContaining('1 object: 1 create. What 1 of them costs is not known.\n') as string,
    });
    for (const [namespace, text, says] of [
      ['open', 'main=http://api.test/v4', 'in clear'],
      ['other', 'other=https://api.test/v4', 'add --endpoint main=https://HOST/v4'],
      ['wrong', 'main', 'ConfigMap wrong/cloud-operator-endpoints cannot be read'],
    ] as const) {
      await world.namespace(namespace);
      await offered(namespace, `${text}\n`);
      const ran = await cloud(world, `plan -f all.yaml --operator-namespace ${namespace}`, young);
      expect(ran).toMatchObject({ exit: 2, out: '', err: expect.stringContaining(says) as string });
    }
  });
  it("may be the caller's own token, one that only reads included, but not one of another account", async () => {
    const mine = await plan('-f all.yaml', { ...young, cloudToken: 'token-readonly' });
    expect(mine).toMatchObject({ exit: 1, err: 'reading as user admin with your own token\n' });
    const byFile = await plan('-f all.yaml --token-file mine', { files: { ...young.files, mine: 'token-colleague\n' } });
    expect(byFile).toMatchObject({ exit: 1, err: 'reading as user colleague with your own token\n' });
    const stranger = await plan('-f all.yaml', { ...young, cloudToken: 'token-other' });
    expect(stranger).toMatchObject({ exit: 4, out: '', err: expect.stringContaining('leads to') as string });
  });
  it.each([
    ['refused', { kind: 'answer', status: 401 }],
    ['forbidden', { kind: 'answer', status: 403 }],
    ['broken', { kind: 'answer', status: 503 }],
    ['cut', { kind: 'lose-request' }],
  ] as const)('is %s: then there is no plan', async (_, effect) => {
    world.emulator.control.addFault({ match: {}, effect });
    const ran = await plan('-f all.yaml -o json', young);
    expect(ran.exit).toBe(4);
    expect(dataOf(ran)).toMatchObject({ verb: 'plan', message: expect.stringContaining('Nothing was written') as string });
  });
  it('fails half way: then there is no plan either', async () => {
    world.emulator.control.addFault({ match: { path: '/volumes' }, effect: { kind: 'answer', status: 503 } });
    expect(await plan('-f all.yaml --timeout 5s', young)).toMatchObject({ exit: 4, out: '' });
  });
  it('needs no right beyond the namespaces that are asked for', async () => {
    world.server.addUser('ci', { name: 'ci' });
    const rules = [
      { apiGroups: ['cloudhosting.dev'], resources: ['*'], verbs: ['get', 'list', 'create', 'patch'] },
      { apiGroups: [''], resources: ['secrets'], verbs: ['get'] },
    ];
    world.server.setGrants([{ to: 'ci', rules, namespace: 'team-a' }]);
    const ran = await plan('-f all.yaml', { ...young, token: 'ci' });
    expect(ran).toMatchObject({ exit: 1, err: expect.stringContaining('only objects of team-a are seen') as string });
  });
});

describe('Markdown', () => {
  it('begins with what a job finds its own comment by, and nothing of a value becomes markup', async () => {
    const nasty = '<img src=x> @team `code` | ```';
    const zone = { domain: 'example.org', type: 'master', soaEmail: 'dns@example.org', description: nasty };
    await world.apply('CloudDomain', 'zone', { ...zone, description: 'plain' });
    await world.ready('CloudDomain', 'zone');
    const { out } = await plan('-f all.yaml -o markdown', file(document('CloudDomain', 'zone', zone)));
    expect(out).toMatch(/^<!-- kubectl-cloud-plan -->\n\*\*1 object: 1 change\.\*\*\n/);
    expect(out).toContain('| CloudDomain team-a/zone | change | InPlace |');
    const details = /\n````\n[^]*?\n````\n/.exec(out)?.[0] ?? '';
    expect(details).toContain(nasty);
    expect(out.replace(details, '')).not.toContain('<img');
    expect(out.length).toBeLessThan(60_000);
  });
});

it('shows what the operator sends only a minute after the last change of it', async () => {
  world = await World.create({ emulator: { speed: 100 } });
  await world.account();
  await world.start();
  await world.apply('CloudDatabase', 'shop', shop([]));
  await world.ready('CloudDatabase', 'shop');
  await world.apply('CloudDatabase', 'shop', shop(['203.0.113.1']));
  await world.ready('CloudDatabase', 'shop');
  const put = world.emulator.control.requests().findLast(({ method, path }) => method === 'PUT' && path.startsWith('/databases/'));
  expect(world.clock.monotonic() - (put?.monotonic ?? 0)).toBeLessThan(60_000);
  const { exit, objects } = await plannedIn('-f all.yaml', file(document('CloudDatabase', 'shop', shop(['203.0.113.2']))));
  expect(exit).toBe(1);
  expect(objects[0]).toMatchObject({ action: 'change', calls: [{ method: 'PUT' }] });
});

it('of a hundred objects asks the account for pages, and not for each', async () => {
  for (let at = 0; at < 100; at += 1) await world.apply('CloudVolume', `data-${at}`, volume);
  await world.ready('CloudVolume', 'data-99');
  await world.clock.advance(120_000);
  const before = world.emulator.control.requests().length;
  expect(await plan('-A --only-changes')).toMatchObject({ exit: 0, out: expect.stringContaining('101 objects: 101 none.') as string });
  expect(world.emulator.control.requests().length - before).toBeLessThan(40);
});

it('of a thousand manifests is done within ten seconds and 200 calls', { timeout: 60_000 }, async () => {
  const all = Array.from({ length: 1000 }, (_, at) => document('CloudVolume', `data-${at}`, volume));
  const before = world.emulator.control.requests().length;
  const begun = process.cpuUsage();
  const { exit, objects } = await plannedIn('-f all.yaml', file(...all));
  // Work, and not time: others have the machine too.
  expect(process.cpuUsage(begun).user / 1000).toBeLessThan(10_000);
  expect([exit, objects.filter(({ action }) => action === 'create').length]).toEqual([1, 1000]);
  expect(world.emulator.control.requests().length - before).toBeLessThan(200);
});

const pem = (what: string): string => `-----BEGIN ${what}-----\nMIIB\n-----END ${what}-----\n`;
it('foresees that a certificate which the operator uploaded goes with its field, and none of others', async () => {
  await world.secret('shop-tls', { crt: pem('CERTIFICATE'), key: pem('PRIVATE KEY') });
  const bucket = { label: 'assets.example.org', cluster: 'eu-central-1' };
  const tls = { certificate: { name: 'shop-tls', key: 'crt' }, privateKey: { name: 'shop-tls', key: 'key' } };
  await world.apply('CloudBucket', 'assets', { ...bucket, tls });
  await world.ready('CloudBucket', 'assets');
  await world.apply('CloudBucket', 'theirs', { ...bucket, label: 'theirs.example.org' });
  await world.ready('CloudBucket', 'theirs');
  const body = { certificate: pem('CERTIFICATE'), private_key: pem('PRIVATE KEY') };
  await new CloudUser(world).post('/object-storage/buckets/eu-central-1/theirs.example.org/ssl', body);
  const before = changing().length;
  const without = file(
    document('CloudBucket', 'assets', bucket),
    document('CloudBucket', 'theirs', { ...bucket, label: 'theirs.example.org' }),
  );
  const planned = await plannedIn('-f all.yaml', without);
  expect(objectOf(planned, 'assets')).toMatchObject({
    action: 'change',
    effect: 'InPlace',
    changes: [{ field: 'tls' }],
    calls: [{ method: 'DELETE', path: '/object-storage/buckets/eu-central-1/assets.example.org/ssl' }],
  });
  expect(planned.objects.find(({ name }) => name === 'theirs')?.calls ?? []).toEqual([]);
  expect(changing()).toHaveLength(before);
});
