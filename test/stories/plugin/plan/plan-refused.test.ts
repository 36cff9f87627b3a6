import { beforeEach, describe, expect, it } from 'vitest';
import type { PlanData } from '../../../../src/plugin/output/plan-shape.ts';
import { cloud, dataOf, endpoint } from '../../../support/plugin/cloud-cli.ts';
import { type Condition, World } from '../../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
});

const volume = { region: 'eu-central', sizeGiB: 20 };
const document = (kind: string, name: string, spec: object, beside: object = {}) => ({
  apiVersion: 'cloudhosting.dev/v1alpha1',
  kind,
  metadata: { name },
  spec,
  ...beside,
});

/** What a plan of these manifests says. */
async function planned(...documents: readonly object[]): Promise<PlanData & { readonly exit: number }> {
  const files = { 'all.yaml': documents.map((one) => JSON.stringify(one)).join('\n---\n') };
  const ran = await cloud(world, `plan -f all.yaml -o json --endpoint ${endpoint}`, { files, limit: 300_000 });
  return { ...(dataOf(ran) as unknown as PlanData), exit: ran.exit };
}

describe('a field that no kind has', () => {
  it('is refused as kubectl apply refuses it, of what is there and of what is not', async () => {
    await world.apply('CloudVolume', 'data', volume);
    const { exit, objects } = await planned(
      document('CloudVolume', 'data', { ...volume, lifecycle: { protct: true } }),
      document('CloudVolume', 'more', { ...volume, tag: ['a'] }),
      document('CloudVolume', 'less', { region: 'eu-central', size: 20 }),
      document('CloudVolume', 'flat', volume, { lifecycle: { protect: true } }),
    );
    expect(exit).toBe(4);
    expect(objects.map(({ refusal }) => refusal?.message)).toEqual(
      ['spec.lifecycle.protct', 'spec.tag', 'spec.size', 'lifecycle'].map((field) => `strict decoding error: unknown field "${field}"`),
    );
    expect(objects[1]?.refusal?.field).toBe('spec.tag');
  });
});

const rooted = {
  region: 'eu-central',
  type: 'g6-nanode-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: { name: 'root', key: 'password' },
};

describe('what the operator would not send is not called made', () => {
  const cluster = { region: 'eu-central', k8sVersion: '1.25', nodePools: [{ name: 'base', type: 'g6-standard-1', count: 1 }] };
  it.each([
    ['CloudVolume', { ...volume, region: 'eu-nowhere' }],
    ['CloudInstance', { region: 'eu-nowhere', type: 'g6-nanode-1' }],
    ['CloudInstance', { region: 'eu-central', type: 'g6-nanode-9' }],
    ['CloudKubernetesCluster', { ...cluster, k8sVersion: '1.99' }],
    ['CloudDatabase', { engine: 'mysql/9.9.9', region: 'eu-central', type: 'g6-dedicated-2', clusterSize: 1 }],
  ])('also where the account takes its time to say what it offers: %s %o', async (kind, spec) => {
    const match = { method: 'GET', username: 'admin' };
    for (const path of ['/regions', '/vm/types', '/lke/versions', '/databases/engines'])
      world.emulator.control.addFault({ match: { ...match, path }, effect: { kind: 'delay', seconds: 4 } });
    const [entry] = (await planned(document(kind, 'one', spec))).objects;
    expect([entry?.action, entry?.refusal?.message ?? entry?.message]).toEqual([
      'refused',
      expect.stringContaining('the provider lists no'),
    ]);
  });
  it.each([
    ['CloudVolume', { ...volume, region: 'eu-nowhere' }, 'refused'],
    ['CloudDomainRecord', { domainRef: { name: 'none' }, type: 'A', target: '203.0.113.7' }, 'wait'],
    ['CloudInstance', rooted, 'wait'],
  ])('%s %o', async (kind, spec, action) => {
    const [entry] = (await planned(document(kind, 'one', spec))).objects;
    await world.apply(kind, 'one', spec);
    await world.clock.advance(120_000);
    const { conditions } = (await world.get(kind, 'one')).status as { conditions: Condition[] };
    const said = entry?.refusal?.message ?? entry?.message;
    expect({ action: entry?.action, calls: entry?.calls, said }).toEqual({
      action,
      calls: [],
      said: conditions.find(({ type }) => type === 'Synced')?.message,
    });
    expect(world.emulator.control.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
  });
  it('but what needs a Secret is, where that is there or comes with the manifests, or is not for the caller to see', async () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'root' }, stringData: { password: 'Canary-Horse-9-Battery' } };
    const one = document('CloudInstance', 'one', rooted);
    expect((await planned(one, secret)).objects).toMatchObject([{ action: 'create' }]);
    world.server.addUser('dev', { name: 'dev' });
    const rules = [{ apiGroups: ['cloudhosting.dev'], resources: ['*'], verbs: ['get', 'list', 'create'] }];
    world.server.setGrants([{ to: 'dev', rules, namespace: 'team-a' }]);
    const files = { 'all.yaml': JSON.stringify(one) };
    const ran = await cloud(world, `plan -f all.yaml --endpoint ${endpoint}`, { files, token: 'dev', cloudToken: 'token-admin' });
    expect(ran.err).toContain('you may not get Secrets of namespace team-a: those that its specs name are taken to be there');
    expect(ran.out).toMatch(/CloudInstance team-a\/one +create/);
    await world.secret('root', { password: 'Canary-Horse-9-Battery' });
    expect((await planned(one)).objects).toMatchObject([{ action: 'create' }]);
  });
});

const planOf = async (spec: string): Promise<PlanData & { readonly exit: number }> => {
  const files = {
    'all.yaml': `apiVersion: cloudhosting.dev/v1alpha1\nkind: CloudDomain\nmetadata: { name: zone }\nspec: { domain: example.org, type: master, soaEmail: a@example.org, ${spec} }\n`,
  };
  const ran = await cloud(world, `plan -f all.yaml -o json --endpoint ${endpoint}`, { files, limit: 300_000 });
  return { ...(dataOf(ran) as unknown as PlanData), exit: ran.exit };
};
const ruleOf = (ports: string): string =>
  `apiVersion: cloudhosting.dev/v1alpha1\nkind: CloudFirewall\nmetadata: { name: wall }\nspec:\n  inboundPolicy: DROP\n  outboundPolicy: ACCEPT\n  inbound: [{ action: ACCEPT, protocol: TCP, addresses: { ipv4: [0.0.0.0/0] }, ports: ${ports} }]\n`;
describe('YAML', () => {
  it('is read as kubectl reads it: a word that is true there is no text here', async () => {
    expect(await planOf('description: On')).toMatchObject({
      exit: 4,
      objects: [{ action: 'refused', refusal: { field: 'spec.description' } }],
    });
    expect(await planOf("description: 'On'")).toMatchObject({ exit: 1, objects: [{ action: 'create' }] });
  });
  it.each(['', ' --against none --base none'])('and tells of a number where text is wanted that it is to be in quotes%s', async (flags) => {
    const planWith = (ports: string) =>
      cloud(world, `plan -f all.yaml${flags === '' ? ` --endpoint ${endpoint}` : flags}`, {
        files: { 'all.yaml': ruleOf(ports), 'none/x.yaml': '' },
        limit: 300_000,
      });
    expect((await planWith('443')).out).toMatch(
      /spec\.inbound\[0\]\.ports.* \(write it in quotes: without them YAML reads a number, or true or false\)/,
    );
    expect((await planWith('"443"')).exit).toBe(1);
  });
  it('and what is text there is text here', async () => {
    expect((await planOf('description: 12:30')).objects[0]?.calls[0]?.body).toMatchObject({ description: '12:30' });
    expect((await planOf('description: 2026-12-01T18:00:00Z')).exit).toBe(1);
    expect((await planOf('description: 0777')).exit).toBe(4);
  });
});

const fresh = (name: string, spec: object) => ({ ...document('CloudVolume', name, spec), metadata: { name, namespace: 'fresh' } });
describe('a namespace that comes with the manifests', () => {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fresh' } };
  const elsewhere = { ...volume, accountRef: { name: 'default', namespace: 'team-a' } };
  it.each(['account', 'cluster'])(
    'hinders no plan against the %s, of it or of others, and each rule of the CRD counts there',
    async (against) => {
      await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['fresh'] }] } });
      const documents = [
        namespace,
        fresh('data', elsewhere),
        fresh('none', { ...elsewhere, sizeGiB: 1 }),
        document('CloudVolume', 'beside', volume),
      ];
      const files = { 'all.yaml': documents.map((one) => JSON.stringify(one)).join('\n---\n') };
      const ran = await cloud(world, `plan -f all.yaml -o json --against ${against} --endpoint ${endpoint}`, { files, limit: 300_000 });
      const { objects } = dataOf(ran) as unknown as PlanData;
      expect(objects.map(({ name, action }) => `${name} ${action}`)).toEqual(['data create', 'none refused', 'beside create']);
      expect(ran.err).toContain('namespace fresh is not there yet: what its policies and quotas say to what comes into it is not known');
      await world.namespace('fresh');
      await world.apply('CloudVolume', 'data', elsewhere, 'fresh');
      await world.ready('CloudVolume', 'data', 600_000, 'fresh');
    },
  );
});

const typed = (...documents: readonly object[]) =>
  cloud(world, `plan -f all.yaml --endpoint ${endpoint}`, {
    files: { 'all.yaml': documents.map((one) => JSON.stringify(one)).join('\n---\n') },
    limit: 300_000,
  });
it('an operation whose name is generated hinders no plan, and is said to be left out; of anything else a name is asked for', async () => {
  const generated = (kind: string, spec: object) => ({ ...document(kind, '', spec), metadata: { generateName: 'again-' } });
  const reboot = generated('CloudOperation', { action: 'RebootInstance', target: { name: 'web' }, notAfter: '2026-01-02T00:00:00Z' });
  const { exit, out, err } = await typed(reboot, document('CloudVolume', 'data', volume));
  expect([exit, out, err]).toEqual([
    1,
    expect.stringContaining('1 object: 1 create'),
    expect.stringContaining('because its name is generated: CloudOperation again- (all.yaml)'),
  ]);
  expect(await typed(generated('CloudVolume', volume))).toMatchObject({
    exit: 2,
    err: expect.stringContaining('a CloudVolume has no metadata.name') as string,
  });
});

describe('a manifest whose object is called otherwise by now', () => {
  const rules = { label: 'edge', inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' };
  const files = (...names: readonly string[]): string =>
    names.map((name) => JSON.stringify(document('CloudFirewall', name, rules))).join('\n---\n');
  const warned = async (line: string): Promise<string> =>
    (
      await cloud(world, `plan ${line} --endpoint ${endpoint}`, {
        files: { 'new/all.yaml': files('new'), 'old/all.yaml': files('old'), 'both/all.yaml': files('old', 'new') },
        limit: 300_000,
      })
    ).err;

  it('is refused, and the flag that says what there was before is named', async () => {
    await world.apply('CloudFirewall', 'old', rules);
    await world.ready('CloudFirewall', 'old');
    const told = await warned('-f new');
    expect(told).toContain('CloudFirewall team-a/old, which no manifest here names, has what is refused. If that is a rename,');
    expect(told).toContain('\n- in CloudFirewall new write spec.adopt: {id: 1000}\n');
    expect(told).toContain('\nTo see that planned: --base FOLDER or --base git:COMMIT');
    for (const line of ['-f new --base old', '-f both', '-f old']) expect(await warned(line)).not.toContain('--base');
  });
});
