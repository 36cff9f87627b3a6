import { beforeEach, describe, expect, it } from 'vitest';
import { checks } from '../../../../src/plugin/doctor/checks/checks.ts';
import { argocdActions } from '../../../../src/generate/chart/argocd-actions.ts';
import { argocdHealth } from '../../../../src/generate/chart/argocd.ts';
import { healthCheckExprs } from '../../../../src/generate/chart/flux.ts';
import { kinds } from '../../../../src/generated/kinds.ts';
import type { Backend } from '../../../support/virtual/backend.ts';
import { cloud, type CliOptions, dataOf, endpoint } from '../../../support/plugin/cloud-cli.ts';
import { type RunningOperator, World } from '../../../support/world/world.ts';

const minute = 60_000;
const longAgo = '2025-12-25T00:00:00Z';
const volume = { region: 'eu-central', sizeGiB: 20 };
const crd = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/cloudvolumes.cloudhosting.dev';
let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  await world.account({ installation: 'prod' });
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
  await world.apply('CloudVolume', 'data', volume);
  await world.ready('CloudVolume', 'data');
});

interface Finding {
  readonly id: string;
  readonly severity: string;
  readonly seen: string;
  readonly todo?: string;
}
const isTold = ({ severity }: Finding): boolean => !['ok', 'notChecked'].includes(severity);
const everything = `doctor -A --account --gitops --recovery --as-ci --endpoint ${endpoint}`;
const findings = async (options: CliOptions = healthy()): Promise<readonly Finding[]> =>
  (dataOf(await cloud(world, `${everything} -o json`, options)) as { findings: Finding[] }).findings;

/** What the API server in memory does not have: answers by path; a text is no JSON, a number a refusal. */
type Answers = Readonly<Record<string, object | string | number>>;
const answering =
  (answers: Answers) =>
  (server: Backend): Backend => ({
    handle: (request) => {
      const [path = ''] = request.path.split('?');
      const known = answers[path];
      if (known === undefined) return server.handle(request);
      if (typeof known === 'string') return Promise.resolve({ status: 200, headers: { 'content-type': 'text/plain' }, body: known });
      const status = typeof known === 'number' ? known : 200;
      const body = typeof known === 'number' ? { kind: 'Status', code: known, message: 'refused by the test' } : known;
      return Promise.resolve({ status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    },
  });

const podLabels = { 'app.kubernetes.io/name': 'cloud-operator' };
const policies = '/apis/networking.k8s.io/v1/namespaces/cloud-operator/networkpolicies';
const metrics = '/api/v1/namespaces/cloud-operator/pods/one:8080/proxy/metrics';
const argo = '/api/v1/namespaces/argocd/configmaps/argocd-cm';
const applications = '/apis/argoproj.io/v1alpha1/namespaces/argocd/applications';
const kustomization = '/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/flux-system/kustomizations/shop';
const policy = (...ports: readonly object[]) => ({
  items: [
    {
      metadata: { name: 'operator', namespace: 'cloud-operator' },
      spec: { podSelector: { matchLabels: podLabels }, policyTypes: ['Egress'], egress: [{ ports }] },
    },
  ],
});
const app = (spec: object) => ({ items: [{ metadata: { name: 'shop', namespace: 'argocd' }, spec }] });
/** A cluster with all that is looked at, and nothing wrong with it. */
const answers: Answers = {
  '/api/v1/pods': {
    items: [
      {
        metadata: { namespace: 'cloud-operator', name: 'one', labels: podLabels },
        status: { conditions: [{ type: 'Ready', status: 'True' }] },
      },
      { metadata: { namespace: 'cloud-operator', name: 'young', labels: podLabels } },
    ],
  },
  [metrics]: '# TYPE cloud_operator_reconciles counter\n',
  [policies]: policy({ port: 53, protocol: 'UDP' }, { port: 440, endPort: 450 }, { port: 6443 }),
  '/api/v1/namespaces/default/endpoints/kubernetes': { subsets: [{ ports: [{ port: 6443 }] }] },
  [argo]: { data: { ...(argocdHealth(kinds)['data'] as object), ...(argocdActions(kinds)['data'] as object) } },
  [applications]: app({ ignoreDifferences: [{ group: 'cloudhosting.dev', kind: 'CloudVolume', jsonPointers: ['/status'] }] }),
  [kustomization]: { spec: { wait: true, healthCheckExprs: healthCheckExprs(kinds) } },
};
const healthy = (other: Answers = {}, options: CliOptions = {}): CliOptions => ({
  between: answering({ ...answers, ...other }),
  ...options,
});
const labelled = () =>
  world.patch('CloudVolume', 'data', {
    metadata: { labels: { 'kustomize.toolkit.fluxcd.io/name': 'shop', 'kustomize.toolkit.fluxcd.io/namespace': 'flux-system' } },
  });
const annotated = (annotations: object) => world.patch('CloudVolume', 'data', { metadata: { annotations } });

const status = (kind: string, name: string, seen: object): Promise<unknown> =>
  world.admin('PATCH', `${world.path(kind, 'team-a', name)}/status`, { status: seen });

/** Written by hand when nobody sets it back; the lease is not over yet. */
const shown = async (seen: object, [kind, name]: readonly [string, string] = ['CloudAccount', 'default']): Promise<void> => {
  operator.kill();
  await status(kind, name, seen);
};

/** As the API server in memory does not keep it. */
let byKubectl: object = {};

/** One installation for each check that is broken in this way and in no other. */
const broken: Readonly<
  Record<string, { readonly severity: 'warn' | 'fail'; readonly make?: () => Promise<unknown>; readonly options?: () => CliOptions }>
> = {
  D01: { severity: 'warn', options: () => healthy({ '/api/v1/pods': 403 }) },
  D02: {
    severity: 'warn',
    make: () => world.admin('PATCH', crd, { metadata: { annotations: { 'cloudhosting.dev/schema-hash': 'of another release' } } }),
  },
  D03: {
    severity: 'fail',
    make: async () => {
      operator.kill();
      await world.clock.advance(10 * minute);
    },
  },
  D04: { severity: 'warn', options: () => healthy({ [metrics]: '<html>sign in</html>' }) },
  D05: { severity: 'fail', options: () => healthy({ [policies]: policy({ port: 53, protocol: 'UDP' }, { port: 443 }) }) },
  D06: {
    severity: 'fail',
    options: () => healthy({}, { wire: { addresses: () => Promise.reject(new Error('getaddrinfo ENOTFOUND api.test')) } }),
  },
  D07: {
    severity: 'fail',
    options: () => healthy({}, { wire: { certificateEnd: () => Promise.reject(new Error('self-signed certificate')) } }),
  },
  D08: {
    severity: 'fail',
    options: () => healthy({}, { wire: { proxyFor: () => Promise.resolve('proxy:3128'), get: () => Promise.reject(new Error('407')) } }),
  },
  D09: {
    severity: 'fail',
    options: () => healthy({}, { wire: { get: () => Promise.resolve({ status: 200, date: world.clock.now(), body: '<html>' }) } }),
  },
  D10: {
    severity: 'warn',
    options: () =>
      healthy({}, { wire: { get: () => Promise.resolve({ status: 200, date: world.clock.now() + 6000, body: { data: [] } }) } }),
  },
  D11: {
    severity: 'fail',
    make: () => shown({ conditions: [condition('Ready', 'False', 'Unauthorized'), condition('Synced', 'False', 'Unauthorized')] }),
  },
  D12: { severity: 'warn', make: () => shown({ restricted: true }) },
  D13: { severity: 'warn', make: () => shown({ missingScopes: ['volumes:read_write'] }) },
  D14: { severity: 'warn', make: () => shown({ eventsRefused: 'the token may not read events' }) },
  D15: { severity: 'warn', make: () => shown({ shareUsedUp: { sharePercent: 1, classes: ['read'], since: '2026-01-01T00:00:00Z' } }) },
  D16: {
    severity: 'warn',
    make: async () => {
      world = await World.create();
      await world.account({ installation: undefined });
      operator = await world.start();
      await world.ready('CloudAccount', 'default');
    },
  },
  D17: {
    severity: 'warn',
    make: async () => {
      await world.apply('CloudAccount', 'second', {
        endpoint: 'main',
        tokenSecretRef: { name: 'cloud-token', key: 'token' },
        installation: 'other',
      });
      await world.ready('CloudAccount', 'second');
    },
  },
  D18: { severity: 'fail', make: () => shown({ servedBy: null }) },
  D19: { severity: 'warn', make: () => world.patch('CloudAccount', 'default', { spec: { recover: true } }) },
  D20: {
    severity: 'fail',
    make: async () => {
      await world.apply('CloudVolume', 'odd', { ...volume, volumeRef: { name: 'odd' } });
      await world.reason('CloudVolume', 'odd', 'InvalidSpec');
    },
  },
  D21: {
    severity: 'warn',
    make: () =>
      shown(
        {
          conditions: [condition('Ready', 'True', 'Available'), condition('Synced', 'False', 'ApprovalRequired')],
          plan: { hash: 'ad73444b3f', effect: 'Reboot', changes: ['spec.region: the account has a, wanted b'] },
        },
        ['CloudVolume', 'data'],
      ),
  },
  D22: {
    severity: 'fail',
    make: () => shown({ held: [{ namespace: 'team-a', count: 12, release: 'a-b', message: '12 of 20 are being deleted' }] }),
  },
  D23: {
    severity: 'warn',
    make: () => shown({ paused: { until: '2027-01-01T00:00:00Z', at: longAgo } }, ['CloudVolume', 'data']),
  },
  D24: {
    severity: 'warn',
    make: async () => {
      await world.patch('CloudVolume', 'data', { spec: { lifecycle: { onDelete: 'Delete' } } });
      await world.clock.advance(minute);
    },
  },
  D25: { severity: 'warn', options: () => healthy({ [argo]: { data: argocdHealth(kinds)['data'] as object } }) },
  D26: { severity: 'warn', make: labelled, options: () => healthy({ [kustomization]: { spec: { wait: true } } }) },
  D27: {
    severity: 'warn',
    make: async () => {
      await labelled();
      const data = await world.get('CloudVolume', 'data');
      const fieldsV1 = { 'f:metadata': { 'f:annotations': { 'f:cloudhosting.dev/reconcile-at': {} } } };
      byKubectl = { ...data, metadata: { ...data.metadata, managedFields: [{ manager: 'kubectl-annotate', fieldsV1 }] } };
    },
    options: () => healthy({ '/apis/cloudhosting.dev/v1alpha1/cloudvolumes': { items: [byKubectl] } }),
  },
  D28: { severity: 'fail', make: () => annotated({ 'argocd.argoproj.io/sync-options': 'Prune=false, Replace=true' }) },
  D29: {
    severity: 'warn',
    make: async () => {
      operator.kill();
      await world.apply('CloudIPAddress', 'mail', { type: 'IPv4', instanceRef: { name: 'web' } });
      await status('CloudIPAddress', 'mail', { path: '/networking/ips/203.0.113.7', id: '203.0.113.7' });
    },
  },
  D30: {
    severity: 'fail',
    make: async () => {
      await world.delete('CloudVolume', 'data');
      await world.gone('CloudVolume', 'data');
      jobWith('secrets', 'patch');
    },
    options: () => healthy({}, { token: 'job' }),
  },
};
/** A caller who may read everything but Secrets, and as much of the rest as a test says. */
function jobWith(...verbs: readonly string[]): void {
  world.server.addUser('job', { name: 'job' });
  const read = { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] };
  const nothing = verbs.includes('secrets') ? [] : ['secrets'];
  world.server.setGrants([
    {
      to: 'job',
      rules: [
        nothing.length === 0 ? read : { ...read, apiGroups: ['cloudhosting.dev', 'apiextensions.k8s.io', 'coordination.k8s.io'] },
        { apiGroups: ['cloudhosting.dev'], resources: ['*'], verbs: verbs.filter((verb) => verb !== 'secrets') },
      ],
    },
  ]);
}
const condition = (type: string, state: string, reason: string) => ({
  type,
  status: state,
  reason,
  message: 'refused',
  observedGeneration: 1,
  lastTransitionTime: longAgo,
});

describe('doctor', () => {
  it('says that it looked at nothing, where the namespace has nothing', async () => {
    await world.namespace('empty');
    const { exit, err } = await cloud(world, 'doctor -n empty', healthy());
    expect({ exit, err }).toEqual({
      exit: 0,
      err: expect.stringContaining('nothing to look at: there is none in namespace empty. -A looks in all namespaces') as string,
    });
  });
  it('finds nothing where nothing is wrong', async () => {
    await labelled();
    const { exit, out } = await cloud(world, `${everything} --strict`, healthy());
    expect({ exit, wrong: out.split('\n').filter((line) => !/^(ok |$)/.test(line)) }).toEqual({ exit: 0, wrong: [] });
    const ids = checks.filter((check) => check.with === undefined).map(({ id }) => id);
    const asked = (dataOf(await cloud(world, `doctor -A -o json --endpoint ${endpoint}`, healthy())) as { findings: Finding[] }).findings;
    expect(asked.map(({ id, severity }) => `${id} ${severity}`)).toEqual(ids.map((id) => `${id} ok`));
  });
  it('has a broken installation for each check', () => expect(Object.keys(broken)).toEqual(checks.map(({ id }) => id)));
  it.each(Object.entries(broken))('%s is found, alone, with what to do', async (id, { severity, make, options = healthy }) => {
    await make?.();
    const red = (await findings(options())).filter(isTold);
    expect(red).toEqual([{ id, severity, seen: expect.any(String) as string, todo: expect.stringMatching(/.{10}/) as string }]);
    expect((await cloud(world, everything, options())).exit).toBe(severity === 'fail' ? 1 : 0);
    expect((await cloud(world, `${everything} --strict`, options())).exit).toBe(1);
  });
});

/** Nothing that could not be looked at counts as well. */
const unlooked: readonly (readonly [string, () => Promise<unknown>, () => CliOptions, Readonly<Record<string, string>>])[] = [
  [
    'a token that is refused',
    () => shown({ conditions: [condition('Ready', 'False', 'Unauthorized'), condition('Synced', 'False', 'Unauthorized')] }),
    () => healthy({}, { cloudToken: 'token-admin' }),
    {
      D12: 'CloudAccount team-a/default is not connected (Unauthorized, D11)',
      D13: 'CloudAccount team-a/default is not connected (Unauthorized, D11)',
      D14: 'CloudAccount team-a/default is not connected (Unauthorized, D11)',
      D15: 'CloudAccount team-a/default is not connected (Unauthorized, D11)',
      D20: 'CloudAccount team-a/default is not connected (Unauthorized, D11), so what its objects show is of before',
      D21: 'CloudAccount team-a/default is not connected (Unauthorized, D11), so what its objects show is of before',
      D22: 'CloudAccount team-a/default is not connected (Unauthorized, D11), so what its objects show is of before',
    },
  ],
  [
    'an account that nobody has looked at',
    async () => {
      operator.kill();
      await world.apply('CloudAccount', 'second', { ...(await world.get('CloudAccount', 'default')).spec });
    },
    healthy,
    {
      D11: 'no operator has looked at CloudAccount team-a/second yet',
      D12: 'no operator has looked at CloudAccount team-a/second yet',
      D13: 'no operator has looked at CloudAccount team-a/second yet',
      D14: 'no operator has looked at CloudAccount team-a/second yet',
      D15: 'no operator has looked at CloudAccount team-a/second yet',
      D17: 'to which account CloudAccount team-a/second leads is not known yet',
    },
  ],
  [
    'an operator that is gone',
    async () => {
      operator.kill();
      await world.clock.advance(10 * minute);
    },
    healthy,
    Object.fromEntries(
      ['D11', 'D12', 'D13', 'D14', 'D15', 'D20', 'D21', 'D22'].map((id) => [
        id,
        'no operator renews the lease cloud-operator/cloud-operator (D03), so what the objects show is of before',
      ]),
    ),
  ],
  [
    'Pods that you may not list',
    () => Promise.resolve(),
    () => healthy({ '/api/v1/pods': 403 }),
    { D04: 'you may not list pods', D05: 'you may not list pods' },
  ],
  ['Pods that are not there', () => Promise.resolve(), () => without(), { D05: 'no Pod of an operator is to be seen' }],
  [
    'NetworkPolicies that you may not list',
    () => Promise.resolve(),
    () => healthy({ [policies]: 403 }),
    { D05: 'you may not list networkpolicies.networking.k8s.io in namespace cloud-operator' },
  ],
  [
    'ConfigMaps and Applications of Argo CD that you may not read',
    () => Promise.resolve(),
    () => healthy({ [argo]: 403, [applications]: 403 }),
    { D25: 'you may not get configmaps in namespace argocd', D28: 'you may not list applications.argoproj.io in namespace argocd' },
  ],
  [
    'a name that is not known',
    () => Promise.resolve(),
    () => healthy({}, { wire: { addresses: () => Promise.reject(new Error('getaddrinfo ENOTFOUND api.test')) } }),
    {
      D07: 'the way to endpoint main ends before (D06)',
      D09: 'the way to endpoint main ends before (D06)',
      D12: 'the way to endpoint main, and so to CloudAccount team-a/default, is barred',
    },
  ],
  [
    'a proxy that lets nothing through',
    () => Promise.resolve(),
    () => healthy({}, { wire: { proxyFor: () => Promise.resolve('proxy:3128'), get: () => Promise.reject(new Error('407')) } }),
    {
      D06: 'endpoint main is reached by the proxy proxy:3128, which looks its name up',
      D07: 'endpoint main is reached by the proxy proxy:3128, through which its certificate is not looked at',
      D09: 'the way to endpoint main ends before (D08)',
      D12: 'the way to endpoint main, and so to CloudAccount team-a/default, is barred',
    },
  ],
  [
    'a Secret that you may not read',
    () => Promise.resolve(),
    () => healthy({ '/api/v1/namespaces/team-a/secrets/cloud-token': 403 }),
    { D12: 'you may not get secrets in namespace team-a' },
  ],
  [
    'a Secret that is not there',
    () => Promise.resolve(),
    () => healthy({ '/api/v1/namespaces/team-a/secrets/cloud-token': 404 }),
    { D12: 'Secret team-a/cloud-token has no token under token' },
  ],
];
describe('what could not be looked at', () => {
  it.each(unlooked)('is not checked, never ok: %s', async (_, make, options, why) => {
    await make();
    const all = await findings(options());
    const notChecked = all.filter(({ severity }) => severity === 'notChecked');
    expect(Object.fromEntries(notChecked.map(({ id, seen }) => [id, seen.replace(/^.*: not checked: /, '')]))).toEqual(why);
    const both = all.filter(({ id, severity }) => severity === 'ok' && Object.hasOwn(why, id));
    expect(both).toEqual([]);
  });
  it('is told once where it is the same of several accounts', async () => {
    await world.apply('CloudAccount', 'second', { ...(await world.get('CloudAccount', 'default')).spec });
    await world.ready('CloudAccount', 'second');
    operator.kill();
    await world.clock.advance(10 * minute);
    const all = (await findings()).filter(({ severity }) => severity === 'notChecked').map(({ id, seen }) => `${id} ${seen}`);
    expect(all).toHaveLength(8);
    expect(new Set(all).size).toBe(8);
    const { out } = await cloud(world, 'doctor -A', healthy());
    expect(out.match(/^\? +D13 .*$/gm)).toEqual([
      expect.stringContaining('no operator renews the lease cloud-operator/cloud-operator (D03)'),
    ]);
  });
  it('has lines of its own, and makes no exit code by itself', async () => {
    const { exit, out } = await cloud(world, everything, without());
    expect([exit, out]).toEqual([
      0,
      expect.stringMatching(/^\? {5}D05 {2}no NetworkPolicy shuts what operators must reach: not checked: no Pod .* to be seen$/m),
    ]);
  });
});

/** Further set-ups of checks that look at several things. */
const more: readonly (readonly [string, () => Promise<CliOptions>, RegExp])[] = [
  ['D04', () => Promise.resolve(healthy({ [metrics]: 503 })), /metrics of Pod cloud-operator\/one cannot be read/],
  ['D05', () => Promise.resolve(healthy({ [policies]: policy({ port: 6443 }, { port: 443 }) })), /cannot reach DNS/],
  [
    'D07',
    () => Promise.resolve(healthy({}, { wire: { certificateEnd: () => Promise.resolve(world.clock.now() + 86_400_000) } })),
    /ends at 2026/,
  ],
  [
    'D08',
    () => Promise.resolve(healthy({}, { wire: { proxyFor: () => Promise.reject(new Error('the proxy cannot be read')) } })),
    /endpoint main .*: the proxy cannot be read/,
  ],
  ['D09', () => Promise.resolve(healthy({}, { wire: { get: (url) => Promise.resolve(answerOf(url)) } })), /word=vm may not be how/],
  [
    'D12',
    async () => {
      await shown({ account: 'ANOTHER' });
      return healthy();
    },
    /it is account ANOTHER, and the token of its Secret leads to account E1AF/,
  ],
  ['D12', () => Promise.resolve(healthy({}, { cloudToken: 'no such token' })), /your own token cannot be used/],
  [
    'D12',
    () => {
      const wrong = { data: { token: Buffer.from('no such token').toString('base64') } };
      return Promise.resolve(healthy({ '/api/v1/namespaces/team-a/secrets/cloud-token': wrong }, { cloudToken: 'token-admin' }));
    },
    /CloudAccount team-a\/default: the token of its Secret cannot be used/,
  ],
  ['D25', () => Promise.resolve(healthy({ [argo]: { data: edited() } })), /of another release, or edited/],
  [
    'D28',
    () => Promise.resolve(healthy({ [applications]: app({ syncPolicy: { syncOptions: ['Replace=true'] } }) })),
    /Application argocd\/shop has/,
  ],
  [
    'D28',
    () =>
      Promise.resolve(
        healthy({ [applications]: app({ ignoreDifferences: [{ group: 'cloudhosting.dev', jsonPointers: ['/spec/type'] }] }) }),
      ),
    /ignores differences in \* \/spec\/type/,
  ],
  [
    'D28',
    async () => {
      await annotated({ 'kustomize.toolkit.fluxcd.io/force': 'Enabled' });
      return healthy();
    },
    /is replaced by each sync/,
  ],
  [
    'D10',
    async () => {
      const far = new Date(world.clock.now() + 60_000).toISOString().replace('Z', '000Z');
      return healthy({ [await lease()]: { metadata: {}, spec: { renewTime: far, leaseDurationSeconds: 15 } } });
    },
    /was renewed 60 s from now/,
  ],
];
const answerOf = (url: string) => ({ status: url.endsWith('/types') ? 404 : 200, date: world.clock.now(), body: { data: [] } });
const edited = () =>
  Object.fromEntries(
    Object.entries({ ...(argocdHealth(kinds)['data'] as object), ...(argocdActions(kinds)['data'] as object) }).map(([key, value]) => [
      key,
      `${String(value)}${key.endsWith('health.cloudhosting.dev_CloudVolume') ? '-- edited' : ''}`,
    ]),
  );
const ofJob = async (line = '', options: CliOptions = {}) =>
  (
    dataOf(await cloud(world, `doctor --as-ci${line} -o json`, { token: 'job', ...options })) as { findings: readonly Finding[] }
  ).findings.filter(({ id }) => id === 'D30');

describe('doctor --as-ci', () => {
  it('names each right that a dry run lacks, and writes nothing by trying', async () => {
    jobWith();
    const rights = (await ofJob(` --endpoint ${endpoint}`)).map(({ seen }) => /may not (.*?), so/.exec(seen)?.[1] ?? seen);
    expect(rights).toEqual([
      'patch cloudaccounts.cloudhosting.dev in namespace team-a',
      'create cloudaccounts.cloudhosting.dev in namespace team-a',
      'patch cloudvolumes.cloudhosting.dev in namespace team-a',
      'create cloudvolumes.cloudhosting.dev in namespace team-a',
      expect.stringContaining('there is no token of its own') as string,
    ]);
    jobWith('patch', 'create');
    world.server.ledger.clear();
    expect(await ofJob(` --endpoint ${endpoint}`, { cloudToken: 'own' })).toMatchObject([{ severity: 'ok' }]);
    expect(world.server.ledger.writes.filter(({ user }) => user === 'job')).toEqual([]);
    const sent = world.server.ledger.requests.filter(({ user, method }) => user === 'job' && method !== 'GET');
    expect(sent.length).toBe(4);
    expect(sent.filter(({ path }) => !path.includes('dryRun=All'))).toEqual([]);
    expect((await ofJob('', { cloudToken: 'own' })).map(({ seen }) => seen).join()).toContain('where the account is cannot be known');
  });
  it('says that it has nothing to try with, and that the Secret would do', async () => {
    jobWith('secrets', 'patch', 'create');
    await world.namespace('team-b');
    expect(await ofJob(` --endpoint ${endpoint} -n team-b`)).toMatchObject([
      { severity: 'warn', seen: expect.stringContaining('no object here') as string },
      { severity: 'warn', seen: expect.stringContaining('no token of its own') as string },
    ]);
    expect(await ofJob(` --endpoint ${endpoint}`)).toMatchObject([{ severity: 'ok' }]);
  });
});

/** A cluster in which no Pod of an operator is to be seen. */
const without = (other: Answers = {}) => healthy({ '/api/v1/pods': { items: [] }, ...other });
describe('an operator that has no Pod in the cluster', () => {
  it('and renews its lease runs elsewhere: that is told and is nothing wrong, with --strict neither', async () => {
    const found = (await findings(without())).filter(isTold);
    expect(found).toEqual([
      { id: 'D04', severity: 'info', seen: expect.stringContaining('runs elsewhere'), todo: expect.stringMatching(/.{10}/) },
    ]);
    const ran = await cloud(world, `${everything} --strict`, without());
    expect([ran.exit, ran.out]).toEqual([0, expect.stringMatching(/^info {2}D04 {2}no Pod/m)]);
  });
  it('and whose lease nobody renews, or that has none, is to be looked for', async () => {
    expect((await findings(without({ [await lease()]: 403 }))).find(({ id }) => id === 'D04')).toMatchObject({ severity: 'warn' });
    operator.kill();
    await world.clock.advance(10 * minute);
    expect((await findings(without())).filter(isTold)).toMatchObject([
      { id: 'D03', severity: 'fail' },
      { id: 'D04', severity: 'warn' },
    ]);
    expect((await cloud(world, `${everything} --strict`, without())).exit).toBe(1);
  });
});

/** Path of the lease that serves the account. */
async function lease(): Promise<string> {
  const { status: seen } = await world.get('CloudAccount', 'default');
  const [namespace, name] = String(seen?.['servedBy']).split('/');
  return `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/${name}`;
}

it.each(more)('%s also tells of this %#', async (id, make, says) => {
  const red = (await findings(await make())).filter(isTold);
  expect(red).toMatchObject([{ id, seen: expect.stringMatching(says) as string }]);
});

it('what goes with its objects is told in one line, and does not bury what is wrong', async () => {
  for (let n = 0; n < 12; n += 1) await world.apply('CloudVolume', `v${n}`, { ...volume, lifecycle: { onDelete: 'Delete' } });
  for (let n = 0; n < 12; n += 1) await world.ready('CloudVolume', `v${n}`);
  const { out } = await cloud(world, 'doctor', healthy());
  expect(out.match(/.*D24.*\n.*\n/g)).toEqual([
    `warn  D24  CloudVolume team-a/v0, v1, v10, v11, v2 and 7 more would be deleted in the account with their objects, and what they hold with them\n           If that is not meant: lifecycle.onDelete: Retain, or lifecycle.protect: true. All of them: -o json\n`,
  ]);
  const found = (await findings()).filter(({ id }) => id === 'D24') as readonly (Finding & { objects?: readonly string[] })[];
  expect(found.map(({ objects }) => objects?.length)).toEqual([12]);
  await world.delete('CloudVolume', 'v0');
  await world.gone('CloudVolume', 'v0');
  for (let n = 1; n < 11; n += 1) await world.patch('CloudVolume', `v${n}`, { spec: { lifecycle: { onDelete: 'Retain' } } });
  await world.clock.advance(minute);
  expect((await cloud(world, 'doctor', healthy())).out).toContain(
    'D24  CloudVolume team-a/v11 would be deleted in the account with its object, and what it holds with it\n           If that is not meant: lifecycle.onDelete: Retain, or lifecycle.protect: true.\n',
  );
});
