import { beforeEach, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { ExportData } from '../../../../src/plugin/output/account-shapes.ts';
import { AccountScene, manifestsIn, minute } from '../../../support/plugin/account-scene.ts';
import { cloud, dataOf, type Ran } from '../../../support/plugin/cloud-cli.ts';
import type { World } from '../../../support/world/world.ts';
import { years } from '../../../support/world/years.ts';

let scene: AccountScene;
let world: World;
beforeEach(async () => {
  scene = await AccountScene.create({ emulator: { knobs: { extraPublicAddresses: true } } });
  ({ world } = scene);
});

const line = (text: string): Promise<Ran> => cloud(world, text, { files: scene.files, limit: 10 * minute });
const apply = async (): Promise<void> => {
  for (const { kind, metadata, spec } of scene.manifests()) await world.apply(kind, metadata.name, spec);
};
describe('what is applied', () => {
  beforeEach(async () => {
    await years(scene);
    await world.start();
    await world.apply('CloudVolume', 'beside', { region: 'us-east', sizeGiB: 20 });
    await world.ready('CloudVolume', 'beside');
    await scene.typed('export --to fleet');
  });

  it('is waited for and compared by its manifests alone', async () => {
    expect(await line('wait -R -f fleet --for=Observed')).toMatchObject({
      exit: 4,
      err: expect.stringContaining('Apply the manifests first') as string,
    });
    await apply();
    const { exit, out } = await line('wait -R -f fleet --for=Observed');
    expect([exit, out]).toEqual([0, expect.stringMatching(new RegExp(`^${scene.manifests().length} objects are observed`))]);
    expect(await line('diff -R -f fleet')).toMatchObject({
      exit: 0,
      out: `Nothing differs (${scene.manifests().length} objects compared).\n`,
    });
    expect((await line('wait -f fleet cvol/data')).exit).toBe(2);
    expect((await line('wait -f fleet --for=Deleted --timeout 1s')).exit).toBe(6);
    for (const { kind, metadata } of scene.manifests()) await world.delete(kind, metadata.name);
    await world.clock.advance(minute);
    expect((await line('wait -f fleet --for=Deleted')).exit).toBe(0);
  });
  it('is observed when all that are only observed are, whatever is managed beside', async () => {
    await apply();
    const { exit, out } = await line('wait -A --for=Observed');
    expect([exit, out.includes('CloudAccount'), out.includes('beside')]).toEqual([0, false, false]);
    expect((await line('wait cvol/beside --for=Observed --timeout 5s')).exit).toBe(6);
  });
});

it('--all writes what objects stand for under their own names, so that nothing gets a second object', async () => {
  await years(scene);
  await world.start();
  expect((await scene.typed('export --to fleet')).exit).toBe(0);
  const before = { ...scene.files };
  for (const { kind, metadata, spec } of scene.manifests()) await world.apply(kind, kind === 'CloudVolume' ? 'mine' : metadata.name, spec);
  await world.clock.advance(10 * minute);
  expect((await scene.typed('export --to fleet --all')).exit).toBe(0);
  const after = Object.keys(scene.files).filter((name) => !(name in before));
  expect(after).toEqual([expect.stringMatching(/cloudvolume-mine\.yaml$/)]);
  await world.namespace('team-b');
  const { out } = await scene.typed('export --to other --all -n team-b --account team-a/default --kinds cvol');
  expect(out).toContain('1 skipped: an object of namespace team-a stands for it: -n team-a writes its manifest');
});

describe('an object that has nothing in the account yet', () => {
  it('keeps its name: nothing that is called so in the account is applied over it', async () => {
    const { id } = await scene.volume('data');
    await world.apply('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 40 });
    expect((await scene.typed('export --to fleet --kinds cvol')).exit).toBe(0);
    expect(scene.manifests().map(({ metadata }) => metadata.name)).toEqual([`data-${String(id)}`]);
  });
  it('is the one that --all writes, where it asks to adopt that very thing', async () => {
    const { id } = await scene.volume('data');
    await world.apply('CloudVolume', 'mine', { region: 'us-east', sizeGiB: 20, adopt: { id } });
    expect((await scene.typed('export --to fleet --kinds cvol')).out).toContain('1 skipped: an object stands for it');
    expect((await scene.typed('export --to fleet --kinds cvol --all')).exit).toBe(0);
    expect(scene.manifests().map(({ metadata }) => metadata.name)).toEqual(['mine']);
  });
});

it('kubectl reads what is written as it is meant, also what is no text in its YAML', async () => {
  await years(scene);
  const zone = await scene.as('POST', '/domains', {
    domain: 'example.net',
    type: 'master',
    soa_email: 'a@example.org',
    description: 'yes',
  });
  for (const [name, target] of [
    ['on', '0777'],
    ['no', '12:30'],
    ['y', '1_000'],
  ])
    await scene.as('POST', `/domains/${String(zone['id'])}/records`, { type: 'TXT', name, target });
  expect((await scene.typed('export --to fleet')).exit).toBe(0);
  const texts = scene.yaml();
  expect(texts.filter((text) => text.includes('power: "On"'))).toHaveLength(1);
  for (const text of texts) expect(parseAllDocuments(text, { schema: 'yaml-1.1' }).map((one) => one.toJS())).toEqual(manifestsIn(text));
});

/** The addresses that an instance was made with go with that. */
const cameWith = (kind: string): number => (kind === 'CloudIPAddress' ? 2 : 0);

describe('export', () => {
  it('writes a manifest for each thing, with which nothing is changed: applied, promoted, and deleted again', async () => {
    await years(scene);
    const before = world.emulator.control.requests().length;
    const ran = await scene.typed('export --to fleet -o json');
    const data = dataOf(ran) as unknown as ExportData;
    expect(data.unproven).toEqual([]);
    expect(ran.exit).toBe(0);
    expect(scene.changes(before)).toEqual([]);
    expect(data.kinds.map(({ found, written }) => found - written)).toEqual(data.kinds.map(({ kind }) => cameWith(kind)));
    expect(scene.manifests().filter(({ kind }) => kind === 'CloudIPAddress')).toHaveLength(2);
    expect(scene.manifests()).toHaveLength(data.files.length);
    expect(scene.manifests().map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['CloudInstance', 'CloudVolume', 'CloudFirewall', 'CloudDomain', 'CloudBucket']),
    );
    expect(scene.manifests().filter(({ kind }) => kind === 'CloudDomainRecord')).toHaveLength(7);
    expect(JSON.stringify(scene.files)).not.toContain('Canary');

    await world.start();
    for (const { kind, metadata, spec } of scene.manifests()) await world.apply(kind, metadata.name, spec);
    for (const { kind, metadata } of scene.manifests()) await world.ready(kind, metadata.name);
    expect(scene.changes(before)).toEqual([]);
    for (const { kind, metadata } of scene.manifests()) expect((await world.get(kind, metadata.name)).status?.['drift'] ?? []).toEqual([]);

    expect((await scene.typed('export --promote fleet')).exit).toBe(0);
    for (const { kind, metadata, spec } of scene.manifests()) {
      expect(spec).not.toHaveProperty('lifecycle.management');
      await world.patch(kind, metadata.name, { spec: { lifecycle: null } });
    }
    await world.clock.advance(20 * minute);
    for (const { kind, metadata } of scene.manifests()) await world.ready(kind, metadata.name);
    expect(scene.changes(before)).toEqual([]);

    for (const { kind, metadata } of scene.manifests()) await world.delete(kind, metadata.name);
    for (const { kind, metadata } of scene.manifests()) await world.gone(kind, metadata.name);
    expect(scene.changes(before)).toEqual([]);
  });

  it('is promoted with the line ends of another system, and names a file that somebody wrote otherwise', async () => {
    await scene.volume('data');
    await scene.volume('logs');
    await scene.typed('export --to fleet --kinds cvol');
    const [data, logs] = ['fleet/team-a/cloudvolume-data.yaml', 'fleet/team-a/cloudvolume-logs.yaml'];
    scene.files[data] = (scene.files[data] ?? '').replaceAll('\n', '\r\n');
    scene.files[logs] = (scene.files[logs] ?? '').replace(/lifecycle:\n +management: Observe/, 'lifecycle: { management: Observe }');
    const { exit, out, err } = await scene.typed('export --promote fleet');
    expect([exit, out, err]).toEqual([
      1,
      expect.stringContaining('1 manifest is managed once applied'),
      expect.stringContaining(`${logs} goes on to observe only`),
    ]);
    expect(scene.files[data]).not.toContain('lifecycle');
    expect(scene.files[data]).toContain('sizeGiB: 20\r\n');
    scene.files[logs] = (scene.files[logs] ?? '').replace('  lifecycle: { management: Observe }\n', '');
    expect((await scene.typed('export --promote fleet')).exit).toBe(0);
  });

  it('says of what is managed from the first apply on to compare it before', async () => {
    await scene.volume('data');
    const { out } = await scene.typed('export --to fleet --kinds cvol --management Manage');
    expect(out.split('. Next, in this order:\n')[1]?.split('\n')).toEqual([
      '  Compare, which must say that nothing would happen:',
      '    kubectl cloud plan -f fleet -R --only-changes',
      '  Apply them:',
      '    kubectl apply -R -f fleet',
      '  Wait for them:',
      '    kubectl cloud wait -R -f fleet',
      '',
    ]);
    expect(out).not.toContain('--promote');
  });

  it('gives each step of what is observed first a line of its own, which any shell takes', async () => {
    await scene.volume('data');
    const { out } = await scene.typed("export --to it's/here --kinds cvol");
    const lines = out.split('. Next, in this order:\n')[1]?.split('\n') ?? [];
    expect(lines.filter((line) => line.startsWith('    '))).toEqual([
      `    kubectl apply -R -f "it's/here"`,
      `    kubectl cloud wait -R -f "it's/here" --for=Observed`,
      `    kubectl cloud plan -f "it's/here" -R --only-changes`,
      `    kubectl cloud export --promote "it's/here"`,
      `    kubectl apply -R -f "it's/here"`,
    ]);
    for (const line of lines.filter((one) => !one.startsWith('    '))) expect(line).toMatch(/^$|^ {2}[A-Z][^#]{4,60}:$/);
  });

  it('names what the account has, and refers to it', async () => {
    await years(scene);
    await scene.typed('export --to fleet');
    const firewall = scene.manifests().find(({ kind }) => kind === 'CloudFirewall');
    expect(firewall?.spec['instanceRefs']).toEqual([{ name: 'web-1' }]);
    const record = scene.manifests().find(({ spec }) => spec['type'] === 'MX');
    expect(record?.spec['domainRef']).toEqual({ name: 'example-org' });
    expect(Object.keys(scene.files)).toContain('fleet/team-a/cloudvolume-data.yaml');
    const names = scene.manifests().map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    scene.files = {};
    await scene.typed('export --to fleet --refs external --kinds cfw');
    expect(scene.manifests()[0]?.spec['instanceRefs']).toEqual([{ external: expect.any(Number) as number }]);
  });

  it('leaves out what an object stands for, and overwrites no file but its own', async () => {
    await scene.as('POST', '/volumes', { label: 'data', region: 'us-east', size: 20 });
    await world.start();
    await world.apply('CloudVolume', 'cache', { region: 'us-east', sizeGiB: 20 });
    await world.ready('CloudVolume', 'cache');
    const { out } = await scene.typed('export --to fleet --kinds cvol');
    expect(out).toMatch(/CloudVolume +2 +1 +1/);
    expect(out).toContain('1 skipped: an object stands for it');
    expect((await scene.typed('export --to fleet --kinds cvol')).exit).toBe(0);
    scene.files['fleet/team-a/cloudvolume-data.yaml'] = 'kind: Mine\n';
    const again = await scene.typed('export --to fleet --kinds cvol');
    expect(again.exit).toBe(3);
    expect(scene.files['fleet/team-a/cloudvolume-data.yaml']).toBe('kind: Mine\n');
  });

  it('takes one thing alone, to standard output, and says how what another installation manages is taken over', async () => {
    const mine = await scene.as('POST', '/volumes', { label: 'data', region: 'us-east', size: 20 });
    const theirs = await scene.as('POST', '/volumes', { label: 'theirs', region: 'us-east', size: 20, tags: ['co-zzzzzzzz'] });
    const { out } = await scene.typed(`export --to - --id cvol/${String(mine['id'])} --account team-a/default --on-delete Delete`);
    expect(manifestsIn(out)).toMatchObject([
      { kind: 'CloudVolume', spec: { adopt: { id: mine['id'] }, lifecycle: { management: 'Observe', onDelete: 'Delete' }, sizeGiB: 20 } },
    ]);
    expect((await scene.typed('export --to fleet --kinds cvol')).out).toContain('--include-foreign');
    const forced = await scene.typed(`export --to - --id cvol/${String(theirs['id'])} --include-foreign`);
    expect(manifestsIn(forced.out)).toMatchObject([{ spec: { adopt: { id: theirs['id'], force: true } } }]);
    expect(forced.out).not.toContain('co-zzzzzzzz');
  });

  it('says of one thing that an object has already which one that is, and ends with 1', async () => {
    await world.start();
    await world.apply('CloudVolume', 'cache', { region: 'us-east', sizeGiB: 20 });
    await world.ready('CloudVolume', 'cache');
    const id = `cvol/${String((await world.get('CloudVolume', 'cache')).status?.['id'])}`;
    const { exit, out, err } = await scene.typed(`export --to - --id ${id}`);
    expect([exit, out]).toEqual([1, '']);
    expect(err).toMatch(/CloudVolume \d+ is not written: CloudVolume team-a\/cache stands for it already; with --all its manifest/);
    const folder = await scene.typed(`export --to fleet --id ${id}`);
    expect([folder.exit, folder.out]).toEqual([1, expect.stringContaining('1 skipped: CloudVolume team-a/cache stands for it already')]);
    const all = await scene.typed(`export --to - --id ${id} --all`);
    expect([all.exit, manifestsIn(all.out).map(({ metadata }) => metadata.name)]).toEqual([0, ['cache']]);
  });

  it.each([
    ['export', 2, '--to FOLDER'],
    ['export --to fleet --kinds cacc', 2, 'it is the account itself, which is always there, so there is nothing to adopt'],
    ['export --to fleet --kinds cop', 2, 'it is done once, and nothing in the account stands for it'],
    [
      'export --to fleet --kinds cipshare',
      2,
      'it is a setting at a CloudInstance and has no id of its own. Where it is to be kept so, write',
    ],
    ['export --to fleet --kinds cacl', 2, 'it is a setting at a CloudBucket and has no id of its own'],
    ['export --to fleet --id cvol', 2, 'write KIND/ID'],
    ['export --promote nowhere', 2, 'cannot be read'],
    ['export --promote fleet --kinds cvol', 2, 'To promote some of it, name a file of it: --promote FILE'],
    ['export --promote fleet --exclude-kinds cvol', 2, 'and no --exclude-kinds'],
  ])('%s is refused', async (line, exit, says) => {
    const ran = await scene.typed(line);
    expect(ran.err).toContain(says);
    expect(ran.exit).toBe(exit);
    expect(scene.files).toEqual({});
  });
});

it('writes no manifest for the nodes of a cluster, and says why', async () => {
  const pools = [{ type: 'g6-standard-2', count: 2 }];
  await scene.as('POST', '/lke/clusters', { label: 'prod', region: 'eu-central', k8s_version: '1.24', node_pools: pools });
  await world.start();
  await world.ready('CloudAccount', 'default');
  await world.clock.advance(10 * minute);
  const [node] = world.emulator.control.rows('instances') as readonly { readonly id: number }[];
  const disks = `/vm/instances/${String(node?.id)}/disks`;
  await scene.as('POST', disks, { label: 'root', size: 1000 });
  const before = world.emulator.control.requests().length;
  const { out } = await scene.typed('export --to fleet --kinds cinst,cdisk');
  expect(
    world.emulator.control
      .requests()
      .slice(before)
      .filter(({ path }) => path === disks),
  ).toEqual([]);
  expect((await scene.typed('orphans --kinds cdisk')).out).toContain('Nothing is without an object');
  expect(scene.manifests()).toEqual([]);
  expect(out).toContain('2 skipped: it is a part of something else in the account, such as a node of a Kubernetes cluster');
});

describe('export of a Kubernetes cluster', () => {
  const pools = [
    { type: 'g6-standard-2', count: 2 },
    { type: 'g6-standard-1', count: 1 },
  ];
  const make = async (): Promise<string> => {
    const { id } = await scene.as('POST', '/lke/clusters', { label: 'prod', region: 'eu-central', k8s_version: '1.24', node_pools: pools });
    await world.clock.advance(10 * minute);
    return String(id);
  };

  it('names its pools in the object of the cluster, and nowhere else', async () => {
    await make();
    const ran = await scene.typed('export --to fleet -o json');
    expect(scene.manifests().map(({ kind }) => kind)).toEqual(['CloudKubernetesCluster']);
    expect(scene.manifests()[0]?.spec['nodePools']).toHaveLength(2);
    const skipped = (dataOf(ran) as unknown as ExportData).skipped.filter(({ kind }) => kind === 'CloudNodePool');
    expect(skipped.map(({ why }) => why)).toEqual(Array(2).fill('the manifest of CloudKubernetesCluster prod names it in spec.nodePools'));
  });

  it('gives pools objects of their own where the cluster is not asked for', async () => {
    await make();
    await scene.typed('export --to fleet --kinds CloudNodePool');
    expect(scene.manifests().map(({ kind }) => kind)).toEqual(['CloudNodePool', 'CloudNodePool']);
  });

  it('leaves the pools of a managed cluster alone', async () => {
    await world.start();
    const spec = { region: 'eu-central', k8sVersion: '1.24', nodePools: [{ name: 'base', type: 'g6-standard-1', count: 1 }] };
    await world.apply('CloudKubernetesCluster', 'prod', spec);
    await world.clock.advance(20 * minute);
    await world.ready('CloudKubernetesCluster', 'prod');
    await scene.typed('export --to fleet');
    expect(scene.manifests()).toEqual([]);
    expect((await scene.typed('orphans')).out).not.toContain('CloudNodePool');
  });
});
