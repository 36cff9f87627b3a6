import { beforeEach, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { ImportData } from '../../src/plugin/output/account-shapes.ts';
import { cloud, type CliOptions, dataOf, endpoint, type Ran } from '../support/cloud-cli.ts';
import { written } from '../support/terraform/rows.ts';
import { type Resource, stateText, type Version, versions } from '../support/terraform/state.ts';
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

describe.each(versions)('import terraform, provider %s', (version: Version) => {
  it('writes what changes nothing: applied, and promoted', async () => {
    await as('PUT', '/longview/plan', { longview_subscription: 'longview-3' });
    files['state.json'] = stateText(version, await made());
    const before = world.emulator.control.requests().length;
    const ran = await typed('import terraform state.json --to fleet --forget fleet -o json');
    const data = dataOf(ran) as unknown as ImportData;
    expect(data.left).toEqual([]);
    expect(ran.exit).toBe(0);
    expect(changes(before)).toEqual([]);
    expect(data.written.filter(({ differs }) => differs !== undefined)).toEqual([]);
    expect(data.written.every(({ proven }) => proven)).toBe(true);
    expect(manifests()).toHaveLength(data.written.length);
    const { 'state.json': _, ...others } = files;
    expect(JSON.stringify(others) + ran.out + ran.err).not.toContain('Marked');

    await world.start();
    for (const { kind, metadata, spec } of manifests()) await world.apply(kind, metadata.name, spec);
    for (const { kind, metadata } of manifests()) await world.ready(kind, metadata.name);
    expect(changes(before)).toEqual([]);
    expect((await typed('export --promote fleet')).exit).toBe(0);
    for (const { kind, metadata, spec } of manifests()) {
      expect(spec).not.toHaveProperty('lifecycle.management');
      await world.patch(kind, metadata.name, { spec: { lifecycle: { management: null } } });
    }
    await world.clock.advance(20 * minute);
    for (const { kind, metadata } of manifests()) await world.ready(kind, metadata.name);
    expect(changes(before)).toEqual([]);
  });
});

const names = (): readonly string[] => manifests().map(({ kind, metadata }) => `${kind} ${metadata.name}`);
const volume = async (label: string, more: object = {}): Promise<Row> =>
  as('POST', '/volumes', { label, region: 'us-east', size: 20, ...more });

describe('import terraform', () => {
  it('calls objects after addresses, refers to what is beside them, and lets Terraform forget exactly that', async () => {
    files['state.json'] = stateText('3.13', await made());
    await as('PUT', '/longview/plan', { longview_subscription: 'longview-3' });
    expect((await typed('import terraform state.json --to fleet --forget tf')).exit).toBe(0);
    expect(names()).toEqual(expect.arrayContaining(['CloudInstance shop-eu-bare', 'CloudVolume loose-it-s', 'CloudDomainRecord all-3']));
    const by = (kind: string): Row => manifests().find((one) => one.kind === kind)?.spec ?? {};
    expect(by('CloudFirewall')['instanceRefs']).toEqual([{ name: 'web' }]);
    expect(by('CloudInstanceConfig')['devices']).toMatchObject({
      sda: { diskRef: { name: 'web-0' } },
      sdc: { volumeRef: { name: 'data' } },
    });
    expect(by('CloudObjectKey')['bucketAccess']).toEqual([{ bucketRef: { name: 'assets' }, permissions: 'read_only' }]);
    expect(by('CloudLongviewPlan')).toEqual({ lifecycle: { management: 'Observe', onDelete: 'Retain' }, plan: 'longview-3' });
    expect(by('CloudVolume')).toMatchObject({ adopt: {}, lifecycle: { management: 'Observe' } });
    expect(manifests()[0]?.metadata.annotations).toEqual({ 'cloudhosting.dev/terraform-address': 'linode_instance.web' });
    expect(files['tf/removed.tf']).toContain('from = linode_firewall_device.web\n');
    expect(files['tf/removed.tf']).not.toContain('[');
    expect(files['tf/forget.sh']).toContain(`terraform state rm 'linode_volume.loose["it'\\''s"]'\n`);
    expect(files['tf/forget.sh']).toContain(`terraform state rm 'module.shop["eu"].linode_instance.bare'\n`);
  });

  it('takes the word of the account where the state says something else, and says so', async () => {
    const row = await volume('data', { tags: ['shop'] });
    files['state.json'] = stateText('2.41', [one('linode_volume', 'data', { ...written.linode_volume(row), size: 10, tags: ['old'] })]);
    const { exit, out } = await typed('import terraform state.json --to fleet');
    expect(exit).toBe(0);
    expect(manifests()[0]?.spec).toMatchObject({ sizeGiB: 20, tags: ['shop'] });
    expect(out).toContain('CloudVolume data: the state differs, and the account is right');
    expect(out).toContain('run terraform plan first');
  });

  it('names what stays in Terraform, and does not let that be forgotten', async () => {
    const [mine, theirs, managed] = [await volume('data'), await volume('theirs', { tags: ['co-zzzzzzzz'] }), await volume('managed')];
    await world.start();
    await world.apply('CloudVolume', 'managed', { adopt: { id: managed['id'] } });
    await world.ready('CloudVolume', 'managed');
    files['state.json'] = stateText('3.13', [
      {
        type: 'linode_volume',
        name: 'data',
        instances: [
          { attributes: written.linode_volume(mine), status: 'tainted' },
          { attributes: { id: '77' }, deposed: '1a2b3c4d' },
        ],
      },
      one('linode_volume', 'theirs', written.linode_volume(theirs)),
      one('linode_volume', 'managed', written.linode_volume(managed)),
      one('linode_volume', 'gone', { ...written.linode_volume(mine), id: '4711' }),
      one('linode_volume', 'odd', { ...written.linode_volume(mine), id: 'Marked' }),
      one('linode_nodebalancer', 'front', { id: '1', client_conn_throttle: 1 }),
      one('linode_token', 'ci', { id: '2', token: 'Marked-Token' }),
      one('linode_brand_new', 'x', { id: '3', secret: 'Marked-Secret' }),
      one('linode_firewall_device', 'x', { id: '9', firewall_id: 3000, entity_id: 1000, entity_type: 'linode' }),
      one('linode_image', 'golden', { id: 'private/5' }),
    ]);
    const { exit, out, err } = await typed('import terraform state.json --to fleet --forget tf');
    expect(exit).toBe(1);
    expect(out + err + Object.values(files).slice(1).join('')).not.toContain('Marked');
    const says = (address: string, why: string): void => expect(out).toMatch(new RegExp(`^${address} stays in Terraform: .*${why}`, 'm'));
    says('linode_volume.theirs', 'tag of another installation');
    says('linode_volume.managed', 'an object stands for it already');
    says('linode_volume.gone', 'CloudVolume 4711 is not in account');
    says('linode_volume.odd', 'does not say which one');
    says('linode_nodebalancer.front', 'load balancers');
    says('linode_token.ci', 'in clear');
    says('linode_brand_new.x', 'does not know this type');
    says('linode_firewall_device.x', 'CloudFirewall with id 3000');
    says('linode_image.golden', 'CloudImage');
    says('linode_volume.data', 'deposed instance');
    expect(out).toContain('linode_volume.data: it is tainted');
    expect(out).toContain('Whoever reads the state has those of linode_token.ci: rotate them');
    // A deposed instance has the address of the one that counts, which then cannot be forgotten alone.
    expect(names()).toEqual(['CloudVolume data']);
    expect(files['tf/removed.tf']).not.toContain('from');
  });

  it('asks for the account of each configuration of the provider', async () => {
    const row = await volume('data');
    files['state.json'] = stateText('3.13', [one('linode_volume', 'data', written.linode_volume(row), { alias: 'eu' })]);
    const refused = await typed('import terraform state.json --to fleet');
    expect(refused.exit).toBe(2);
    expect(refused.err).toContain('--account linode.eu=NAMESPACE/NAME');
    expect((await typed('import terraform state.json --to fleet --account linode.eu=team-a/default')).exit).toBe(0);
    expect(names()).toEqual(['CloudVolume data']);
  });

  it('takes a part of a state, and refers by id to what is left', async () => {
    files['state.json'] = stateText('3.13', await made());
    const line = 'import terraform state.json --to fleet --include';
    const nothing = await typed(`${line} module.sho`);
    expect(nothing).toMatchObject({ exit: 2 });
    expect(nothing.err).toContain('nothing in the state is at or below module.sho');
    expect((await typed(`${line} linode_volume --include module.shop --exclude linode_volume.loose`)).exit).toBe(0);
    expect(names()).toEqual(['CloudInstance shop-eu-bare', 'CloudVolume data']);
    expect(manifests()[1]?.spec['instanceRef']).toEqual({ external: 1000 });
  });

  it('asks nobody with --verify=none, and says that nothing is proven', async () => {
    files['state.json'] = stateText('1.30', await made());
    const before = world.emulator.control.requests().length;
    const { exit, out } = await typed('import terraform state.json --to fleet --verify none');
    expect(world.emulator.control.requests().slice(before)).toEqual([]);
    expect(exit).toBe(0);
    expect(out).toContain('manifests in fleet, 0 proven');
    expect(names()).toContain('CloudInstance shop-eu-bare');
  });

  it('never writes what the state calls sensitive, nor what the account shows of it', async () => {
    const row = await volume('data', { tags: ['Marked-Tag'] });
    files['state.json'] = stateText('3.13', [
      { type: 'linode_volume', name: 'data', instances: [{ attributes: written.linode_volume(row), sensitive: ['tags'] }] },
    ]);
    const { exit, out } = await typed('import terraform state.json --to fleet');
    expect(exit).toBe(0);
    expect(out).toContain('1 value of the state is sensitive and was not written');
    expect(names()).toEqual(['CloudVolume data']);
    expect(manifests()[0]?.spec).not.toHaveProperty('tags');
  });

  it('shows the table', async () => {
    const { out, exit } = await typed('import --mapping');
    expect(exit).toBe(0);
    expect(out).toMatch(/linode_instance +alerts\.network_in +spec\.alerts\.networkInMbps/);
    expect(out).toMatch(/linode_token +stays in Terraform/);
    dataOf(await typed('import --mapping -o json'));
  });

  it.each([
    ['import', 'import terraform STATE'],
    ['import helm x --to fleet', 'import terraform STATE'],
    ['import terraform nowhere.json --to fleet', 'cannot be read'],
    ['import terraform manifests.yaml', '--to FOLDER'],
    ['import terraform manifests.yaml --to fleet', 'is no JSON'],
  ])('%s is refused', async (line, says) => {
    const { exit, err } = await typed(line);
    expect(err).toContain(says);
    expect(exit).toBe(2);
  });
});

const unmarked = (pool: Row | undefined): Row => ({ ...pool, tags: [] });

it('brings in a Kubernetes cluster with all its pools as one object, which get its mark once it is managed, and nothing else', async () => {
  const pools = [
    { type: 'g6-standard-2', count: 2 },
    { type: 'g6-standard-1', count: 1 },
  ];
  const { id } = await as('POST', '/lke/clusters', { label: 'prod', region: 'eu-central', k8s_version: '1.24', node_pools: pools });
  await world.clock.advance(10 * minute);
  const [first, second] = await rows(`/lke/clusters/${String(id)}/pools`);
  const cluster = {
    id: String(id),
    label: 'prod',
    region: 'eu-central',
    k8s_version: '1.24',
    tags: [],
    kubeconfig: 'Marked',
    pool: [first],
  };
  files['state.json'] = stateText('3.13', [
    one('linode_lke_cluster', 'prod', cluster),
    one('linode_lke_node_pool', 'more', { ...second, id: String(second?.['id']), cluster_id: id }),
  ]);
  const before = world.emulator.control.requests().length;
  expect((await typed('import terraform state.json --to fleet --forget tf')).exit).toBe(0);
  expect(names()).toEqual(['CloudKubernetesCluster prod']);
  expect(manifests()[0]?.spec['nodePools']).toHaveLength(2);
  expect(files['tf/removed.tf']).toContain('from = linode_lke_node_pool.more');
  await world.start();
  for (const { kind, metadata, spec } of manifests()) await world.apply(kind, metadata.name, spec);
  await world.ready('CloudKubernetesCluster', 'prod');
  expect(changes(before)).toEqual([]);
  await world.patch('CloudKubernetesCluster', 'prod', { spec: { lifecycle: null } });
  await world.clock.advance(20 * minute);
  await world.ready('CloudKubernetesCluster', 'prod');
  const at = `/lke/clusters/${String(id)}/pools`;
  expect(changes(before)).toEqual([`PUT ${at}/${String(first?.['id'])}`, `PUT ${at}/${String(second?.['id'])}`]);
  expect((await rows(at)).map(unmarked)).toEqual([first, second].map(unmarked));
});
