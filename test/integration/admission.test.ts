import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { group, plural, version } from '../../src/generate/names.ts';
import type { AnyKind, Row } from '../../src/resource/index.ts';
import { type Case, merged, named } from '../conformance/case.ts';
import type { Cluster } from '../controlplane/cluster.ts';
import { sharedControlPlane, START_TIMEOUT_MS } from '../controlplane/shared.ts';
import { documents, only } from '../support/process/rendered-chart.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
let cluster: Cluster;
let namespace: string;
beforeAll(async () => {
  cluster = await sharedControlPlane();
  namespace = await cluster.createNamespace('admission');
  await cluster.kubectl(['apply', '--server-side', '--force-conflicts', '-k', `${root}/deploy`]);
  await cluster.kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
}, START_TIMEOUT_MS);
afterAll(() => cluster.disconnect());

interface Said {
  readonly status: number;
  readonly message: string;
}
const pathOf = ({ kind }: AnyKind, name = ''): string =>
  `/apis/${group}/${version}/namespaces/${namespace}/${plural(kind)}${name && `/${name}`}`;

async function send(method: string, path: string, body: object): Promise<Said & { readonly body: Row }> {
  const answer = await cluster.request<Row>(method, path, { body });
  return { status: answer.status, message: String(answer.body['message'] ?? ''), body: answer.body };
}
const manifest = ({ kind }: AnyKind, name: string, spec: Row): object => ({
  apiVersion: `${group}/${version}`,
  kind,
  metadata: { name, namespace },
  spec,
});
/** What the API server would answer to a new object; nothing is stored, and unknown fields are errors. */
const propose = (kind: AnyKind, spec: Row): Promise<Said> =>
  send('POST', `${pathOf(kind)}?dryRun=All&fieldValidation=Strict`, manifest(kind, 'proposed', spec));

const merge = 'application/merge-patch+json';
/** What the account has of all that only grows, so that it may not shrink. */
const grown = ({ fields }: AnyKind, spec: Row): Row =>
  Object.fromEntries(Object.entries(spec).filter(([field]) => fields[field]?.only === 'grows'));

describe.each(named)('the API server, asked for a %s,', (_, { kind, fixture }: Case) => {
  const { spec } = fixture.sample;

  it('takes the sample', async () => expect(await propose(kind, spec)).toMatchObject({ status: 201, message: '' }));
  it.each(Object.entries(fixture.rejects))('refuses %s', async (_name, [fragment]) => {
    expect(await propose(kind, merged(spec, fragment))).toMatchObject({ status: 422 });
  });
  it('shows an object that nobody has looked at as such, and judges edits', async () => {
    const stored = await send('POST', pathOf(kind), manifest(kind, 'stored', spec));
    expect(stored.body['status']).toEqual({ observedGeneration: -1 });
    await cluster.request('PATCH', pathOf(kind, 'stored/status'), { body: { status: grown(kind, spec) }, contentType: merge });
    const object = (await cluster.request<Row>('GET', pathOf(kind, 'stored'))).body;
    for (const { field, to, spec: written, with: more, refused } of fixture.edits) {
      const edited = { ...object, spec: merged(spec, { ...more, [field]: written ?? to }) };
      const { status, message } = await send('PUT', `${pathOf(kind, 'stored')}?dryRun=All`, edited);
      expect({ field, status, message }).toMatchObject({ field, status: refused ? 422 : 200 });
    }
    await cluster.request('DELETE', pathOf(kind, 'stored'));
  });
});

describe.each(named.slice(0, 1))(
  'deletion of a protected %s',
  (
    _,
    {
      kind,
      fixture: {
        sample: { spec },
      },
    },
  ) => {
    it('is refused until it is protected no longer', async () => {
      const body = manifest(kind, 'protected', { ...spec, lifecycle: { protect: true } });
      expect((await send('POST', pathOf(kind), body)).status).toBe(201);
      // A new policy takes effect within seconds.
      await expect
        .poll(() => send('DELETE', `${pathOf(kind, 'protected')}?dryRun=All`, {}), { timeout: 20_000 })
        .toMatchObject({ status: 403 });
      const refusal = await send('DELETE', pathOf(kind, 'protected'), {});
      expect(refusal.message).toContain('has spec.lifecycle.protect: true, so that it cannot be deleted: set it to false first');
      const open = { spec: { lifecycle: { protect: false } } };
      await cluster.request('PATCH', pathOf(kind, 'protected'), { body: open, contentType: 'application/merge-patch+json' });
      expect((await send('DELETE', pathOf(kind, 'protected'), {})).status).toBe(200);
    });
  },
);

describe('the pod of the kustomize base', () => {
  it('is admitted where the restricted standard is enforced', async () => {
    const base = documents(await readFile(`${root}/deploy/operator.yaml`, 'utf8'));
    const deployment = only(base, 'Deployment')['spec'] as { template: { spec: Row } };
    const { name } = only(base, 'Namespace').metadata;
    await cluster.request('POST', `/api/v1/namespaces/${name}/serviceaccounts`, { body: { metadata: { name } } });
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'restricted', namespace: name }, spec: deployment.template.spec };
    expect(await send('POST', `/api/v1/namespaces/${name}/pods?dryRun=All`, pod)).toMatchObject({ status: 201 });
    const privileged = { ...pod, spec: { ...pod.spec, hostNetwork: true } };
    expect(await send('POST', `/api/v1/namespaces/${name}/pods?dryRun=All`, privileged)).toMatchObject({ status: 403 });
  });
});

describe('a user of a namespace', () => {
  it.each([
    ['view', 'get', 'cloudvolumes', true],
    ['view', 'create', 'cloudvolumes', false],
    ['edit', 'create', 'cloudvolumes', true],
    ['edit', 'update', 'cloudvolumes/status', false],
    ['edit', 'get', 'cloudaccounts', false],
    ['admin', 'create', 'cloudaccounts', false],
  ])('with role %s may %s %s: %s', async (role, verb, what, allowed) => {
    const user = `${role}-${namespace}`;
    await cluster.kubectl(['create', 'rolebinding', user, '--clusterrole', role, '--user', user, '-n', namespace], { allowFail: true });
    const [resource = '', subresource] = what.split('/');
    const ask = async (): Promise<boolean> => {
      const spec = { user, resourceAttributes: { namespace, verb, group, resource, ...(subresource && { subresource }) } };
      const { body } = await send('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec,
      });
      return (body['status'] as { allowed: boolean }).allowed;
    };
    // The controller manager aggregates roles within seconds.
    await expect.poll(ask, { timeout: 10_000 }).toBe(allowed);
  });
});

const secrets = (name = ''): string => `/api/v1/namespaces/${namespace}/secrets${name && `/${name}`}`;

describe('deletion of the key Secret', () => {
  it('is refused while it is in use, also with all that is in its namespace, and of no other Secret', async () => {
    for (const name of ['cloud-operator-key', 'other'])
      await send('POST', secrets(), { metadata: { name, labels: { 'cloudhosting.dev/in-use': 'true' } }, data: {} });
    // A new policy takes effect within seconds.
    await expect
      .poll(() => send('DELETE', `${secrets('cloud-operator-key')}?dryRun=All`, {}), { timeout: 20_000 })
      .toMatchObject({ status: 403 });
    expect((await send('DELETE', secrets('cloud-operator-key'), {})).message).toContain('cloud-operator key export');
    await send('DELETE', secrets(), {});
    expect((await send('GET', secrets('cloud-operator-key'), {})).status).toBe(200);
    expect((await send('DELETE', secrets('other'), {})).status).toBeLessThan(405);
    await cluster.request('PATCH', secrets('cloud-operator-key'), {
      body: { metadata: { labels: { 'cloudhosting.dev/in-use': null } } },
      contentType: merge,
    });
    expect((await send('DELETE', secrets('cloud-operator-key'), {})).status).toBe(200);
  });
});
