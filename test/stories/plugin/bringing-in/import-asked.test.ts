import { beforeEach, describe, expect, it } from 'vitest';
import { AccountScene, type Manifest, manifestsIn, minute, type Row } from '../../../support/plugin/account-scene.ts';
import type { Ran } from '../../../support/plugin/cloud-cli.ts';
import { made, one } from '../../../support/terraform/made.ts';
import { written } from '../../../support/terraform/rows.ts';
import { shownText, stateText } from '../../../support/terraform/state.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import type { World } from '../../../support/world/world.ts';

let scene: AccountScene;
let world: World;
beforeEach(async () => {
  scene = await AccountScene.create();
  ({ world } = scene);
});
const manifests = (): readonly Manifest[] => scene.manifests('fleet/');
/** An instance that was made of an image. */
async function deployed(): Promise<Row> {
  const image = { image: 'vm/debian11', root_pass: 'Marked-Root-Password' };
  const web = await scene.as('POST', '/vm/instances', { region: 'us-east', type: 'g6-nanode-1', label: 'web-1', ...image });
  await world.clock.advance(10 * minute);
  return web;
}

const names = (): readonly string[] => manifests().map(({ kind, metadata }) => `${kind} ${metadata.name}`);

const follows = (address: string) => ({ instanceRef: { name: 'web' }, address });
describe('import terraform, what is asked for besides', () => {
  it('reads what terraform show -json writes as it reads a state', async () => {
    const all = await made(scene);
    scene.files['state.json'] = stateText('3.13', all);
    scene.files['shown.json'] = shownText('3.13', all);
    await scene.as('PUT', '/longview/plan', { longview_subscription: 'longview-3' });
    const pulled = await scene.typed('import terraform state.json --to -');
    const shown = await scene.typed('import terraform shown.json --to fleet');
    expect(shown.exit).toBe(0);
    expect(shown.out).toMatch(
      /^State as terraform show writes it, Terraform 1\.9\.8: \d+ resource instances of provider linode\. 1 resource of other/,
    );
    const { terraform_version: _version, lineage: _lineage, ...bare } = JSON.parse(stateText('3.13', all)) as Record<string, unknown>;
    scene.files['bare.json'] = JSON.stringify(bare);
    expect((await scene.typed('import terraform bare.json --to bare')).out).toMatch(
      /^State without a lineage, of a Terraform that it does not name: \d+ resource instances/,
    );
    const inState = manifestsIn(pulled.out);
    expect(manifests()).toHaveLength(inState.length);
    expect(manifests()).toEqual(expect.arrayContaining([...inState]));
    const refused = await scene.typed('import terraform shown.json --to fleet --account linode.eu=team-a/default');
    expect([refused.exit, refused.err]).toEqual([2, expect.stringContaining('import what terraform state pull writes')]);
    const sensitive = [
      { attributes: written.linode_volume(await scene.volume('hidden', { tags: ['Marked-Tag'] })), sensitive: ['label', 'tags'] },
    ];
    scene.files['shown.json'] = shownText('3.13', [{ type: 'linode_volume', name: 'hidden', instances: sensitive }]);
    scene.files['fleet/REPORT.md'] = '';
    const { out } = await scene.typed('import terraform shown.json --to other --force');
    expect(out).toContain('2 values of the state are sensitive and were not written');
    expect(Object.entries(scene.files).filter(([name, text]) => name.startsWith('other') && text.includes('Marked'))).toEqual([]);
  });

  it('--prefer state writes what the state says, says what would come of it, and proves the rest', async () => {
    const [row, same] = [await scene.volume('data', { tags: ['shop'] }), await scene.volume('same')];
    await world.clock.advance(minute);
    scene.files['state.json'] = stateText('2.41', [
      one('linode_volume', 'data', { ...written.linode_volume(row), size: 40, tags: ['old'] }),
      one('linode_volume', 'same', written.linode_volume(same)),
    ]);
    const ran = await scene.typed('import terraform state.json --to fleet --prefer state');
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
    expect(scene.changes(before)).toEqual([]);
    await world.patch('CloudVolume', 'data', { spec: { lifecycle: null } });
    await world.clock.advance(20 * minute);
    expect(scene.changes(before).toSorted()).toEqual(
      [`POST /volumes/${String(row['id'])}/resize`, `PUT /volumes/${String(row['id'])}`].toSorted(),
    );
  });

  it('--link lets a record follow the instance that has its address', async () => {
    const web = await deployed();
    const row = await scene.as('GET', `/vm/instances/${String(web['id'])}`);
    const [ipv4] = row['ipv4'] as readonly string[];
    const zone = await scene.as('POST', '/domains', { domain: 'example.org', type: 'master', soa_email: 'a@example.org' });
    for (const record of [
      { type: 'A', name: 'www', target: ipv4 },
      { type: 'AAAA', name: 'www', target: String(row['ipv6']).split('/')[0] },
      { type: 'A', name: 'else', target: '192.0.2.1' },
      { type: 'TXT', name: 'www', target: ipv4 },
    ])
      await scene.as('POST', `/domains/${String(zone['id'])}/records`, record);
    const records = await scene.rows(`/domains/${String(zone['id'])}/records`);
    scene.files['state.json'] = stateText('3.13', [
      one('linode_instance', 'web', written.linode_instance(row)),
      one('linode_domain', 'zone', written.linode_domain(zone)),
      ...records.map((record, at) => one('linode_domain_record', `r${at}`, written.linode_domain_record(record, zone['id']))),
    ]);
    const ran = await scene.typed('import terraform state.json --to fleet --link');
    expect([ran.exit, ran.out]).toEqual([0, expect.stringContaining('6 manifests in fleet, 6 proven')]);
    const targets = manifests()
      .filter(({ kind }) => kind === 'CloudDomainRecord')
      .map(({ spec }) => spec['targetFrom'] ?? spec['target']);
    expect(targets).toEqual([follows('PublicIPv4'), follows('IPv6'), '192.0.2.1', ipv4]);
    const before = world.emulator.control.requests().length;
    await world.start();
    for (const { kind, metadata, spec } of manifests()) await world.apply(kind, metadata.name, { ...spec, lifecycle: {} });
    for (const { kind, metadata } of manifests()) await world.ready(kind, metadata.name);
    expect(scene.changes(before)).toEqual([]);
    const refused = await scene.typed('import terraform state.json --to fleet --link --verify none');
    expect([refused.exit, refused.err]).toEqual([2, expect.stringContaining('--link needs the account')]);
  });

  it("puts objects into namespaces by module or by a file, and keeps in the account's what all share", async () => {
    const [data, shop] = [await scene.volume('data'), await scene.volume('shop')];
    const key = await scene.as('POST', '/profile/sshkeys', {
      label: 'ops',
      ssh_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEmanyYearsAgoThatThisKeyWasMadeAndUsedNow ops',
    });
    scene.files['state.json'] = stateText('3.13', [
      one('linode_volume', 'data', written.linode_volume(data)),
      one('linode_volume', 'data', written.linode_volume(shop), { module: 'module.shop["EU"].module.db' }),
      one('linode_sshkey', 'ops', written.linode_sshkey(key), { module: 'module.shop["EU"]' }),
    ]);
    const where = (): readonly string[] => manifests().map(({ kind, metadata }) => `${metadata.namespace}/${kind} ${metadata.name}`);
    expect((await scene.typed('import terraform state.json --to fleet --namespace-by module --layout kind --kustomization')).exit).toBe(0);
    expect(Object.keys(scene.files)).toEqual(
      expect.arrayContaining([
        'fleet/cloudvolume/team-a.data.yaml',
        'fleet/cloudvolume/shop-eu.shop-eu-db-data.yaml',
        'fleet/kustomization.yaml',
      ]),
    );
    for (const name of Object.keys(scene.files)) if (name.endsWith('kustomization.yaml')) delete scene.files[name];
    const placed = ['team-a/CloudVolume data', 'shop-eu/CloudVolume shop-eu-db-data', 'team-a/CloudSSHKey shop-eu-ops'];
    expect(where().toSorted()).toEqual(placed.toSorted());
    const spec = manifests().find(({ metadata }) => metadata.namespace === 'shop-eu')?.spec;
    expect(spec?.['accountRef']).toEqual({ name: 'default', namespace: 'team-a' });
    scene.files = { 'state.json': scene.files['state.json'] ?? '', where: 'module.shop: team-b\nmodule.shop["EU"].module.db: team-c\n' };
    expect((await scene.typed('import terraform state.json --to fleet --namespace-by where --verify none')).exit).toBe(0);
    expect(where().toSorted()).toEqual(['team-a/CloudVolume data', 'team-b/CloudSSHKey shop-eu-ops', 'team-c/CloudVolume shop-eu-db-data']);
  });

  it('--with-image and --with-create-fields write how things were made, and name the Secret', async () => {
    const all = await made(scene);
    const web = all.find(({ type }) => type === 'linode_instance');
    const attributes = { ...web?.instances[0]?.attributes, image: 'linode/debian11', stackscript_id: 7 };
    scene.files['state.json'] = stateText('3.13', [one('linode_instance', 'web', attributes)]);
    const ran = await scene.typed('import terraform state.json --to fleet --with-image --with-create-fields');
    expect([ran.exit, ran.out]).toEqual([0, expect.stringContaining('1 Secret is needed: SECRETS.md lists them')]);
    expect(manifests()[0]?.spec).toMatchObject({
      image: 'vm/debian11',
      rootPasswordSecretRef: { name: 'web-root', key: 'password' },
      stackscriptId: 7,
    });
    expect(scene.files['fleet/SECRETS.md']).toContain('kubectl create secret generic web-root -n team-a');
    expect((await scene.typed('import terraform state.json --to fleet')).exit).toBe(0);
    for (const field of ['image', 'stackscriptId', 'rootPasswordSecretRef']) expect(manifests()[0]?.spec).not.toHaveProperty(field);
    expect(JSON.stringify({ ...scene.files, 'state.json': '' })).not.toContain('Marked');
  });

  it('--with-create-fields names the disk that an image was made of, where nothing is changed by that', async () => {
    const web = await deployed();
    const [disk] = await scene.rows(`/vm/instances/${String(web['id'])}/disks`);
    const image = await scene.as('POST', '/images', { disk_id: disk?.['id'], label: 'golden' });
    await world.clock.advance(30 * minute);
    const attributes = { id: image['id'], label: 'golden', description: '', disk_id: disk?.['id'], linode_id: web['id'] };
    scene.files['state.json'] = stateText('3.13', [one('linode_image', 'golden', attributes)]);
    expect((await scene.typed('import terraform state.json --to fleet')).exit).toBe(0);
    expect(manifests()[0]?.spec).not.toHaveProperty('capture');
    expect((await scene.typed('import terraform state.json --to fleet --with-create-fields')).exit).toBe(0);
    expect(manifests()[0]?.spec).toMatchObject({ label: 'golden', capture: { diskRef: { external: disk?.['id'] } } });
    const before = world.emulator.control.requests().length;
    await world.start();
    await world.apply('CloudImage', 'golden', { ...manifests()[0]?.spec, lifecycle: {} });
    await world.ready('CloudImage', 'golden');
    expect(scene.changes(before)).toEqual([]);
  });
});

const poolAlone = async (flags: string): Promise<Ran> => {
  const pools = [{ type: 'g6-standard-2', count: 2 }];
  const { id } = await scene.as('POST', '/lke/clusters', { label: 'prod', region: 'eu-central', k8s_version: '1.24', node_pools: pools });
  await world.clock.advance(10 * minute);
  const [pool] = await scene.rows(`/lke/clusters/${String(id)}/pools`);
  const attributes = { ...pool, id: String(pool?.['id']), cluster_id: id };
  scene.files['state.json'] = stateText('3.13', [one('linode_lke_node_pool', 'base', attributes)]);
  return scene.typed(`import terraform state.json --to fleet ${flags}`.trim());
};

it('finds a bucket of which the state knows the region alone', async () => {
  const bucket = await scene.as('POST', '/object-storage/buckets', { label: 'assets', cluster: 'us-east-1' });
  const attributes = { ...written.linode_object_storage_bucket(bucket), id: 'us-east:assets', cluster: null, region: 'us-east' };
  scene.files['state.json'] = stateText('3.13', [
    one('linode_object_storage_bucket', 'assets', attributes),
    one('linode_object_storage_bucket', 'gone', { ...attributes, label: 'gone' }),
    one('linode_object_storage_bucket', 'far', { ...attributes, region: 'us' }),
  ]);
  const { exit, out } = await scene.typed('import terraform state.json --to fleet');
  expect([exit, names()]).toEqual([1, ['CloudBucket assets']]);
  expect(manifests()[0]?.spec).toMatchObject({ adopt: { id: 'us-east-1/assets' }, cluster: 'us-east-1', label: 'assets' });
  expect(out).toContain('1 manifest in fleet, 1 proven');
  expect(out).not.toContain('the state differs');
  for (const name of ['gone', 'far'])
    expect(out).toMatch(new RegExp(`linode_object_storage_bucket.${name} stays in Terraform: .*is not in account`));
  expect((await scene.typed('import terraform state.json --to fleet --verify none')).out).toContain('only the account says what it is');
});

it('shows no id that is made of what the state calls sensitive', async () => {
  const bucket = await scene.as('POST', '/object-storage/buckets', { label: 'marked-label', cluster: 'us-east-1' });
  const attributes = written.linode_object_storage_bucket(bucket);
  const instances = [{ attributes, sensitive: ['label'] }];
  scene.files['state.json'] = stateText('3.13', [{ type: 'linode_object_storage_bucket', name: 'assets', instances }]);
  const { exit, out, err } = await scene.typed('import terraform state.json --to fleet');
  expect([exit, names()]).toEqual([1, []]);
  expect(out).toContain('the state does not say which one it is in the account');
  expect(out + err + (scene.files['fleet/REPORT.md'] ?? '')).not.toContain('marked-label');
});

it('takes no line and no control of a terminal from what somebody called something', async () => {
  const row = await scene.volume('data', { tags: ['\u001B[2J\n9 manifests in fleet'] });
  scene.files['state.json'] = stateText('3.13', [one('linode_volume', 'data', { ...written.linode_volume(row), tags: ['shop'] })]);
  const { out } = await scene.typed('import terraform state.json --to fleet');
  for (const text of [out, scene.files['fleet/REPORT.md'] ?? '']) {
    expect(text).toContain('the state differs');
    expect(text).not.toMatch(/(?!\n)\p{Cc}|^9 manifests/mu);
  }
});

it('import does not write for CRDs of another release, unless it is told to', async () => {
  scene.files['state.json'] = stateText('3.13', [one('linode_volume', 'data', written.linode_volume(await scene.volume('data')))]);
  const crd = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/cloudvolumes.cloudhosting.dev';
  await world.admin('PATCH', crd, { metadata: { annotations: { 'cloudhosting.dev/schema-hash': 'of the next release' } } });
  expect(await scene.typed('import terraform state.json --to fleet')).toMatchObject({ exit: 4, out: '' });
  expect((await scene.typed('import terraform state.json --to fleet --skew')).exit).toBe(0);
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
    expect(scene.changes(before)).toEqual([]);
  });
  it('stays in Terraform with --inline-pools', async () => {
    const { exit, out } = await poolAlone('--inline-pools');
    expect([exit, names()]).toEqual([1, []]);
    expect(out).toContain('which is not among what is imported: say it there');
  });
});

const stored = (name: string, key: string, more: object = {}) =>
  one('linode_object_storage_object', name, {
    id: `assets/${key}`,
    bucket: 'assets',
    cluster: 'us-east-1',
    key,
    acl: 'private',
    content: 'Marked',
    ...more,
  });
describe('what otherwise stays in Terraform', () => {
  it('--with-object-acls: the access of an object of a bucket is managed, and its data stays', async () => {
    const user = new CloudUser(world);
    await scene.as('POST', '/object-storage/buckets', { label: 'assets', cluster: 'us-east-1' });
    for (const key of ['img/logo.png', 'notes.txt']) await user.object('us-east-1/assets', 'PUT', key, 'x');
    await scene.as('PUT', '/object-storage/buckets/us-east-1/assets/object-acl', { name: 'img/logo.png', acl: 'public-read' });
    scene.files['state.json'] = stateText('2.41', [
      stored('logo', 'img/logo.png', { acl: 'public-read' }),
      stored('notes', 'notes.txt', { acl: 'public-read' }),
      stored('gone', 'gone.txt'),
      stored('odd', 'odd.txt', { acl: 'custom' }),
      stored('region', 'x.txt', { cluster: null, region: 'us-east' }),
    ]);
    expect((await scene.typed('import terraform state.json --to fleet')).out).toContain('0 manifests in fleet');
    const { exit, out, err } = await scene.typed('import terraform state.json --to fleet --with-object-acls --forget tf');
    const bucketRef = { external: 'us-east-1/assets' };
    expect(manifests().map(({ metadata, spec }) => [metadata.name, spec])).toEqual([
      ['logo', { lifecycle: { management: 'Observe' }, bucketRef, object: 'img/logo.png', acl: 'public-read' }],
      ['notes', { lifecycle: { management: 'Observe' }, bucketRef, object: 'notes.txt', acl: 'private' }],
    ]);
    expect(exit).toBe(1);
    expect(out).toMatch(/^linode_object_storage_object\.logo stays in Terraform: .*take acl out of it/m);
    expect(out.match(/gone stays/g)).toHaveLength(1);
    expect(out).toContain('CloudObjectACL notes: the state differs, and the account is right');
    expect(out).toMatch(/^linode_object_storage_object\.gone stays in Terraform: CloudObjectACL .*is not in account/m);
    expect(out).toMatch(/^linode_object_storage_object\.odd stays in Terraform: .*custom/m);
    expect(out).toMatch(/^linode_object_storage_object\.region stays in Terraform: .*cluster/m);
    expect(out + err + JSON.stringify({ ...scene.files, 'state.json': '' })).not.toContain('Marked');
    expect(scene.files['tf/removed.tf']).not.toContain('removed {');
    const before = world.emulator.control.requests().length;
    await world.start();
    for (const { kind, metadata, spec } of manifests()) await world.apply(kind, metadata.name, { ...spec, lifecycle: {} });
    for (const { kind, metadata } of manifests()) await world.ready(kind, metadata.name);
    expect(scene.changes(before)).toEqual([]);
  });

  it('--with-object-acls takes no name that another object has', async () => {
    const user = new CloudUser(world);
    await scene.as('POST', '/object-storage/buckets', { label: 'assets', cluster: 'us-east-1' });
    for (const key of ['a.txt', 'b.txt']) await user.object('us-east-1/assets', 'PUT', key, 'x');
    await world.apply('CloudObjectACL', 'logo', { bucketRef: { external: 'us-east-1/assets' }, object: 'a.txt', acl: 'private' });
    const b = { id: 'assets/b.txt', bucket: 'assets', cluster: 'us-east-1', key: 'b.txt', acl: 'private' };
    scene.files['state.json'] = stateText('2.41', [one('linode_object_storage_object', 'logo', b)]);
    await scene.typed('import terraform state.json --to fleet --with-object-acls');
    expect(manifests().map(({ metadata, spec }) => [metadata.name, spec['object']])).toEqual([
      [expect.stringMatching(/^logo-[0-9a-f]{8}$/), 'b.txt'],
    ]);
  });

  it('--read-as: a database of the later generation is observed, and --promote leaves it so', async () => {
    const database = { label: 'shop-db', region: 'us-east', type: 'g6-nanode-1', engine: 'mysql/8.0.26' };
    const { id } = await scene.as('POST', '/databases/mysql/instances', database);
    await world.clock.advance(90 * minute);
    const row = await scene.as('GET', `/databases/mysql/instances/${String(id)}`);
    const later = {
      ...written.linode_database_mysql(row),
      suspended: false,
      engine_config_mysql_connect_timeout: 10,
      root_password: 'Marked',
    };
    scene.files['state.json'] = stateText('3.13', [one('linode_database_mysql_v2', 'shop', later)]);
    expect((await scene.typed('import terraform state.json --to fleet')).out).toContain('0 manifests in fleet');
    for (const pair of ['linode_database_mysql_v2', 'linode_database_mysql_v2=linode_volume', 'linode_token=linode_volume'])
      expect(await scene.typed(`import terraform state.json --to fleet --read-as ${pair}`)).toMatchObject({
        exit: 2,
        err: expect.stringContaining('linode_database_mysql_v2=linode_database_mysql') as string,
      });
    const line = 'import terraform state.json --to fleet --read-as linode_database_mysql_v2=linode_database_mysql --management Manage';
    const { exit, out } = await scene.typed(`${line} --forget tf`);
    expect([exit, names()]).toEqual([1, ['CloudDatabase shop']]);
    expect(out).toMatch(/^linode_database_mysql_v2\.shop stays in Terraform: .*only observed/m);
    expect(scene.files['tf/removed.tf']).not.toContain('removed {');
    expect((await scene.typed('export --promote fleet')).exit).toBe(0);
    expect(manifests()[0]?.spec).toMatchObject({ adopt: { id }, lifecycle: { management: 'Observe' } });
    const before = world.emulator.control.requests().length;
    await world.start();
    await world.apply('CloudDatabase', 'shop', manifests()[0]?.spec ?? {});
    await world.reason('CloudDatabase', 'shop', 'Observed');
    expect(scene.changes(before)).toEqual([]);
    expect(JSON.stringify({ ...scene.files, 'state.json': '' }) + out).not.toContain('Marked');
  });
});
