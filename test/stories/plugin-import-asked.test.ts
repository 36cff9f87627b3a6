import { beforeEach, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { cloud, type CliOptions, endpoint, type Ran } from '../support/cloud-cli.ts';
import { written } from '../support/terraform/rows.ts';
import { type Resource, shownText, stateText } from '../support/terraform/state.ts';
import { World } from '../support/world.ts';

const at = `--endpoint ${endpoint}`;
const minute = 60_000;

let world: World;
let files: Record<string, string>;
beforeEach(async () => {
  files = {};
  world = await World.create();
  await world.account();
});

type Row = Record<string, unknown>;
const as = async (method: string, path: string, body?: object): Promise<Row> => {
  const answer = await world.emulator.control.actAs({ username: 'admin', method, path: `/v4${path}`, ...(body && { body }) });
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${String(answer.body)}`);
  return JSON.parse(String(answer.body)) as Row;
};
const rows = async (path: string): Promise<readonly Row[]> => (await as('GET', path))['data'] as readonly Row[];
const typed = (line: string, options: CliOptions = {}): Promise<Ran> =>
  cloud(world, `${line} ${at}`, { files, limit: 10 * minute, ...options });

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string; readonly annotations: Readonly<Record<string, string>> };
  readonly spec: Row;
}
const manifests = (): readonly Manifest[] =>
  Object.entries(files)
    .filter(([name]) => name.startsWith('fleet/') && name.endsWith('.yaml'))
    .flatMap(([, text]) => parseAllDocuments(text).map((document) => document.toJS() as Manifest));
const changes = (since: number): readonly string[] =>
  world.emulator.control
    .requests()
    .slice(since)
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);
const one = (type: string, name: string, attributes: object, more: Partial<Resource> = {}): Resource => ({
  type,
  name,
  instances: [{ attributes: attributes as Row }],
  ...more,
});

/** An account as Terraform made it, and the resources of its state. */
async function made(): Promise<readonly Resource[]> {
  const image = { image: 'vm/debian11', root_pass: 'Marked-Root-Password' };
  const web = await as('POST', '/vm/instances', { region: 'us-east', type: 'g6-nanode-1', label: 'web-1', tags: ['shop'], ...image });
  const bare = await as('POST', '/vm/instances', { region: 'us-east', type: 'g6-nanode-1', label: 'bare' });
  await world.clock.advance(10 * minute);
  const volume = await as('POST', '/volumes', { label: 'data', size: 20, tags: ['shop'], vm_id: web['id'] });
  const loose = await as('POST', '/volumes', { label: 'loose', size: 20, region: 'us-east' });
  const rule = { label: 'ssh', protocol: 'TCP', ports: '22', action: 'ACCEPT', addresses: { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] } };
  const firewall = await as('POST', '/networking/firewalls', {
    label: 'edge',
    rules: { inbound_policy: 'DROP', outbound_policy: 'ACCEPT', inbound: [rule] },
    devices: { vms: [web['id']] },
  });
  const zone = await as('POST', '/domains', { domain: 'example.org', type: 'master', soa_email: 'a@example.org', ttl_sec: 300 });
  for (const record of [
    { type: 'A', name: 'www', target: '192.0.2.1' },
    { type: 'A', name: '', target: '192.0.2.1' },
    { type: 'MX', name: '', target: 'mail.example.org', priority: 10 },
    { type: 'SRV', service: 'sip', protocol: 'tcp', target: 'sip.example.org', priority: 1, weight: 2, port: 5060 },
    { type: 'CAA', name: '', target: 'letsencrypt.org', tag: 'issue' },
  ])
    await as('POST', `/domains/${String(zone['id'])}/records`, record);
  const bucket = await as('POST', '/object-storage/buckets', { label: 'assets', cluster: 'us-east-1' });
  const access = [{ cluster: 'us-east-1', bucket_name: 'assets', permissions: 'read_only' }];
  const key = await as('POST', '/object-storage/keys', { label: 'uploads', bucket_access: access });
  const ssh = await as('POST', '/profile/sshkeys', {
    label: 'ops',
    ssh_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEmanyYearsAgoThatThisKeyWasMadeAndUsedNow ops',
  });
  const script = await as('POST', '/vm/stackscripts', { label: 'setup', images: ['vm/debian11'], script: '#!/bin/sh\necho hello\n' });
  const database = await as('POST', '/databases/mysql/instances', {
    label: 'shop-db',
    region: 'us-east',
    type: 'g6-nanode-1',
    engine: 'mysql/8.0.26',
  });
  await world.clock.advance(90 * minute);
  const below = async (row: Row) => ({
    disks: await rows(`/vm/instances/${String(row['id'])}/disks`),
    configs: await rows(`/vm/instances/${String(row['id'])}/configs`),
  });
  const now = async (path: string, row: Row): Promise<Row> => as('GET', `${path}/${String(row['id'])}`);
  const whole = await below(web);
  return [
    one('linode_instance', 'web', written.linode_instance(await now('/vm/instances', web))),
    ...whole.disks.map((disk, index) => one('linode_instance_disk', `web_${index}`, written.linode_instance_disk(disk, web['id']))),
    ...whole.configs.map((config) => one('linode_instance_config', 'web', written.linode_instance_config(config, web['id']))),
    one('linode_instance', 'bare', written.linode_instance(await now('/vm/instances', bare), await below(bare)), {
      module: 'module.shop["eu"]',
    }),
    one('linode_volume', 'data', written.linode_volume(await now('/volumes', volume))),
    {
      type: 'linode_volume',
      name: 'loose',
      instances: [{ index_key: "it's", attributes: written.linode_volume(await now('/volumes', loose)) }],
    },
    one('linode_firewall', 'edge', written.linode_firewall(firewall, [])),
    one('linode_firewall_device', 'web', { id: '1', firewall_id: firewall['id'], entity_id: web['id'], entity_type: 'linode' }),
    one('linode_domain', 'zone', written.linode_domain(zone)),
    {
      type: 'linode_domain_record',
      name: 'all',
      instances: (await rows(`/domains/${String(zone['id'])}/records`)).map((record, index_key) => ({
        index_key,
        attributes: written.linode_domain_record(record, zone['id']),
      })),
    },
    one('linode_object_storage_bucket', 'assets', written.linode_object_storage_bucket(bucket)),
    one('linode_object_storage_key', 'uploads', written.linode_object_storage_key(key)),
    one('linode_sshkey', 'ops', written.linode_sshkey(ssh)),
    one('linode_stackscript', 'setup', written.linode_stackscript(script)),
    one('linode_database_mysql', 'db', written.linode_database_mysql(await now('/databases/mysql/instances', database))),
    one('linode_account_settings', 'all', {
      id: 'E1AF',
      longview_subscription: 'longview-3',
      backups_enabled: false,
      network_helper: false,
      managed: false,
    }),
  ];
}

const names = (): readonly string[] => manifests().map(({ kind, metadata }) => `${kind} ${metadata.name}`);
const volume = async (label: string, more: object = {}): Promise<Row> =>
  as('POST', '/volumes', { label, region: 'us-east', size: 20, ...more });

const follows = (address: string) => ({ instanceRef: { name: 'web' }, address });
describe('import terraform, what is asked for besides', () => {
  it('reads what terraform show -json writes as it reads a state', async () => {
    const all = await made();
    files['state.json'] = stateText('3.13', all);
    files['shown.json'] = shownText('3.13', all);
    await as('PUT', '/longview/plan', { longview_subscription: 'longview-3' });
    const pulled = await typed('import terraform state.json --to -');
    const shown = await typed('import terraform shown.json --to fleet');
    expect(shown.exit).toBe(0);
    expect(shown.out).toMatch(
      /^State as terraform show writes it, Terraform 1\.9\.8: \d+ instances of provider linode\. 1 resource of other/,
    );
    const inState = parseAllDocuments(pulled.out).map((document) => document.toJS() as Manifest);
    expect(manifests()).toHaveLength(inState.length);
    expect(manifests()).toEqual(expect.arrayContaining(inState));
    const refused = await typed('import terraform shown.json --to fleet --account linode.eu=team-a/default');
    expect([refused.exit, refused.err]).toEqual([2, expect.stringContaining('import what terraform state pull writes')]);
    const sensitive = [
      { attributes: written.linode_volume(await volume('hidden', { tags: ['Marked-Tag'] })), sensitive: ['label', 'tags'] },
    ];
    files['shown.json'] = shownText('3.13', [{ type: 'linode_volume', name: 'hidden', instances: sensitive }]);
    files['fleet/REPORT.md'] = '';
    const { out } = await typed('import terraform shown.json --to other --force');
    expect(out).toContain('2 values of the state are sensitive and were not written');
    expect(Object.entries(files).filter(([name, text]) => name.startsWith('other') && text.includes('Marked'))).toEqual([]);
  });

  it('--prefer state writes what the state says, says what would come of it, and proves the rest', async () => {
    const [row, same] = [await volume('data', { tags: ['shop'] }), await volume('same')];
    await world.clock.advance(minute);
    files['state.json'] = stateText('2.41', [
      one('linode_volume', 'data', { ...written.linode_volume(row), size: 40, tags: ['old'] }),
      one('linode_volume', 'same', written.linode_volume(same)),
    ]);
    const ran = await typed('import terraform state.json --to fleet --prefer state');
    expect(ran.exit).toBe(1);
    expect(manifests().map(({ spec }) => spec)).toMatchObject([{ sizeGiB: 40, tags: ['old'] }, { sizeGiB: 20 }]);
    expect(ran.out).toContain('2 manifests in fleet, 1 proven');
    expect(ran.out).toMatch(
      /CloudVolume data: the account differs, and the state is written: .*spec\.tags.*The operator sets that right once it manages it/,
    );
    const before = world.emulator.control.requests().length;
    await world.start();
    for (const { kind, metadata, spec } of manifests()) await world.apply(kind, metadata.name, spec);
    await world.clock.advance(5 * minute);
    expect(changes(before)).toEqual([]);
    await world.patch('CloudVolume', 'data', { spec: { lifecycle: null } });
    await world.clock.advance(20 * minute);
    expect(changes(before).toSorted()).toEqual(
      [`POST /volumes/${String(row['id'])}/resize`, `PUT /volumes/${String(row['id'])}`].toSorted(),
    );
  });

  it('--link lets a record follow the instance that has its address', async () => {
    const web = await as('POST', '/vm/instances', {
      region: 'us-east',
      type: 'g6-nanode-1',
      label: 'web-1',
      image: 'vm/debian11',
      root_pass: 'Marked-Root-Password',
    });
    await world.clock.advance(10 * minute);
    const row = await as('GET', `/vm/instances/${String(web['id'])}`);
    const [ipv4] = row['ipv4'] as readonly string[];
    const zone = await as('POST', '/domains', { domain: 'example.org', type: 'master', soa_email: 'a@example.org' });
    for (const record of [
      { type: 'A', name: 'www', target: ipv4 },
      { type: 'AAAA', name: 'www', target: String(row['ipv6']).split('/')[0] },
      { type: 'A', name: 'else', target: '192.0.2.1' },
      { type: 'TXT', name: 'www', target: ipv4 },
    ])
      await as('POST', `/domains/${String(zone['id'])}/records`, record);
    const records = await rows(`/domains/${String(zone['id'])}/records`);
    files['state.json'] = stateText('3.13', [
      one('linode_instance', 'web', written.linode_instance(row)),
      one('linode_domain', 'zone', written.linode_domain(zone)),
      ...records.map((record, at) => one('linode_domain_record', `r${at}`, written.linode_domain_record(record, zone['id']))),
    ]);
    const ran = await typed('import terraform state.json --to fleet --link');
    expect([ran.exit, ran.out]).toEqual([0, expect.stringContaining('6 manifests in fleet, 6 proven')]);
    const targets = manifests()
      .filter(({ kind }) => kind === 'CloudDomainRecord')
      .map(({ spec }) => spec['targetFrom'] ?? spec['target']);
    expect(targets).toEqual([follows('PublicIPv4'), follows('IPv6'), '192.0.2.1', ipv4]);
    const before = world.emulator.control.requests().length;
    await world.start();
    for (const { kind, metadata, spec } of manifests()) await world.apply(kind, metadata.name, { ...spec, lifecycle: {} });
    for (const { kind, metadata } of manifests()) await world.ready(kind, metadata.name);
    expect(changes(before)).toEqual([]);
    const refused = await typed('import terraform state.json --to fleet --link --verify none');
    expect([refused.exit, refused.err]).toEqual([2, expect.stringContaining('--link needs the account')]);
  });

  it("puts objects into namespaces by module or by a file, and keeps in the account's what all share", async () => {
    const [data, shop] = [await volume('data'), await volume('shop')];
    const key = await as('POST', '/profile/sshkeys', {
      label: 'ops',
      ssh_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEmanyYearsAgoThatThisKeyWasMadeAndUsedNow ops',
    });
    files['state.json'] = stateText('3.13', [
      one('linode_volume', 'data', written.linode_volume(data)),
      one('linode_volume', 'data', written.linode_volume(shop), { module: 'module.shop["EU"].module.db' }),
      one('linode_sshkey', 'ops', written.linode_sshkey(key), { module: 'module.shop["EU"]' }),
    ]);
    const where = (): readonly string[] => manifests().map(({ kind, metadata }) => `${metadata.namespace}/${kind} ${metadata.name}`);
    expect((await typed('import terraform state.json --to fleet --namespace-by module --layout kind --kustomization')).exit).toBe(0);
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining([
        'fleet/cloudvolume/team-a.data.yaml',
        'fleet/cloudvolume/shop-eu.shop-eu-db-data.yaml',
        'fleet/kustomization.yaml',
      ]),
    );
    for (const name of Object.keys(files)) if (name.endsWith('kustomization.yaml')) delete files[name];
    const placed = ['team-a/CloudVolume data', 'shop-eu/CloudVolume shop-eu-db-data', 'team-a/CloudSSHKey shop-eu-ops'];
    expect(where().toSorted()).toEqual(placed.toSorted());
    const spec = manifests().find(({ metadata }) => metadata.namespace === 'shop-eu')?.spec;
    expect(spec?.['accountRef']).toEqual({ name: 'default', namespace: 'team-a' });
    files = { 'state.json': files['state.json'] ?? '', where: 'module.shop: team-b\nmodule.shop["EU"].module.db: team-c\n' };
    expect((await typed('import terraform state.json --to fleet --namespace-by where --verify none')).exit).toBe(0);
    expect(where().toSorted()).toEqual(['team-a/CloudVolume data', 'team-b/CloudSSHKey shop-eu-ops', 'team-c/CloudVolume shop-eu-db-data']);
  });

  it('--with-image and --with-create-fields write how things were made, and name the Secret', async () => {
    const all = await made();
    const web = all.find(({ type }) => type === 'linode_instance');
    const attributes = { ...web?.instances[0]?.attributes, image: 'linode/debian11', stackscript_id: 7 };
    files['state.json'] = stateText('3.13', [one('linode_instance', 'web', attributes)]);
    const ran = await typed('import terraform state.json --to fleet --with-image --with-create-fields');
    expect([ran.exit, ran.out]).toEqual([0, expect.stringContaining('1 Secret is needed: SECRETS.md lists them')]);
    expect(manifests()[0]?.spec).toMatchObject({
      image: 'vm/debian11',
      rootPasswordSecretRef: { name: 'web-root', key: 'password' },
      stackscriptId: 7,
    });
    expect(files['fleet/SECRETS.md']).toContain('kubectl create secret generic web-root -n team-a');
    expect((await typed('import terraform state.json --to fleet')).exit).toBe(0);
    for (const field of ['image', 'stackscriptId', 'rootPasswordSecretRef']) expect(manifests()[0]?.spec).not.toHaveProperty(field);
    expect(JSON.stringify({ ...files, 'state.json': '' })).not.toContain('Marked');
  });

  it('--with-create-fields names the disk that an image was made of, where nothing is changed by that', async () => {
    const web = await as('POST', '/vm/instances', {
      region: 'us-east',
      type: 'g6-nanode-1',
      label: 'web-1',
      image: 'vm/debian11',
      root_pass: 'Marked-Root-Password',
    });
    await world.clock.advance(10 * minute);
    const [disk] = await rows(`/vm/instances/${String(web['id'])}/disks`);
    const image = await as('POST', '/images', { disk_id: disk?.['id'], label: 'golden' });
    await world.clock.advance(30 * minute);
    const attributes = { id: image['id'], label: 'golden', description: '', disk_id: disk?.['id'], linode_id: web['id'] };
    files['state.json'] = stateText('3.13', [one('linode_image', 'golden', attributes)]);
    expect((await typed('import terraform state.json --to fleet')).exit).toBe(0);
    expect(manifests()[0]?.spec).not.toHaveProperty('capture');
    expect((await typed('import terraform state.json --to fleet --with-create-fields')).exit).toBe(0);
    expect(manifests()[0]?.spec).toMatchObject({ label: 'golden', capture: { diskRef: { external: disk?.['id'] } } });
    const before = world.emulator.control.requests().length;
    await world.start();
    await world.apply('CloudImage', 'golden', { ...manifests()[0]?.spec, lifecycle: {} });
    await world.ready('CloudImage', 'golden');
    expect(changes(before)).toEqual([]);
  });
});

const poolAlone = async (flags: string): Promise<Ran> => {
  const pools = [{ type: 'g6-standard-2', count: 2 }];
  const { id } = await as('POST', '/lke/clusters', { label: 'prod', region: 'eu-central', k8s_version: '1.24', node_pools: pools });
  await world.clock.advance(10 * minute);
  const [pool] = await rows(`/lke/clusters/${String(id)}/pools`);
  const attributes = { ...pool, id: String(pool?.['id']), cluster_id: id };
  files['state.json'] = stateText('3.13', [one('linode_lke_node_pool', 'base', attributes)]);
  return typed(`import terraform state.json --to fleet ${flags}`.trim());
};

it('finds a bucket of which the state knows the region alone', async () => {
  const bucket = await as('POST', '/object-storage/buckets', { label: 'assets', cluster: 'us-east-1' });
  const attributes = { ...written.linode_object_storage_bucket(bucket), id: 'us-east:assets', cluster: null, region: 'us-east' };
  files['state.json'] = stateText('3.13', [
    one('linode_object_storage_bucket', 'assets', attributes),
    one('linode_object_storage_bucket', 'gone', { ...attributes, label: 'gone' }),
    one('linode_object_storage_bucket', 'far', { ...attributes, region: 'us' }),
  ]);
  const { exit, out } = await typed('import terraform state.json --to fleet');
  expect([exit, names()]).toEqual([1, ['CloudBucket assets']]);
  expect(manifests()[0]?.spec).toMatchObject({ adopt: { id: 'us-east-1/assets' }, cluster: 'us-east-1', label: 'assets' });
  expect(out).toContain('1 manifest in fleet, 1 proven');
  expect(out).not.toContain('the state differs');
  for (const name of ['gone', 'far'])
    expect(out).toMatch(new RegExp(`linode_object_storage_bucket.${name} stays in Terraform: .*is not in account`));
  expect((await typed('import terraform state.json --to fleet --verify none')).out).toContain('only the account says what it is');
});

it('shows no id that is made of what the state calls sensitive', async () => {
  const bucket = await as('POST', '/object-storage/buckets', { label: 'marked-label', cluster: 'us-east-1' });
  const attributes = written.linode_object_storage_bucket(bucket);
  const instances = [{ attributes, sensitive: ['label'] }];
  files['state.json'] = stateText('3.13', [{ type: 'linode_object_storage_bucket', name: 'assets', instances }]);
  const { exit, out, err } = await typed('import terraform state.json --to fleet');
  expect([exit, names()]).toEqual([1, []]);
  expect(out).toContain('the state does not say which one it is in the account');
  expect(out + err + (files['fleet/REPORT.md'] ?? '')).not.toContain('marked-label');
});

it('import does not write for CRDs of another release, unless it is told to', async () => {
  files['state.json'] = stateText('3.13', [one('linode_volume', 'data', written.linode_volume(await volume('data')))]);
  const crd = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/cloudvolumes.cloudhosting.dev';
  await world.admin('PATCH', crd, { metadata: { annotations: { 'cloudhosting.dev/schema-hash': 'of the next release' } } });
  expect(await typed('import terraform state.json --to fleet')).toMatchObject({ exit: 4, out: '' });
  expect((await typed('import terraform state.json --to fleet --skew')).exit).toBe(0);
});

describe('a node pool whose cluster is not imported', () => {
  it('is an object of its own, which changes nothing while it is observed', async () => {
    expect((await poolAlone('')).exit).toBe(0);
    expect(names()).toEqual(['CloudNodePool base']);
    expect(manifests()[0]?.spec).toMatchObject({ clusterRef: { external: expect.any(Number) as number }, type: 'g6-standard-2', count: 2 });
    const before = world.emulator.control.requests().length;
    await world.start();
    await world.apply('CloudNodePool', 'base', manifests()[0]?.spec ?? {});
    await world.ready('CloudNodePool', 'base');
    expect(changes(before)).toEqual([]);
  });
  it('stays in Terraform with --inline-pools', async () => {
    const { exit, out } = await poolAlone('--inline-pools');
    expect([exit, names()]).toEqual([1, []]);
    expect(out).toContain('which is not among what is imported: say it there');
  });
});
