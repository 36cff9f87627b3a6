import { beforeEach, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { ExportData } from '../../src/plugin/output/account-shapes.ts';
import type { Backend } from '../support/backend.ts';
import { cloud, type CliOptions, dataOf, endpoint, type Ran } from '../support/cloud-cli.ts';
import { World } from '../support/world.ts';

const at = `--endpoint ${endpoint}`;
const minute = 60_000;

let world: World;
let files: Record<string, string>;
beforeEach(async () => {
  files = {};
  world = await World.create({ emulator: { knobs: { extraPublicAddresses: true } } });
  await world.account();
});

const as = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
  const answer = await world.emulator.control.actAs({ username: 'admin', method, path: `/v4${path}`, ...(body && { body }) });
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${String(answer.body)}`);
  return JSON.parse(String(answer.body)) as Record<string, unknown>;
};
const typed = (line: string, options: CliOptions = {}): Promise<Ran> =>
  cloud(world, `${line} ${at}`, { files, limit: 10 * minute, ...options });

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: Record<string, unknown>;
}
const manifestsIn = (text: string): readonly Manifest[] => parseAllDocuments(text).map((document) => document.toJS() as Manifest);
const yaml = (): readonly string[] => Object.entries(files).flatMap(([name, text]) => (name.endsWith('.yaml') ? [text] : []));
const exported = (): readonly Manifest[] => yaml().flatMap(manifestsIn);
const changes = (since: number): readonly string[] =>
  world.emulator.control
    .requests()
    .slice(since)
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);

/** What somebody made over the years, by hand. */
async function years(): Promise<void> {
  const web = await as('POST', '/vm/instances', {
    region: 'us-east',
    type: 'g6-nanode-1',
    label: 'web-1',
    image: 'vm/debian11',
    root_pass: 'Canary-Horse-9-Battery',
  });
  await world.clock.advance(10 * minute);
  await as('POST', '/volumes', { label: 'data', region: 'us-east', size: 20, tags: ['shop', 'co-zzzzzzzz'].slice(0, 1) });
  await as('POST', '/networking/firewalls', {
    label: 'edge',
    rules: {
      inbound_policy: 'DROP',
      outbound_policy: 'ACCEPT',
      inbound: [{ label: 'ssh', protocol: 'TCP', ports: '22', action: 'ACCEPT', addresses: { ipv4: ['0.0.0.0/0'] } }],
    },
    devices: { vms: [web['id']] },
  });
  const zone = await as('POST', '/domains', { domain: 'example.org', type: 'master', soa_email: 'a@example.org', ttl_sec: 300 });
  for (const record of [
    { type: 'A', name: 'www', target: '192.0.2.1' },
    { type: 'A', name: '', target: '192.0.2.1' },
    { type: 'A', name: 'www', target: '192.0.2.2' },
    { type: 'MX', name: '', target: 'mail.example.org', priority: 10 },
    { type: 'SRV', service: 'sip', protocol: 'tcp', target: 'sip.example.org', priority: 1, weight: 2, port: 5060 },
    { type: 'TXT', name: '', target: 'v=spf1 -all' },
    { type: 'CAA', name: '', target: 'letsencrypt.org', tag: 'issue' },
  ])
    await as('POST', `/domains/${String(zone['id'])}/records`, record);
  await as('POST', '/object-storage/buckets', { label: 'assets', cluster: 'us-east-1' });
  await as('POST', '/networking/ips', { vm_id: web['id'], type: 'ipv4', public: true });
  await as('POST', '/networking/ipv6/ranges', { vm_id: web['id'], prefix_length: 64 });
  await as('POST', '/longview/clients', { label: 'agent' });
  await as('POST', '/profile/sshkeys', {
    label: 'ops',
    ssh_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEmanyYearsAgoThatThisKeyWasMadeAndUsedNow ops',
  });
  await as('POST', '/vm/stackscripts', { label: 'setup', images: ['vm/debian11'], script: '#!/bin/sh\necho hello\n' });
  await world.clock.advance(10 * minute);
}

const apply = async (): Promise<void> => {
  for (const { kind, metadata, spec } of exported()) await world.apply(kind, metadata.name, spec);
};

const names = (): readonly string[] => exported().map(({ kind, metadata }) => `${metadata.namespace}/${kind} ${metadata.name}`);
const shop = async (): Promise<void> => {
  await as('POST', '/volumes', { label: 'shop-data', region: 'us-east', size: 20, tags: ['shop', 'team=team-b'] });
  await as('POST', '/volumes', { label: 'other', region: 'eu-central', size: 20 });
  const zone = await as('POST', '/domains', {
    domain: 'shop.example',
    type: 'master',
    soa_email: 'a@shop.example',
    tags: ['shop', 'team=team-b'],
  });
  await as('POST', `/domains/${String(zone['id'])}/records`, { type: 'A', name: 'www', target: '192.0.2.1' });
  await as('POST', '/domains', { domain: 'other.example', type: 'master', soa_email: 'a@other.example' });
  await as('POST', '/profile/sshkeys', {
    label: 'ops',
    ssh_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEmanyYearsAgoThatThisKeyWasMadeAndUsedNow ops',
  });
};

describe('export of a part', () => {
  it.each([
    ['--tag shop', ['CloudVolume shop-data', 'CloudDomain shop-example', 'CloudDomainRecord www-a']],
    ['--tag shop --kinds crec', ['CloudDomainRecord www-a']],
    ['--tag shop --depth top', ['CloudVolume shop-data', 'CloudDomain shop-example']],
    ['--region eu-central', ['CloudVolume other']],
    ['--label ^shop --exclude-kinds cvol', ['CloudDomain shop-example', 'CloudDomainRecord www-a']],
    ['--label ^shop --region us-east', ['CloudVolume shop-data']],
    ['--name-by id --kinds cvol --tag shop', [expect.stringMatching(/^CloudVolume volume-\d+$/)]],
  ])('%s', async (flags, wanted) => {
    await shop();
    const ran = await typed(`export --to fleet ${flags}`);
    expect([ran.exit, ran.err.includes('reading as')]).toEqual([0, true]);
    expect(names()).toHaveLength(wanted.length);
    expect(names().map((one) => one.replace('team-a/', ''))).toEqual(expect.arrayContaining(wanted));
  });

  it.each([
    ['namespace', 'fleet/team-a/cloudvolume-other.yaml', 'fleet/team-b/cloudvolume-shop-data.yaml'],
    ['kind', 'fleet/cloudvolume/team-a.other.yaml', 'fleet/cloudvolume/team-b.shop-data.yaml'],
    ['flat', 'fleet/team-a.cloudvolume-other.yaml', 'fleet/team-b.cloudvolume-shop-data.yaml'],
  ])('in namespaces by tag, in folders by %s, is applied and changes nothing', async (layout, mine, theirs) => {
    await shop();
    await world.namespace('team-b');
    await world.start();
    await world.ready('CloudAccount', 'default');
    const line = `export --to fleet --namespace-by tag:team= --layout ${layout} --kustomization`;
    const before = world.emulator.control.requests().length;
    const ran = await typed(`${line} -o json`);
    expect([ran.exit, Object.keys(files)]).toEqual([
      0,
      expect.arrayContaining([mine, theirs, 'fleet/kustomization.yaml', 'fleet/REPORT.md']),
    ]);
    const data = dataOf(ran) as unknown as ExportData;
    expect(data.access).toEqual([{ namespace: 'team-b', adopt: false }]);
    expect(files['fleet/REPORT.md']).toContain('the CloudAccount needs spec.access with namespaces [team-b] and adopt: Any');
    const all = exported().filter(({ kind }) => kind !== 'Kustomization');
    expect(
      all
        .filter(({ metadata }) => metadata.namespace === 'team-b')
        .map(({ kind }) => kind)
        .toSorted(),
    ).toEqual(['CloudDomain', 'CloudDomainRecord', 'CloudVolume']);
    expect(all.find(({ kind }) => kind === 'CloudSSHKey')?.metadata.namespace).toBe('team-a');
    await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'], adopt: 'Any' }] } });
    for (const { kind, metadata, spec } of all) await world.apply(kind, metadata.name, spec, metadata.namespace);
    for (const { kind, metadata } of all) await world.ready(kind, metadata.name, undefined, metadata.namespace);
    expect(changes(before)).toEqual([]);
    expect(parsedYaml(files['fleet/kustomization.yaml'])['resources']).toContainEqual(
      layout === 'flat' ? mine.slice(6) : mine.split('/')[1],
    );
    expect((await typed(line)).exit).toBe(0);
  });

  it('goes into the namespaces of a file, and refers by id where no name may go', async () => {
    await shop();
    files['where.txt'] = '^shop\\.: team-b\n^shop-: team-c\n';
    expect((await typed('export --to fleet --namespace-by where.txt --kinds cvol,crec')).exit).toBe(0);
    expect(names()).toEqual(['team-c/CloudVolume shop-data', 'team-a/CloudVolume other', 'team-b/CloudDomainRecord www-a']);
    expect(exported().find(({ kind }) => kind === 'CloudDomainRecord')?.spec).toMatchObject({
      domainRef: { external: expect.any(Number) as number },
      accountRef: { name: 'default', namespace: 'team-a' },
    });
  });

  it('says of a tag that makes no namespace, and of what every namespace shares, where it is', async () => {
    await as('POST', '/volumes', { label: 'odd', region: 'us-east', size: 20, tags: ['team=Team A'] });
    const { out } = await typed('export --to fleet --namespace-by tag:team= --kinds cvol');
    expect(out).toContain('1 skipped: Team A is no name of a namespace');
    await shop();
    await world.namespace('team-b');
    const there = await typed('export --to fleet -n team-b --account team-a/default --kinds csshkey');
    expect(there.out).toContain('an object of this kind must be in the namespace of the account: -n team-a writes its manifest');
  });

  it('counts the objects that a namespace may have', async () => {
    await shop();
    await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'], adopt: 'Any', maxObjects: 2 }] } });
    const { out } = await typed('export --to fleet --namespace-by tag:team=');
    expect(out).toContain('namespace team-b would have 3 objects, and spec.access[].maxObjects of the CloudAccount admits 2');
  });
});

const parsedYaml = (text = ''): Record<string, unknown> => parseAllDocuments(text)[0]?.toJS() as Record<string, unknown>;

it('--with-image names the Secret that an image needs, and how to make it', async () => {
  await years();
  expect((await typed('export --to fleet --with-image --kinds cinst')).out).toContain('1 Secret is needed: SECRETS.md lists them');
  expect(exported()[0]?.spec).toMatchObject({ image: 'vm/debian11', rootPasswordSecretRef: { name: 'web-1-root', key: 'password' } });
  expect(files['fleet/SECRETS.md']).toContain('kubectl create secret generic web-1-root -n team-a --from-file=password=/dev/stdin');
  expect(JSON.stringify(files)).not.toContain('Canary');
  const before = world.emulator.control.requests().length;
  await world.start();
  await world.secret('web-1-root', { password: 'Other-Horse-9-Battery' });
  for (const { kind, metadata, spec } of exported()) await world.apply(kind, metadata.name, { ...spec, lifecycle: {} });
  for (const { kind, metadata } of exported()) await world.ready(kind, metadata.name);
  expect(changes(before)).toEqual([]);
});

describe('export --check', () => {
  beforeEach(async () => {
    await years();
    await typed('export --to fleet');
  });

  it('says that all is as the account has it, before and after it is applied, and writes nothing', async () => {
    await world.start();
    await world.ready('CloudAccount', 'default');
    const [before, known] = [world.emulator.control.requests().length, { ...files }];
    for (const _ of ['new', 'applied']) {
      const ran = await typed('export --check fleet');
      expect(ran).toMatchObject({ exit: 0, out: `All ${exported().length} manifests in fleet are as the account has it.\n` });
      await apply();
      await world.clock.advance(minute);
    }
    expect(changes(before)).toEqual([]);
    expect(files).toEqual(known);
  });

  it('names what a colleague changed or deleted since, and what the API server refuses', async () => {
    const [volume] = world.emulator.control.rows('volumes') as readonly { id: number }[];
    const [zone] = world.emulator.control.rows('domains') as readonly { id: number }[];
    await as('PUT', `/volumes/${volume?.id}`, { label: 'renamed' });
    await as('DELETE', `/longview/clients/${(world.emulator.control.rows('longview clients') as readonly { id: number }[])[0]?.id}`);
    await as('PUT', `/domains/${zone?.id}`, { ttl_sec: 3600 });
    const bucket = Object.keys(files).find((name) => name.includes('cloudbucket')) ?? '';
    files[bucket] = (files[bucket] ?? '').replace(/acl: .*/, 'acl: everybody');
    const { exit, out } = await typed('export --check fleet');
    expect(exit).toBe(1);
    expect(out).toContain('CloudVolume team-a/data differs: spec.label: wrote "data", the account has "renamed"');
    expect(out).toMatch(/CloudLongviewClient team-a\/agent differs: .*/);
    expect(out).toContain('CloudDomain team-a/example-org differs: spec.ttlSeconds: wrote 300, the account has 3600');
    expect(out).toMatch(/CloudBucket team-a\/assets differs: .*acl/);
    expect(out).toContain(`4 of ${exported().length} manifests in fleet differ from the account.`);
  });
});

it('writes into the folder where one is, with a kustomization of what is there', async () => {
  await as('POST', '/volumes', { label: 'data', region: 'us-east', size: 20 });
  expect((await typed('export --to . --kinds cvol --kustomization')).exit).toBe(0);
  expect(
    Object.keys(files)
      .filter((name) => name.endsWith('.yaml'))
      .toSorted(),
  ).toEqual(['kustomization.yaml', 'team-a/cloudvolume-data.yaml', 'team-a/kustomization.yaml']);
  expect(parsedYaml(files['kustomization.yaml'])['resources']).toEqual(['team-a']);
  expect(parsedYaml(files['team-a/kustomization.yaml'])['resources']).toEqual(['cloudvolume-data.yaml']);
});

it('--force overwrites what somebody else wrote', async () => {
  await as('POST', '/volumes', { label: 'data', region: 'us-east', size: 20 });
  files['fleet/team-a/cloudvolume-data.yaml'] = 'kind: Mine\n';
  expect((await typed('export --to fleet --kinds cvol')).err).toContain('--force');
  expect((await typed('export --to fleet --kinds cvol --force')).exit).toBe(0);
  expect(files['fleet/team-a/cloudvolume-data.yaml']).toContain('kind: CloudVolume');
});

it('reports in words and for programs, with what it costs, and with nothing that kubectl takes for a manifest', async () => {
  await years();
  const { out } = await typed('export --to fleet');
  expect(out).toMatch(/^Account E1AF\S+ as admin: \d+ remotes of \d+ kinds\.\nKIND +FOUND +WRITTEN +SKIPPED +NOT PROVEN/);
  expect(out).toMatch(/What is written costs at least \d+\.\d\d \$ a month\./);
  expect(files['fleet/REPORT.md']).toMatch(/\| CloudInstance \| 1 \| 1 \| 0 \| 0 \|/);
  const report = JSON.parse(files['fleet/report.jsonl'] ?? '') as ExportData;
  expect(report).toMatchObject({ to: 'fleet', unproven: [], access: [], monthly: { usd: 5, unknown: expect.any(Number) as number } });
  expect(Object.keys(files).filter((name) => /\.(ya?ml|json)$/.test(name))).toHaveLength(report.files.length);
});

it('does not write for CRDs of another release, unless it is told to', async () => {
  await as('POST', '/volumes', { label: 'data', region: 'us-east', size: 20 });
  const crd = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/cloudvolumes.cloudhosting.dev';
  await world.admin('PATCH', crd, { metadata: { annotations: { 'cloudhosting.dev/schema-hash': 'of the next release' } } });
  const refused = await typed('export --to fleet --kinds cvol');
  expect([refused.exit, refused.err]).toEqual([4, expect.stringContaining('cloudvolumes.cloudhosting.dev are of another release')]);
  expect(files).toEqual({});
  expect((await typed('export --to fleet --kinds cdom')).exit).toBe(0);
  expect((await typed('export --to fleet --kinds cvol --skew')).exit).toBe(0);
  expect(exported().map(({ kind }) => kind)).toEqual(['CloudVolume']);
});

it('leaves out what the cluster has no CRD for, and says so', async () => {
  await as('POST', '/volumes', { label: 'data', region: 'us-east', size: 20 });
  await as('POST', '/longview/clients', { label: 'agent' });
  await world.admin('DELETE', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/cloudlongviewclients.cloudhosting.dev');
  await world.clock.advance(minute);
  const { exit, err } = await typed('export --to fleet --kinds cvol,CloudLongviewClient');
  expect([exit, err]).toEqual([0, expect.stringContaining('CloudLongviewClient is left out: the cluster does not have the CRD')]);
  expect(exported().map(({ kind }) => kind)).toEqual(['CloudVolume']);
});

/** Nobody may ask the API server anything. */
const between = (): Backend => ({ handle: ({ method, path }) => Promise.reject(new Error(`${method} ${path} was asked`)) });
describe('export --no-cluster', () => {
  it("writes what there is with a token of one's own, before there is a cluster", async () => {
    await as('POST', '/volumes', { label: 'data', region: 'us-east', size: 20 });
    await as('POST', '/volumes', { label: 'theirs', region: 'us-east', size: 20, tags: ['co-zzzzzzzz'] });
    const own = { between, cloudToken: 'token-admin' };
    const ran = await typed('export --to fleet --no-cluster -n shop --account cloud/main', own);
    expect({ exit: ran.exit, err: ran.err }).toEqual({ exit: 0, err: 'reading as user admin with your own token\n' });
    expect(exported()).toMatchObject([
      { metadata: { name: 'data', namespace: 'shop' }, spec: { accountRef: { name: 'main', namespace: 'cloud' }, sizeGiB: 20 } },
    ]);
    expect(ran.out).toContain('1 skipped: it has the tag of another installation');
    expect(ran.out).toContain('namespace shop may not adopt');
    files = {};
    expect((await typed('export --to fleet --no-cluster', own)).exit).toBe(0);
    expect(exported()[0]?.metadata.namespace).toBe('default');
  });

  it('needs an endpoint and a token, and checks nothing', async () => {
    const line = 'export --to fleet --no-cluster';
    expect(await cloud(world, line, { files, between, cloudToken: 'token-admin' })).toMatchObject({ exit: 2 });
    expect((await typed(line, { between })).err).toContain('put a token of your own into CLOUD_TOKEN');
    expect((await typed('export --check fleet --no-cluster', { between, cloudToken: 'token-admin' })).exit).toBe(2);
    expect(files).toEqual({});
  });
});
