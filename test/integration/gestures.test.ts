import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { gesturePolicySpec, gestureRules, gestures } from '../../src/generate/chart/gestures.ts';
import { group, version } from '../../src/generate/names.ts';
import { editRules } from '../../src/generate/chart/rbac.ts';
import { kinds } from '../../src/generated/kinds.ts';
import type { Row } from '../../src/resource/index.ts';
import type { Cluster } from '../controlplane/cluster.ts';
import { sharedControlPlane, START_TIMEOUT_MS } from '../controlplane/shared.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Beside other tests on the same control plane. */
const name = `gestures-${randomBytes(4).toString('hex')}`;
const verbs = Object.keys(gestures);
let cluster: Cluster;
let namespace: string;
const rbac = 'rbac.authorization.k8s.io/v1';
const role = (of: string, rules: readonly object[]): object => ({
  apiVersion: rbac,
  kind: 'Role',
  metadata: { name: of, namespace },
  rules,
});
const bound = (user: string, to: string): object => ({
  apiVersion: rbac,
  kind: 'RoleBinding',
  metadata: { name: `${user}-${to}`, namespace },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: to },
  subjects: [{ kind: 'User', name: user, apiGroup: 'rbac.authorization.k8s.io' }],
});
const admission = 'admissionregistration.k8s.io/v1';
const policy = (): readonly object[] => [
  { apiVersion: admission, kind: 'ValidatingAdmissionPolicy', metadata: { name }, spec: gesturePolicySpec(kinds) },
  {
    apiVersion: admission,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: {
      policyName: name,
      validationActions: ['Deny'],
      matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } },
    },
  },
];
const volumes = `/apis/${group}/${version}/namespaces`;
const merge = 'application/merge-patch+json';

beforeAll(async () => {
  cluster = await sharedControlPlane();
  namespace = await cluster.createNamespace('gestures');
  await cluster.kubectl(['apply', '--server-side', '--force-conflicts', '-k', `${root}/crds`]);
  await cluster.kubectl(['wait', '--for=condition=Established', 'crd/cloudvolumes.cloudhosting.dev', '--timeout=60s']);
  const edit = { apiGroups: [group], resources: ['cloudvolumes', 'cloudfirewalls'], verbs: ['get', 'create', 'update', 'patch'] };
  const items = [
    role('edit', [edit]),
    role('all', gestureRules(kinds)),
    role('tenant', editRules(kinds)),
    role('one', [{ apiGroups: [group], resources: ['cloudvolumes'], resourceNames: ['other'], verbs }]),
    role('status', [{ apiGroups: [group], resources: ['cloudvolumes/status'], verbs: ['patch'] }]),
    bound('tenant', 'tenant'),
    ...['tenant', 'one'].map((of) => bound('of-one', of)),
    ...['tenant', 'status'].map((of) => bound('writes-status', of)),
    ...verbs.map((verb) => role(verb, [{ apiGroups: [group], resources: ['cloudvolumes', 'cloudfirewalls'], verbs: [verb] }])),
    ...['editor', 'approver', ...verbs.map((verb) => `only-${verb}`)].map((user) => bound(user, 'edit')),
    bound('approver', 'all'),
    ...verbs.map((verb) => bound(`only-${verb}`, verb)),
    ...policy(),
  ];
  await cluster.kubectl(['apply', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
  await patch(undefined, 'POST', { metadata: { name: 'data', namespace }, spec: { region: 'eu-central', sizeGiB: 20 } });
  // A policy takes effect some moments after it was stored.
  const inForce = async (): Promise<void> => {
    if ((await patch('editor', 'PATCH', annotated('release', 'x'))).status !== 403) throw new Error('the policy is not in force yet');
  };
  await vi.waitFor(inForce, 30_000);
}, START_TIMEOUT_MS);
afterAll(async () => {
  await cluster.kubectl(['delete', 'validatingadmissionpolicies,validatingadmissionpolicybindings', name]);
  await cluster.kubectl(['delete', 'namespace', namespace, '--wait=false']);
  await cluster.disconnect();
});

const annotated = (annotation: string, value: string): object => ({ metadata: { annotations: { [`${group}/${annotation}`]: value } } });

/** What the API server would say to this user, or to the administrator, who stores it. */
async function patch(
  user: string | undefined,
  method: 'PATCH' | 'POST',
  body: object,
  kind: 'CloudVolume' | 'CloudFirewall' = 'CloudVolume',
): Promise<{ status: number; message: string }> {
  const of = `${volumes}/${namespace}/${kind.toLowerCase()}s`;
  const path = `${of}${method === 'PATCH' ? '/data' : ''}${user === undefined ? '' : '?dryRun=All'}`;
  const whole = method === 'POST' ? { apiVersion: `${group}/${version}`, kind, ...body } : body;
  const answer = await cluster.request<Row>(method, path, {
    body: whole,
    ...(method === 'PATCH' && { contentType: merge }),
    ...(user !== undefined && { token: cluster.user(user) }),
  });
  return { status: answer.status, message: String(answer.body['message'] ?? '') };
}

const writing = Object.entries(gestures).flatMap(([verb, names]) => names.map((annotation) => [annotation, verb] as const));
const raising: readonly (readonly [string, string, object])[] = [
  ['more in lifecycle.approve', 'approve', { spec: { lifecycle: { approve: ['InPlace', 'Reboot'] } } }],
  ['lifecycle.replace: Allow', 'approve', { spec: { lifecycle: { replace: 'Allow' } } }],
  ['lifecycle.onMissing: Recreate where it is not the default', 'recreate', { spec: { lifecycle: { onMissing: 'Recreate' } } }],
];

describe.each(writing)('annotation %s', (annotation, verb) => {
  it.each(['editor', 'approver', ...verbs.map((one) => `only-${one}`)])(`is written by %s only with the verb ${verb}`, async (user) => {
    const { status, message } = await patch(user, 'PATCH', annotated(annotation, 'x'));
    const may = user === 'approver' || user === `only-${verb}`;
    const refusal = `user ${user} needs the verb ${verb} on cloudvolumes.${group} in namespace ${namespace}`;
    expect({ status, refused: message.includes(refusal) }).toEqual({ status: may ? 200 : 403, refused: !may });
  });
});

describe.each(raising)('%s', (_, verb, body) => {
  it.each([
    ['editor', 403],
    ['only-release', 403],
    [`only-${verb}`, 200],
    ['approver', 200],
  ])('by %s: %i', async (user, status) => {
    expect(await patch(user, 'PATCH', body)).toMatchObject({ status });
    const fresh = {
      metadata: { name: 'fresh', namespace },
      spec: { region: 'eu-central', sizeGiB: 20, ...(body as { spec: object }).spec },
    };
    expect(await patch(user, 'POST', fresh)).toMatchObject({ status: status === 200 ? 201 : 403 });
  });
});

describe('what asks for nothing', () => {
  it.each<[string, object]>([
    ['an edit of the spec', { spec: { sizeGiB: 30 } }],
    ['annotations of other sorts', annotated('pause', 'true')],
    ['less in lifecycle.approve', { spec: { lifecycle: { approve: [] } } }],
    ['what needs no approval anyway', { spec: { lifecycle: { approve: ['InPlace'] } } }],
    ['lifecycle.replace: Deny', { spec: { lifecycle: { replace: 'Deny' } } }],
    ['lifecycle.onMissing: Stall', { spec: { lifecycle: { onMissing: 'Stall' } } }],
  ])('%s', async (_, body) => expect(await patch('editor', 'PATCH', body)).toEqual({ status: 200, message: '' }));
  it('what was there before, also when it is taken away', async () => {
    await patch(undefined, 'PATCH', { ...annotated('approve', 'ad73444b3f'), spec: { lifecycle: { approve: ['Reboot'] } } });
    expect(await patch('editor', 'PATCH', { spec: { sizeGiB: 30 } })).toMatchObject({ status: 200 });
    expect(await patch('editor', 'PATCH', { metadata: { annotations: { [`${group}/approve`]: null } } })).toMatchObject({ status: 200 });
    expect(await patch('editor', 'PATCH', annotated('approve', 'another'))).toMatchObject({ status: 403 });
  });
});

const wall = (lifecycle: object): object => ({
  metadata: { name: 'fresh', namespace },
  spec: { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT', lifecycle },
});

describe('what the default brings back is raised, too', () => {
  it('lifecycle.onMissing, where Recreate is the default: neither its absence nor its name asks for anything', async () => {
    for (const lifecycle of [{}, { onMissing: 'Recreate' }, { onMissing: 'Stall' }])
      expect(await patch('editor', 'POST', wall(lifecycle), 'CloudFirewall')).toMatchObject({ status: 201 });
  });
  it.each([
    {
      of: 'lifecycle.onMissing: Stall',
      taken: { onMissing: null },
      verb: 'recreate',
      kind: 'CloudFirewall',
      lifecycle: { onMissing: 'Stall' },
    },
    { of: 'lifecycle.approve: []', taken: { approve: null }, verb: 'approve', kind: 'CloudVolume', lifecycle: { approve: [] } },
  ] as const)('$of is taken away only with the verb', async ({ taken, verb, kind, lifecycle }) => {
    const stored =
      kind === 'CloudFirewall'
        ? await patch(undefined, 'POST', { ...wall(lifecycle), metadata: { name: 'data', namespace } }, kind)
        : await patch(undefined, 'PATCH', { spec: { lifecycle } });
    expect(stored.status).toBeLessThan(300);
    for (const [user, status] of [
      ['editor', 403],
      ['only-release', 403],
      [`only-${verb}`, 200],
    ] as const)
      expect(await patch(user, 'PATCH', { spec: { lifecycle: taken } }, kind)).toMatchObject({ status });
  });
});

const listed = (): string => `${volumes}/${namespace}/cloudvolumes`;

const stored = async (): Promise<Row> => (await cluster.request<Row>('GET', `${listed()}/data`)).body;

describe('whoever edits objects with the role that the chart gives to tenants', () => {
  const gesture = annotated('approve', 'forged');
  const types = { POST: 'application/json', PUT: 'application/json', PATCH: merge, APPLY: 'application/apply-patch+yaml' };
  async function send(user: string, method: keyof typeof types, path: string, body: object): Promise<number> {
    const whole = method === 'PATCH' ? body : { apiVersion: `${group}/${version}`, kind: 'CloudVolume', ...body };
    const how = { token: cluster.user(user), body: whole, contentType: types[method] };
    return (await cluster.request<Row>(method === 'APPLY' ? 'PATCH' : method, path, how)).status;
  }
  const fresh = (metadata: object): object => ({
    metadata: { namespace, ...metadata, ...(gesture as { metadata: object }).metadata },
    spec: { region: 'eu-central', sizeGiB: 20 },
  });

  it('approves neither by a generated name, nor as a field manager of the name of the operator, nor with the whole object', async () => {
    const whole = await stored();
    const { metadata } = whole as { metadata: Record<string, unknown> };
    const put = {
      ...whole,
      metadata: { ...metadata, annotations: (gesture as { metadata: { annotations: object } }).metadata.annotations },
    };
    const asked = [
      await send('tenant', 'POST', `${listed()}?dryRun=All`, fresh({ generateName: 'data-' })),
      await send('tenant', 'APPLY', `${listed()}/data?dryRun=All&fieldManager=cloud-operator&force=true`, fresh({ name: 'data' })),
      await send('tenant', 'APPLY', `${listed()}/made?dryRun=All&fieldManager=cloud-operator`, fresh({ name: 'made' })),
      await send('tenant', 'PUT', `${listed()}/data?dryRun=All`, put),
    ];
    expect(asked).toEqual([403, 403, 403, 403]);
  });
  it('writes no status, and who may does not approve beside it', async () => {
    expect(await send('tenant', 'PATCH', `${listed()}/data/status`, { status: { id: '1' } })).toBe(403);
    const before = (await stored())['metadata'] as Row;
    expect(await send('writes-status', 'PATCH', `${listed()}/data/status`, { ...gesture, status: { id: '1' } })).toBe(200);
    expect(((await stored())['metadata'] as Row)['annotations']).toEqual(before['annotations']);
  });
  it('approves the one object of which he has the verb, and under no other name', async () => {
    for (const [metadata, status] of [
      [{ name: 'other' }, 201],
      [{ name: 'another' }, 403],
      [{ generateName: 'other' }, 403],
    ] as const)
      expect(await send('of-one', 'POST', `${listed()}?dryRun=All`, fresh(metadata))).toBe(status);
    expect(await send('of-one', 'PATCH', `${listed()}/data?dryRun=All`, gesture)).toBe(403);
  });
});
