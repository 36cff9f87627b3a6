import { beforeEach, describe, expect, it } from 'vitest';
import type { ImportData } from '../../../../src/plugin/output/account-shapes.ts';
import { AccountScene, type Manifest, minute, type Row } from '../../../support/plugin/account-scene.ts';
import { dataOf } from '../../../support/plugin/cloud-cli.ts';
import { made, one } from '../../../support/terraform/made.ts';
import { written } from '../../../support/terraform/rows.ts';
import { stateText, type Version, versions } from '../../../support/terraform/state.ts';
import type { World } from '../../../support/world/world.ts';

let scene: AccountScene;
let world: World;
beforeEach(async () => {
  scene = await AccountScene.create();
  ({ world } = scene);
});
const manifests = (): readonly Manifest[] => scene.manifests('fleet/');

describe.each(versions)('import terraform, provider %s', (version: Version) => {
  it('writes what changes nothing: applied, and promoted', async () => {
    await scene.as('PUT', '/longview/plan', { longview_subscription: 'longview-3' });
    scene.files['state.json'] = stateText(version, await made(scene));
    const before = world.emulator.control.requests().length;
    const ran = await scene.typed('import terraform state.json --to fleet --forget fleet -o json');
    const data = dataOf(ran) as unknown as ImportData;
    expect(data.left).toEqual([]);
    expect(ran.exit).toBe(0);
    expect(scene.changes(before)).toEqual([]);
    expect(data.written.filter(({ differs }) => differs !== undefined)).toEqual([]);
    expect(data.written.every(({ proven }) => proven)).toBe(true);
    expect(manifests()).toHaveLength(data.written.length);
    const { 'state.json': _, ...others } = scene.files;
    expect(JSON.stringify(others) + ran.out + ran.err).not.toContain('Marked');

    const planned = await scene.typed('plan -R -f fleet/');
    expect([planned.exit, planned.out]).toEqual([1, expect.not.stringContaining('refused')]);
    await world.start();
    for (const { kind, metadata, spec } of manifests()) await world.apply(kind, metadata.name, spec);
    for (const { kind, metadata } of manifests()) await world.ready(kind, metadata.name);
    expect(scene.changes(before)).toEqual([]);
    expect((await scene.typed('export --promote fleet')).exit).toBe(0);
    for (const { kind, metadata, spec } of manifests()) {
      expect(spec).not.toHaveProperty('lifecycle.management');
      await world.patch(kind, metadata.name, { spec: { lifecycle: { management: null } } });
    }
    await world.clock.advance(20 * minute);
    for (const { kind, metadata } of manifests()) await world.ready(kind, metadata.name);
    expect(scene.changes(before)).toEqual([]);
  });
});

const names = (): readonly string[] => manifests().map(({ kind, metadata }) => `${kind} ${metadata.name}`);

describe('import terraform', () => {
  it('calls objects after addresses, refers to what is beside them, and lets Terraform forget exactly that', async () => {
    scene.files['state.json'] = stateText('3.13', await made(scene));
    await scene.as('PUT', '/longview/plan', { longview_subscription: 'longview-3' });
    const ran = await scene.typed('import terraform state.json --to fleet --forget tf');
    expect(ran.exit).toBe(0);
    expect(names()).toEqual(expect.arrayContaining(['CloudInstance shop-eu-bare', 'CloudVolume loose-it-s', 'CloudDomainRecord all-3']));
    const by = (kind: string): Row => manifests().find((one) => one.kind === kind)?.spec ?? {};
    expect(by('CloudFirewall')['instanceRefs']).toEqual([{ name: 'web' }]);
    expect(by('CloudInstanceConfig')['devices']).toMatchObject({
      sda: { diskRef: { name: 'web-0' } },
      sdc: { volumeRef: { name: 'data' } },
    });
    expect(by('CloudObjectKey')['bucketAccess']).toEqual([{ bucketRef: { name: 'assets' }, permissions: 'read_only' }]);
    expect(by('CloudLongviewPlan')).toEqual({ lifecycle: { management: 'Observe' }, plan: 'longview-3' });
    expect(by('CloudVolume')).toMatchObject({ adopt: {}, lifecycle: { management: 'Observe' } });
    expect(manifests()[0]?.metadata.annotations).toEqual({ 'cloudhosting.dev/terraform-address': 'linode_instance.web' });
    expect(scene.files['tf/removed.tf']).toContain('from = linode_firewall_device.web\n');
    expect(ran.out).toContain('Then let Terraform forget it, by tf/removed.tf and tf/forget.sh, as they say at their heads');
    // Said of each instance, and once.
    expect(ran.out).toMatch(/^linode_instance\.web, module\.shop\["eu"\]\.linode_instance\.bare: metadata: user data is not/m);
    expect(ran.out.match(/user data is not/g)).toHaveLength(1);
    expect(scene.files['tf/removed.tf']).not.toContain('[');
    expect(scene.files['tf/forget.sh']).toContain(`terraform state rm 'linode_volume.loose["it'\\''s"]'\n`);
    expect(scene.files['tf/forget.sh']).toContain(`terraform state rm 'module.shop["eu"].linode_instance.bare'\n`);
  });

  it('takes the word of the account where the state says something else, and says so', async () => {
    const row = await scene.volume('data', { tags: ['shop'] });
    scene.files['state.json'] = stateText('2.41', [
      one('linode_volume', 'data', { ...written.linode_volume(row), size: 10, tags: ['old'] }),
    ]);
    const { exit, out } = await scene.typed('import terraform state.json --to fleet');
    expect(exit).toBe(0);
    expect(manifests()[0]?.spec).toMatchObject({ sizeGiB: 20, tags: ['shop'] });
    expect(out).toContain('CloudVolume data: the state differs, and the account is right');
    expect(out).toContain('run terraform plan first');
  });

  it('names what stays in Terraform, and does not let that be forgotten', async () => {
    const [mine, theirs, managed] = [
      await scene.volume('data'),
      await scene.volume('theirs', { tags: ['co-zzzzzzzz'] }),
      await scene.volume('managed'),
    ];
    await world.start();
    await world.apply('CloudVolume', 'managed', { adopt: { id: managed['id'] } });
    await world.ready('CloudVolume', 'managed');
    scene.files['state.json'] = stateText('3.13', [
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
    const { exit, out, err } = await scene.typed('import terraform state.json --to fleet --forget tf');
    expect(exit).toBe(1);
    expect(out + err + Object.values(scene.files).slice(1).join('')).not.toContain('Marked');
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
    expect(scene.files['tf/removed.tf']).not.toContain('from');
  });

  it('asks for the account of each configuration of the provider', async () => {
    const row = await scene.volume('data');
    scene.files['state.json'] = stateText('3.13', [one('linode_volume', 'data', written.linode_volume(row), { alias: 'eu' })]);
    const refused = await scene.typed('import terraform state.json --to fleet');
    expect(refused.exit).toBe(2);
    expect(refused.err).toContain('--account linode.eu=NAMESPACE/NAME');
    expect((await scene.typed('import terraform state.json --to fleet --account linode.eu=team-a/default')).exit).toBe(0);
    expect(names()).toEqual(['CloudVolume data']);
  });

  it('takes a part of a state, and refers by id to what is left', async () => {
    scene.files['state.json'] = stateText('3.13', await made(scene));
    const line = 'import terraform state.json --to fleet --include';
    const nothing = await scene.typed(`${line} module.sho`);
    expect(nothing).toMatchObject({ exit: 2 });
    expect(nothing.err).toContain('nothing in the state is at or below module.sho');
    expect((await scene.typed(`${line} linode_volume --include module.shop --exclude linode_volume.loose`)).exit).toBe(0);
    expect(names()).toEqual(['CloudInstance shop-eu-bare', 'CloudVolume data']);
    expect(manifests()[1]?.spec['instanceRef']).toEqual({ external: 1000 });
  });

  it('asks nobody with --verify=none, and says that nothing is proven', async () => {
    scene.files['state.json'] = stateText('1.30', await made(scene));
    const before = world.emulator.control.requests().length;
    const { exit, out } = await scene.typed('import terraform state.json --to fleet --verify none');
    expect(world.emulator.control.requests().slice(before)).toEqual([]);
    expect(exit).toBe(0);
    expect(out).toContain('manifests in fleet, 0 proven');
    expect(names()).toContain('CloudInstance shop-eu-bare');
  });

  it('never writes what the state calls sensitive, nor what the account shows of it', async () => {
    const row = await scene.volume('data', { tags: ['Marked-Tag'] });
    scene.files['state.json'] = stateText('3.13', [
      { type: 'linode_volume', name: 'data', instances: [{ attributes: written.linode_volume(row), sensitive: ['tags'] }] },
    ]);
    const { exit, out } = await scene.typed('import terraform state.json --to fleet');
    expect(exit).toBe(0);
    expect(out).toContain('1 value of the state is sensitive and was not written');
    expect(names()).toEqual(['CloudVolume data']);
    expect(manifests()[0]?.spec).not.toHaveProperty('tags');
  });

  it('applies nothing over an object that is called so and has nothing in the account yet', async () => {
    scene.files['state.json'] = stateText('3.13', [one('linode_volume', 'data', written.linode_volume(await scene.volume('data')))]);
    await world.apply('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 40 });
    expect((await scene.typed('import terraform state.json --to fleet')).exit).toBe(0);
    expect(names()).toEqual([expect.stringMatching(/^CloudVolume data-[0-9a-f]{8}$/)]);
  });

  it('shows the table', async () => {
    const { out, exit } = await scene.typed('import --mapping');
    expect(exit).toBe(0);
    expect(out).toMatch(/linode_instance +alerts\.network_in +spec\.alerts\.networkInMbps/);
    expect(out).toMatch(/linode_token +stays in Terraform/);
    dataOf(await scene.typed('import --mapping -o json'));
  });

  it.each([
    ['import', 'import terraform STATE'],
    ['import helm x --to fleet', 'import terraform STATE'],
    ['import terraform nowhere.json --to fleet', 'cannot be read'],
    ['import terraform manifests.yaml', '--to FOLDER'],
    ['import terraform manifests.yaml --to fleet', 'is no JSON'],
  ])('%s is refused', async (line, says) => {
    const { exit, err } = await scene.typed(line);
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
  const { id } = await scene.as('POST', '/lke/clusters', { label: 'prod', region: 'eu-central', k8s_version: '1.24', node_pools: pools });
  await world.clock.advance(10 * minute);
  const [first, second] = await scene.rows(`/lke/clusters/${String(id)}/pools`);
  const cluster = {
    id: String(id),
    label: 'prod',
    region: 'eu-central',
    k8s_version: '1.24',
    tags: [],
    kubeconfig: 'Marked',
    pool: [first],
  };
  scene.files['state.json'] = stateText('3.13', [
    one('linode_lke_cluster', 'prod', cluster),
    one('linode_lke_node_pool', 'more', { ...second, id: String(second?.['id']), cluster_id: id }),
  ]);
  const before = world.emulator.control.requests().length;
  expect((await scene.typed('import terraform state.json --to fleet --forget tf')).exit).toBe(0);
  expect(names()).toEqual(['CloudKubernetesCluster prod']);
  expect(manifests()[0]?.spec['nodePools']).toHaveLength(2);
  expect(scene.files['tf/removed.tf']).toContain('from = linode_lke_node_pool.more');
  await world.start();
  for (const { kind, metadata, spec } of manifests()) await world.apply(kind, metadata.name, spec);
  await world.ready('CloudKubernetesCluster', 'prod');
  expect(scene.changes(before)).toEqual([]);
  await world.patch('CloudKubernetesCluster', 'prod', { spec: { lifecycle: null } });
  await world.clock.advance(20 * minute);
  await world.ready('CloudKubernetesCluster', 'prod');
  const at = `/lke/clusters/${String(id)}/pools`;
  expect(scene.changes(before)).toEqual([`PUT ${at}/${String(first?.['id'])}`, `PUT ${at}/${String(second?.['id'])}`]);
  expect((await scene.rows(at)).map(unmarked)).toEqual([first, second].map(unmarked));
});

it.each([
  ['of others', [{ type: 'aws_instance' }], ', only 1 resource of other providers'],
  ['nothing at all', [], ''],
])('writes no file for a state that has %s, and says so', async (_, types, only) => {
  const provider = 'provider["registry.terraform.io/hashicorp/aws"]';
  const resources = types.map(({ type }) => ({ mode: 'managed', type, name: 'web', provider, instances: [{ attributes: { id: 'i-1' } }] }));
  const before = { 'state.json': JSON.stringify({ version: 4, terraform_version: '1.9.0', serial: 3, lineage: 'abc', resources }) };
  scene.files = { ...before };
  const says = `State of lineage abc, serial 3, Terraform 1.9.0: nothing of provider linode is in it${only}. Nothing is imported, and no file was written.`;
  for (const more of ['', ' --verify none']) {
    const ran = await scene.typed(`import terraform state.json --to fleet --forget tf${more}`);
    expect(ran).toMatchObject({ exit: 0, out: expect.stringContaining(says) as string });
  }
  const piped = await scene.typed('import terraform state.json --to -');
  expect(piped).toMatchObject({ exit: 0, out: '', err: expect.stringContaining(says) as string });
  expect(dataOf(await scene.typed('import terraform state.json --to fleet -o json'))).toMatchObject({ files: [], written: [] });
  expect(scene.files).toEqual(before);
});
