import { beforeEach, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { ExportData } from '../../../../src/plugin/output/account-shapes.ts';
import { AccountScene, minute } from '../../../support/plugin/account-scene.ts';
import type { Backend } from '../../../support/virtual/backend.ts';
import { cloud, dataOf } from '../../../support/plugin/cloud-cli.ts';
import type { World } from '../../../support/world/world.ts';
import { years } from '../../../support/world/years.ts';

let scene: AccountScene;
let world: World;
beforeEach(async () => {
  scene = await AccountScene.create({ emulator: { knobs: { extraPublicAddresses: true } } });
  ({ world } = scene);
});

const apply = async (): Promise<void> => {
  for (const { kind, metadata, spec } of scene.manifests()) await world.apply(kind, metadata.name, spec);
};

const names = (): readonly string[] => scene.manifests().map(({ kind, metadata }) => `${metadata.namespace}/${kind} ${metadata.name}`);
const shop = async (): Promise<void> => {
  await scene.as('POST', '/volumes', { label: 'shop-data', region: 'us-east', size: 20, tags: ['shop', 'team=team-b'] });
  await scene.as('POST', '/volumes', { label: 'other', region: 'eu-central', size: 20 });
  const zone = await scene.as('POST', '/domains', {
    domain: 'shop.example',
    type: 'master',
    soa_email: 'a@shop.example',
    tags: ['shop', 'team=team-b'],
  });
  await scene.as('POST', `/domains/${String(zone['id'])}/records`, { type: 'A', name: 'www', target: '192.0.2.1' });
  await scene.as('POST', '/domains', { domain: 'other.example', type: 'master', soa_email: 'a@other.example' });
  await scene.as('POST', '/profile/sshkeys', {
    label: 'ops',
    ssh_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEmanyYearsAgoThatThisKeyWasMadeAndUsedNow ops',
  });
};

it('what is called alike in several domains or machines is named after these, too, and is proven', async () => {
  await scene.as('POST', '/volumes', { label: 'data', region: 'us-east', size: 20 });
  for (const [domain, times] of [
    ['shop.example', 2],
    ['blog.example', 1],
  ] as const) {
    const zone = await scene.as('POST', '/domains', { domain, type: 'master', soa_email: `a@${domain}` });
    const at = `/domains/${String(zone['id'])}/records`;
    for (let host = 1; host <= times; host += 1) await scene.as('POST', at, { type: 'A', name: 'www', target: `192.0.2.${host}` });
    if (domain === 'blog.example') await scene.as('POST', at, { type: 'A', name: 'only', target: '192.0.2.9' });
  }
  const { exit } = await scene.typed('export --to fleet');
  expect(exit).toBe(0);
  const records = names().filter((one) => one.includes('CloudDomainRecord'));
  expect(records.toSorted()).toEqual([
    'team-a/CloudDomainRecord only-a',
    'team-a/CloudDomainRecord www-a-blog-example',
    'team-a/CloudDomainRecord www-a-shop-example',
    expect.stringMatching(/^team-a\/CloudDomainRecord www-a-shop-example-\d+$/),
  ]);
});

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
    const ran = await scene.typed(`export --to fleet ${flags}`);
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
    const ran = await scene.typed(`${line} -o json`);
    expect([ran.exit, Object.keys(scene.files)]).toEqual([
      0,
      expect.arrayContaining([mine, theirs, 'fleet/kustomization.yaml', 'fleet/REPORT.md']),
    ]);
    const data = dataOf(ran) as unknown as ExportData;
    expect(data.access).toEqual([{ namespace: 'team-b', adopt: false }]);
    expect(scene.files['fleet/REPORT.md']).toContain('the CloudAccount needs spec.access with namespaces [team-b] and adopt: Any');
    const all = scene.manifests().filter(({ kind }) => kind !== 'Kustomization');
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
    expect(scene.changes(before)).toEqual([]);
    expect(parsedYaml(scene.files['fleet/kustomization.yaml'])['resources']).toContainEqual(
      layout === 'flat' ? mine.slice(6) : mine.split('/')[1],
    );
    expect((await scene.typed(line)).exit).toBe(0);
  });

  it('goes into the namespaces of a file, and refers by id where no name may go', async () => {
    await shop();
    scene.files['where.txt'] = '^shop\\.: team-b\n^shop-: team-c\n';
    expect((await scene.typed('export --to fleet --namespace-by where.txt --kinds cvol,crec')).exit).toBe(0);
    expect(names()).toEqual(['team-c/CloudVolume shop-data', 'team-a/CloudVolume other', 'team-b/CloudDomainRecord www-a']);
    expect(scene.manifests().find(({ kind }) => kind === 'CloudDomainRecord')?.spec).toMatchObject({
      domainRef: { external: expect.any(Number) as number },
      accountRef: { name: 'default', namespace: 'team-a' },
    });
  });

  it('says of a tag that makes no namespace, and of what every namespace shares, where it is', async () => {
    await scene.as('POST', '/volumes', { label: 'odd', region: 'us-east', size: 20, tags: ['team=Team A'] });
    const { out } = await scene.typed('export --to fleet --namespace-by tag:team= --kinds cvol');
    expect(out).toContain('1 skipped: Team A is no name of a namespace');
    await shop();
    await world.namespace('team-b');
    const there = await scene.typed('export --to fleet -n team-b --account team-a/default --kinds csshkey');
    expect(there.out).toContain('an object of this kind must be in the namespace of the account: -n team-a writes its manifest');
  });

  it('says that nothing has such a tag, and where all is then', async () => {
    await scene.volume('data', { tags: ['team=team-b'] });
    const typed = async (by: string) => scene.typed(`export --to fleet --kinds cvol --namespace-by ${by}`);
    const says = 'places nothing of what is exported';
    expect((await typed('tag:team=')).err).not.toContain(says);
    const { exit, err } = await typed('tag:teams=');
    expect([exit, err]).toEqual([
      0,
      expect.stringContaining(
        `--namespace-by tag:teams= ${says}: neither it nor what it lies below has a tag that begins with teams=. All of it is in namespace team-a, as -n says`,
      ),
    ]);
    scene.files['where.txt'] = '^nobody$: team-b\n';
    expect((await typed('where.txt')).err).toContain(`--namespace-by where.txt ${says}. All of it is in namespace team-a, as -n says`);
  });

  it('writes nothing into a namespace of Kubernetes or of the operator because a tag says so, and all the same where a file does', async () => {
    const places = ['kube-system', 'kube-public', 'cloud-operator', 'team-b'];
    for (const place of places) await scene.volume(`in-${place}`, { tags: [`team=${place}`] });
    const { out } = await scene.typed('export --to fleet --namespace-by tag:team= --kinds cvol');
    expect(names().filter((name) => name.includes(' in-'))).toEqual(['team-b/CloudVolume in-team-b']);
    for (const place of places.slice(0, 3))
      expect(out).toContain(`1 skipped: a tag of it names namespace ${place}, which is of Kubernetes`);
    expect(Object.keys(scene.files).filter((name) => /kube-|cloud-operator/.test(name))).toEqual([]);
    scene.files['where.txt'] = '^in-kube-system$: kube-system\n';
    await scene.typed('export --to other --namespace-by where.txt --kinds cvol');
    expect(Object.keys(scene.files)).toContain('other/kube-system/cloudvolume-in-kube-system.yaml');
  });

  it('takes no line and no control of a terminal from what somebody called something', async () => {
    await scene.volume('odd', { tags: ['team=\u001B[2J\n9 manifests in fleet.'] });
    const { out } = await scene.typed('export --to fleet --namespace-by tag:team= --kinds cvol');
    for (const text of [out, scene.files['fleet/REPORT.md'] ?? '']) {
      expect(text).toContain('is no name of a namespace');
      expect(text).not.toMatch(/(?!\n)\p{Cc}|^9 manifests/mu);
    }
  });

  it('counts the objects that a namespace may have', async () => {
    await shop();
    await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'], adopt: 'Any', maxObjects: 2 }] } });
    const { out } = await scene.typed('export --to fleet --namespace-by tag:team=');
    expect(out).toContain('namespace team-b would have 3 objects, and spec.access[].maxObjects of the CloudAccount admits 2');
  });
});

const parsedYaml = (text = ''): Record<string, unknown> => parseAllDocuments(text)[0]?.toJS() as Record<string, unknown>;

it('--with-image names the Secret that an image needs, and how to make it', async () => {
  await years(scene);
  expect((await scene.typed('export --to fleet --with-image --kinds cinst')).out).toContain('1 Secret is needed: SECRETS.md lists them');
  expect(scene.manifests()[0]?.spec).toMatchObject({
    image: 'vm/debian11',
    rootPasswordSecretRef: { name: 'web-1-root', key: 'password' },
  });
  expect(scene.files['fleet/SECRETS.md']).toContain('kubectl create secret generic web-1-root -n team-a --from-file=password=/dev/stdin');
  expect(JSON.stringify(scene.files)).not.toContain('Canary');
  const before = world.emulator.control.requests().length;
  await world.start();
  await world.secret('web-1-root', { password: 'Other-Horse-9-Battery' });
  for (const { kind, metadata, spec } of scene.manifests()) await world.apply(kind, metadata.name, { ...spec, lifecycle: {} });
  for (const { kind, metadata } of scene.manifests()) await world.ready(kind, metadata.name);
  expect(scene.changes(before)).toEqual([]);
});

describe('export --check', () => {
  beforeEach(async () => {
    await years(scene);
    await scene.typed('export --to fleet');
  });

  it('says that all is as the account has it, before and after it is applied, and writes nothing', async () => {
    await world.start();
    await world.ready('CloudAccount', 'default');
    const [before, known] = [world.emulator.control.requests().length, { ...scene.files }];
    for (const _ of ['new', 'applied']) {
      const ran = await scene.typed('export --check fleet');
      expect(ran).toMatchObject({ exit: 0, out: `All ${scene.manifests().length} manifests in fleet are as the account has it.\n` });
      await apply();
      await world.clock.advance(minute);
    }
    expect(scene.changes(before)).toEqual([]);
    expect(scene.files).toEqual(known);
  });

  it('names what a colleague changed or deleted since, and what the API server refuses', async () => {
    const [volume] = world.emulator.control.rows('volumes') as readonly { id: number }[];
    const [zone] = world.emulator.control.rows('domains') as readonly { id: number }[];
    await scene.as('PUT', `/volumes/${volume?.id}`, { label: 'renamed' });
    await scene.as('DELETE', `/longview/clients/${(world.emulator.control.rows('longview clients') as readonly { id: number }[])[0]?.id}`);
    await scene.as('PUT', `/domains/${zone?.id}`, { ttl_sec: 3600 });
    const [wall] = world.emulator.control.rows('firewalls') as readonly { id: number }[];
    const ssh = { action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses: { ipv4: ['192.0.2.0/24'] } };
    await scene.as('PUT', `/networking/firewalls/${wall?.id}/rules`, {
      inbound: [ssh],
      inbound_policy: 'DROP',
      outbound: [],
      outbound_policy: 'ACCEPT',
    });
    const bucket = Object.keys(scene.files).find((name) => name.includes('cloudbucket')) ?? '';
    scene.files[bucket] = (scene.files[bucket] ?? '').replace(/acl: .*/, 'acl: everybody');
    const { exit, out } = await scene.typed('export --check fleet');
    expect(exit).toBe(1);
    expect(out).toContain('CloudVolume team-a/data differs: spec.label: wrote data, the account has renamed');
    expect(out).toMatch(/CloudFirewall team-a\/.* differs: .*spec.inbound: wrote .*, the account has \[\{"action":"ACCEPT"/);
    expect(out).not.toContain('\\"');
    expect(out).toMatch(/CloudLongviewClient team-a\/agent differs: .*/);
    expect(out).toContain('CloudDomain team-a/example-org differs: spec.ttlSeconds: wrote 300, the account has 3600');
    expect(out).toMatch(/CloudBucket team-a\/assets differs: .*acl/);
    expect(out).toContain(`5 of ${scene.manifests().length} manifests in fleet differ from the account.`);
  });
});

it('writes into the folder where one is, with a kustomization of what is there', async () => {
  await scene.as('POST', '/volumes', { label: 'data', region: 'us-east', size: 20 });
  expect((await scene.typed('export --to . --kinds cvol --kustomization')).exit).toBe(0);
  expect(
    Object.keys(scene.files)
      .filter((name) => name.endsWith('.yaml'))
      .toSorted(),
  ).toEqual(['kustomization.yaml', 'team-a/cloudvolume-data.yaml', 'team-a/kustomization.yaml']);
  expect(parsedYaml(scene.files['kustomization.yaml'])['resources']).toEqual(['team-a']);
  expect(parsedYaml(scene.files['team-a/kustomization.yaml'])['resources']).toEqual(['cloudvolume-data.yaml']);
});

it('keeps the manifest of what is called kustomization beside the kustomization', async () => {
  await scene.volume('kustomization');
  await scene.volume('data');
  expect((await scene.typed('export --to fleet --kinds cvol --layout kind --kustomization')).exit).toBe(0);
  const written = scene.manifests().map(({ kind }) => kind);
  expect(written.toSorted()).toEqual(['CloudVolume', 'CloudVolume', 'Kustomization', 'Kustomization']);
  expect(parsedYaml(scene.files['fleet/cloudvolume/kustomization.yaml'])['resources']).toHaveLength(2);
  expect(parsedYaml(scene.files['fleet/cloudvolume/kustomization.yaml'])['resources']).not.toContain('kustomization.yaml');
});

it('--force overwrites what somebody else wrote', async () => {
  await scene.as('POST', '/volumes', { label: 'data', region: 'us-east', size: 20 });
  scene.files['fleet/team-a/cloudvolume-data.yaml'] = 'kind: Mine\n';
  expect((await scene.typed('export --to fleet --kinds cvol')).err).toContain('--force');
  expect((await scene.typed('export --to fleet --kinds cvol --force')).exit).toBe(0);
  expect(scene.files['fleet/team-a/cloudvolume-data.yaml']).toContain('kind: CloudVolume');
});

it('reports in words and for programs, with what it costs, and with nothing that kubectl takes for a manifest', async () => {
  await years(scene);
  const { out } = await scene.typed('export --to fleet');
  expect(out).toMatch(/^Account E1AF\S+ as admin: \d+ remotes of \d+ kinds\.\nKIND +FOUND +WRITTEN +SKIPPED +NOT PROVEN/);
  expect(out).toMatch(/What is written costs at least \d+\.\d\d \$ a month\./);
  expect(scene.files['fleet/REPORT.md']).toMatch(/\| CloudInstance \| 1 \| 1 \| 0 \| 0 \|/);
  const report = JSON.parse(scene.files['fleet/report.jsonl'] ?? '') as ExportData;
  expect(report).toMatchObject({ to: 'fleet', unproven: [], access: [], monthly: { usd: 5, unknown: expect.any(Number) as number } });
  expect(Object.keys(scene.files).filter((name) => /\.(ya?ml|json)$/.test(name))).toHaveLength(report.files.length);
});

it('does not write for CRDs of another release, unless it is told to', async () => {
  await scene.as('POST', '/volumes', { label: 'data', region: 'us-east', size: 20 });
  const crd = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/cloudvolumes.cloudhosting.dev';
  await world.admin('PATCH', crd, { metadata: { annotations: { 'cloudhosting.dev/schema-hash': 'of the next release' } } });
  const refused = await scene.typed('export --to fleet --kinds cvol');
  expect([refused.exit, refused.err]).toEqual([4, expect.stringContaining('cloudvolumes.cloudhosting.dev are of another release')]);
  expect(scene.files).toEqual({});
  expect((await scene.typed('export --to fleet --kinds cdom')).exit).toBe(0);
  expect((await scene.typed('export --to fleet --kinds cvol --skew')).exit).toBe(0);
  expect(scene.manifests().map(({ kind }) => kind)).toEqual(['CloudVolume']);
});

it('leaves out what the cluster has no CRD for, and says so', async () => {
  await scene.as('POST', '/volumes', { label: 'data', region: 'us-east', size: 20 });
  await scene.as('POST', '/longview/clients', { label: 'agent' });
  await world.admin('DELETE', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/cloudlongviewclients.cloudhosting.dev');
  await world.clock.advance(minute);
  const { exit, err } = await scene.typed('export --to fleet --kinds cvol,CloudLongviewClient');
  expect([exit, err]).toEqual([0, expect.stringContaining('CloudLongviewClient is left out: the cluster does not have the CRD')]);
  expect(scene.manifests().map(({ kind }) => kind)).toEqual(['CloudVolume']);
});

/** Nobody may ask the API server anything. */
const between = (): Backend => ({ handle: ({ method, path }) => Promise.reject(new Error(`${method} ${path} was asked`)) });
describe('export --no-cluster', () => {
  it("writes what there is with a token of one's own, before there is a cluster", async () => {
    await scene.as('POST', '/volumes', { label: 'data', region: 'us-east', size: 20 });
    await scene.as('POST', '/volumes', { label: 'theirs', region: 'us-east', size: 20, tags: ['co-zzzzzzzz'] });
    const own = { between, cloudToken: 'token-admin' };
    const ran = await scene.typed('export --to fleet --no-cluster -n shop --account cloud/main', own);
    expect({ exit: ran.exit, err: ran.err }).toEqual({ exit: 0, err: 'reading as user admin with your own token\n' });
    expect(scene.manifests()).toMatchObject([
      { metadata: { name: 'data', namespace: 'shop' }, spec: { accountRef: { name: 'main', namespace: 'cloud' }, sizeGiB: 20 } },
    ]);
    expect(ran.out).toContain('1 skipped: it has the tag of another installation');
    expect(ran.out).toContain('namespace shop may not adopt');
    scene.files = {};
    expect((await scene.typed('export --to fleet --no-cluster', own)).exit).toBe(0);
    expect(scene.manifests()[0]?.metadata.namespace).toBe('default');
  });

  it('needs an endpoint and a token, and checks nothing', async () => {
    const line = 'export --to fleet --no-cluster';
    expect(await cloud(world, line, { files: scene.files, between, cloudToken: 'token-admin' })).toMatchObject({ exit: 2 });
    expect((await scene.typed(line, { between })).err).toContain('put a token of your own into CLOUD_TOKEN');
    expect((await scene.typed('export --check fleet --no-cluster', { between, cloudToken: 'token-admin' })).exit).toBe(2);
    expect(scene.files).toEqual({});
  });
});
