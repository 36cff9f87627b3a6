import { describe, expect, test } from 'vitest';
import { checkCrds, type ExpectedCrd } from '../../../src/kube/definitions/crds.ts';
import { SmallCluster } from './small-cluster.ts';

const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const crd = (schemaHash: string, schema: object = anything): ExpectedCrd => ({
  kind: 'CloudThing',
  name: 'cloudthings.cloudhosting.dev',
  schemaHash,
  schema: () => schema,
});
interface Version {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema: object;
}
interface Served {
  readonly spec: { readonly versions: readonly Version[] };
}
const definition = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/cloudthings.cloudhosting.dev';

describe('served CRDs', () => {
  test('the same schema is no mismatch; another, an unmarked and a missing one say what to do', async () => {
    const cluster = await SmallCluster.make();
    const { client } = cluster.program();
    expect(await checkCrds(client, [crd('h1')], cluster.signal)).toEqual([
      { kind: 'CloudThing', problem: 'missing', message: expect.stringContaining('not installed: apply the CRDs') as string },
    ]);
    await cluster.installThings('h1');
    expect(await checkCrds(client, [crd('h1')], cluster.signal)).toEqual([]);
    const [differs] = await checkCrds(client, [crd('h2', { type: 'array' })], cluster.signal);
    expect(differs?.message).toContain('has schema h1, this operator was built for h2');
    expect(differs?.message).toContain('type is another');
  });

  test('another hash alone is no mismatch: what is served is compared', async () => {
    const cluster = await SmallCluster.make();
    await cluster.installThings('h1');
    expect(await checkCrds(cluster.program().client, [crd('h2')], cluster.signal)).toEqual([]);
  });

  test.each([
    [
      'that stores another version',
      (version: Version): Version[] => [
        { ...version, storage: false },
        { ...version, name: 'v1' },
      ],
      'store v1alpha1',
    ],
    ['that does not serve ours', (version: Version): Version[] => [{ ...version, name: 'v1' }], 'serve and store v1alpha1'],
    [
      'without status',
      ({ name, served, storage, schema }: Version): Version[] => [{ name, served, storage, schema }],
      'no subresource status',
    ],
  ])('a CRD of another hash %s does not fit', async (_name, versions, says) => {
    const cluster = await SmallCluster.make();
    await cluster.installThings('h1');
    const served = (await cluster.server.as('admin', 'GET', definition)).body as unknown as Served;
    const changed = { ...served, spec: { ...served.spec, versions: served.spec.versions.flatMap(versions) } };
    expect((await cluster.server.as('admin', 'PUT', definition, changed)).status).toBe(200);
    const [differs] = await checkCrds(cluster.program().client, [crd('h2')], cluster.signal);
    expect(differs?.message).toContain(says);
  });

  test('a CRD that may not be read is told apart from one that differs; a server that is down rejects', async () => {
    const cluster = await SmallCluster.make();
    const { client } = cluster.program();
    cluster.server.faults.add({ match: { path: /customresource/ }, nth: 1, action: { kind: 'answer', status: 403 } });
    cluster.server.faults.add({ match: { path: /customresource/ }, nth: 2, action: { kind: 'answer', status: 503 } });
    expect((await checkCrds(client, [crd('h1')], cluster.signal))[0]?.problem).toBe('unreadable');
    await expect(checkCrds(client, [crd('h1')], cluster.signal)).rejects.toMatchObject({ fault: 'Unavailable' });
  });
});
