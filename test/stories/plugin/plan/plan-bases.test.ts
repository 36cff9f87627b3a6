import { beforeEach, describe, expect, it } from 'vitest';
import type { PlanData } from '../../../../src/plugin/output/plan-shape.ts';
import { ConnectionLost } from '../../../support/virtual/backend.ts';
import { cloud, type CliOptions, dataOf, endpoint, type Ran } from '../../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import { type RunningOperator, World } from '../../../support/world/world.ts';

let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
});

const volume = { region: 'eu-central', sizeGiB: 20, lifecycle: { onDelete: 'Delete' } };
const machine = { region: 'eu-central', type: 'g6-nanode-1' };
const document = (kind: string, name: string, spec: object, metadata: object = {}) =>
  JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind, metadata: { name, ...metadata }, spec });
const plan = (line: string, files: Record<string, string>, options: CliOptions = {}): Promise<Ran> =>
  cloud(world, `plan ${line}`, { limit: 300_000, files, ...options });
const planned = async (
  line: string,
  files: Record<string, string>,
  options: CliOptions = {},
): Promise<PlanData & Pick<Ran, 'exit' | 'err'>> => {
  const ran = await plan(`${line} -o json`, files, options);
  return { ...(dataOf(ran) as unknown as PlanData), exit: ran.exit, err: ran.err };
};
const made = async (kind: string, name: string, spec: Record<string, unknown>): Promise<void> => {
  await world.apply(kind, name, spec);
  await world.ready(kind, name);
};
/** What the account was asked by the plugin. */
const asked = () => world.emulator.control.requests().filter(({ userAgent }) => userAgent.startsWith('kubectl-cloud'));

describe('against the cluster', () => {
  it('tells a change with its effect and its approval by the status alone: no token, no account', async () => {
    await made('CloudInstance', 'web', machine);
    world.server.addUser('dev', { name: 'dev' });
    const rules = [{ apiGroups: ['cloudhosting.dev'], resources: ['*'], verbs: ['get', 'list', 'create', 'patch'] }];
    world.server.setGrants([{ to: 'dev', rules }]);
    const files = { 'web.yaml': document('CloudInstance', 'web', { ...machine, type: 'g6-standard-2' }) };
    const { exit, objects, accounts } = await planned('-f web.yaml --against cluster', files, { token: 'dev' });
    expect([exit, accounts, asked()]).toEqual([1, [], []]);
    expect(objects).toMatchObject([
      {
        action: 'change',
        effect: 'Reboot',
        needsApproval: true,
        changes: [{ field: 'type', from: 'g6-nanode-1', to: 'g6-standard-2' }],
        calls: [],
        basis: expect.stringMatching(/^status of 20/) as string,
      },
    ]);
    const against = await planned(`-f web.yaml --endpoint ${endpoint}`, files);
    expect(objects[0]?.approval?.value.slice(0, 16)).toBe(against.objects[0]?.approval?.value.slice(0, 16));
    expect(against.objects[0]?.basis).toBe('account');
    const { out } = await plan('-f web.yaml --against cluster', files, { token: 'dev' });
    expect(out).toMatch(/Basis: status of .*; the account was not asked\.\nNothing was written\./);
  });
  it('says of a field that was never set that it is not known, and counts it for a limit', async () => {
    await made('CloudInstance', 'web', machine);
    const files = { 'web.yaml': document('CloudInstance', 'web', { ...machine, tags: ['prod'] }) };
    const { exit, objects } = await planned('-f web.yaml --against cluster', files);
    expect(exit).toBe(1);
    expect(objects[0]).toMatchObject({
      action: 'change',
      unknown: ['spec.tags'],
      changes: [{ field: 'tags', from: 'unknown now', to: ['prod'] }],
    });
    expect((await plan('-f web.yaml --against cluster', files)).out).toContain('not known: spec.tags');
  });
  it('names the create with its body, what waits for it, and what is deleted or kept', async () => {
    await made('CloudVolume', 'old', volume);
    await made('CloudVolume', 'kept', { ...volume, lifecycle: { onDelete: 'Retain' } });
    const files = {
      'new.yaml': [
        document('CloudVolume', 'data', { instanceRef: { name: 'app' }, sizeGiB: 20 }),
        document('CloudInstance', 'app', machine),
      ].join('\n---\n'),
      'old.yaml': [document('CloudVolume', 'old', volume), document('CloudVolume', 'kept', volume)].join('\n---\n'),
    };
    const { objects } = await planned('-f new.yaml --base old.yaml --against cluster', files);
    expect(objects.map(({ name, action, after }) => [name, action, after])).toEqual([
      ['data', 'create', ['CloudInstance team-a/app']],
      ['app', 'create', []],
      ['old', 'delete', []],
      ['kept', 'retain', []],
    ]);
    expect(objects[1]?.calls).toMatchObject([{ method: 'POST', path: '/vm/instances', body: { type: 'g6-nanode-1' } }]);
  });
  it('takes what the operator saw to differ for what is there, and says that an object is not as wanted', async () => {
    await made('CloudDomain', 'zone', {
      domain: 'example.org',
      type: 'master',
      soaEmail: 'dns@example.org',
      lifecycle: { drift: 'Report' },
    });
    const user = new CloudUser(world);
    const [row] = (await user.list('/domains')) as readonly { readonly id: number }[];
    await user.put(`/domains/${row?.id}`, { soa_email: 'theirs@example.org' });
    await world.reason('CloudDomain', 'zone', 'DriftReported', 3_600_000);
    const { objects } = await planned('cdom/zone --against cluster', {});
    expect(objects[0]).toMatchObject({
      action: 'none',
      changes: [{ field: 'soaEmail', from: 'theirs@example.org', to: 'dns@example.org' }],
      unknown: ['it is DriftReported now, so that more may differ'],
    });
  });
  it('does not say that nothing would happen while a change waits for a yes', async () => {
    await made('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' });
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    await world.reason('CloudInstance', 'web', 'ApprovalRequired');
    const { exit, objects } = await planned('cinst/web --against cluster', {});
    expect([exit, objects[0]]).toMatchObject([1, { action: 'wait', message: expect.stringContaining('Reboot needs approval') as string }]);
  });
  it('does not say so either of what no operator has looked at since its last edit', async () => {
    await made('CloudVolume', 'data', volume);
    operator.kill();
    const grown = { ...volume, sizeGiB: 40 };
    await world.apply('CloudVolume', 'data', grown);
    const { exit, objects } = await planned('-f v.yaml --against cluster', { 'v.yaml': document('CloudVolume', 'data', grown) });
    expect([exit, objects[0]]).toMatchObject([
      1,
      {
        action: 'wait',
        message: 'no operator has looked at it since it was edited, and what that edit does is not known',
        unknown: ['no operator has looked at it since it was edited, so that more may differ'],
      },
    ]);
  });
  it('offers no approval for a change from what is only asked for', async () => {
    await made('CloudInstance', 'web', machine);
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    await world.reason('CloudInstance', 'web', 'ApprovalRequired');
    const reverted = { 'web.yaml': document('CloudInstance', 'web', machine) };
    const { objects } = await planned('-f web.yaml --against cluster', reverted);
    expect(objects[0]).toMatchObject({ unknown: ['it is ApprovalRequired now, so that more may differ'] });
    expect(objects[0]).not.toHaveProperty('approval');
  });
  it('does not guess what is adopted', async () => {
    const files = { 'v.yaml': document('CloudVolume', 'theirs', { ...volume, adopt: { id: 4711 } }) };
    const { objects } = await planned('-f v.yaml --against cluster', files);
    expect(objects[0]).toMatchObject({ action: 'adopt', calls: [], message: expect.stringContaining('is not looked at') as string });
  });
  it('has nothing to say where nothing changes, and refuses what the API server refuses', async () => {
    await made('CloudVolume', 'data', volume);
    expect((await plan('-A --against cluster', {})).exit).toBe(0);
    const files = { 'v.yaml': document('CloudVolume', 'data', { ...volume, sizeGiB: 5 }) };
    const { exit, objects } = await planned('-f v.yaml --against cluster', files);
    expect([exit, objects[0]?.refusal?.reason]).toEqual([4, 'Admission']);
  });
});

describe('against nothing', () => {
  /** A cluster that nobody may ask. */
  const alone: CliOptions = { between: () => ({ handle: () => Promise.reject(new ConnectionLost()) }) };
  const offline = (files: Record<string, string>, more = '') => planned(`-f new --base old --against none${more}`, files, alone);

  it('compares manifests before and after, without a cluster', async () => {
    const files = {
      'old/web.yaml': document('CloudInstance', 'web', machine),
      'old/data.yaml': document('CloudVolume', 'data', { instanceRef: { name: 'web' }, sizeGiB: 20 }),
      'old/gone.yaml': document('CloudVolume', 'gone', volume),
      'new/web.yaml': document('CloudInstance', 'web', { ...machine, type: 'g6-standard-2' }),
      'new/data.yaml': document('CloudVolume', 'data', { instanceRef: { name: 'web' }, sizeGiB: 20 }),
      'new/young.yaml': document('CloudVolume', 'young', volume, { namespace: 'team-a' }),
    };
    const { exit, objects, accounts } = await offline(files);
    expect([exit, accounts, asked()]).toEqual([1, [], []]);
    expect(objects).toMatchObject([
      { name: 'web', namespace: 'default', action: 'change', effect: 'Reboot', needsApproval: true, calls: [], basis: 'manifests' },
      { name: 'data', action: 'none' },
      { name: 'young', namespace: 'team-a', action: 'create' },
      { name: 'gone', action: 'delete' },
    ]);
    expect(objects[0]?.approval).toBeUndefined();
    expect((await plan('-f new --base old --against none', files, alone)).out).toContain('(offline). Not checked: admission');
    expect((await plan('-f new --base old --against none --max-deletes 0', files, alone)).exit).toBe(3);
  });
  it('follows references, outputs and Secrets that it cannot read', async () => {
    const record = {
      domainRef: { name: 'zone' },
      type: 'A',
      host: 'www',
      targetFrom: { instanceRef: { name: 'web' }, address: 'PublicIPv4' },
    };
    const common = {
      zone: document('CloudDomain', 'zone', { domain: 'example.org', type: 'master', soaEmail: 'dns@example.org' }),
      web: document('CloudInstance', 'web', { ...machine, image: 'vm/debian11', rootPasswordSecretRef: { name: 'root', key: 'password' } }),
    };
    const files = {
      'old/a.yaml': Object.values({ ...common, www: document('CloudDomainRecord', 'www', record) }).join('\n---\n'),
      'new/a.yaml': Object.values({ ...common, www: document('CloudDomainRecord', 'www', { ...record, ttlSeconds: 300 }) }).join('\n---\n'),
    };
    const { objects } = await offline(files);
    expect(objects.map(({ name, action }) => `${name} ${action}`)).toEqual(['zone none', 'web none', 'www change']);
    expect(objects[2]?.changes).toMatchObject([{ field: 'ttlSeconds' }]);
  });
  it.each([
    ['a field that there is none', { ...volume, sizeGB: 5 }, 'unknown field "spec.sizeGB"'],
    ['a value out of range', { ...volume, sizeGiB: 5 }, 'spec.sizeGiB'],
    ['a word that is none of them', { ...volume, lifecycle: { onDelete: 'Keep' } }, 'spec.lifecycle.onDelete'],
    ['what is no number', { ...volume, sizeGiB: '20' }, 'spec.sizeGiB: an integer is wanted'],
    ['what cannot be changed', { ...volume, region: 'us-east' }, 'region cannot be changed'],
    ['an id that is neither number nor text', { ...volume, adopt: { id: { at: 1 } } }, 'spec.adopt.id: an integer or a string is wanted'],
    ['fewer entries than there must be', { ...volume, adopt: { match: {} } }, 'spec.adopt.match: it has 0 entries'],
    ['the same twice in a set', { ...volume, tags: ['one', 'two', 'one'] }, 'spec.tags[2]: "one" stands there for the second time'],
  ])('refuses %s by the CRD', async (_, spec, says) => {
    const files = { 'old/v.yaml': document('CloudVolume', 'v', volume), 'new/v.yaml': document('CloudVolume', 'v', spec) };
    const { exit, objects } = await offline(files);
    expect([exit, objects[0]?.action]).toEqual([4, 'refused']);
    expect(objects[0]?.refusal?.message).toContain(says);
  });
  it('tells 12 deletions at once, and reads a commit of git', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `v${at}`);
    const files = {
      'origin/main:new/all.yaml': names.map((name) => document('CloudVolume', name, volume)).join('\n---\n'),
      'new/one.yaml': document('CloudInstance', 'web', machine),
    };
    const { exit, brake } = await planned('-f new --base git:origin/main --against none', files, alone);
    expect([exit, brake.wouldHold]).toEqual([3, 12]);
  });
  it.each([
    ['name', { name: 'a![x](https://evil.example/p.png) **approved**' }],
    ['namespace', { name: 'a', namespace: '[see](https://evil.example)' }],
  ])('takes no %s that Kubernetes would not, which a comment would show as markup', async (field, metadata) => {
    const odd = JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind: 'CloudVolume', metadata, spec: volume });
    for (const at of ['new', 'old']) {
      const files = { 'new/v.yaml': document('CloudVolume', 'v', volume), 'old/v.yaml': '', [`${at}/odd.yaml`]: odd };
      const { exit, out, err } = await plan('-f new --base old --against none -o markdown', files, alone);
      expect([exit, out]).toEqual([4, '']);
      expect(err).toContain(`odd.yaml: metadata.${field} of a CloudVolume is none that Kubernetes takes`);
    }
  });
  it.each([
    ['-f new --against none', '--base git:COMMIT'],
    ['cvol/a --against none', 'name them with -f or -k'],
    ['-f new --base old --against none --prune -l a=b', '--prune asks the cluster'],
  ])('%s is not understood', async (line, says) =>
    expect(await plan(line, { 'new/v.yaml': document('CloudVolume', 'v', volume) }, alone)).toMatchObject({
      exit: 2,
      err: expect.stringContaining(says) as string,
    }),
  );
});
