import { describe, expect, test } from 'vitest';
import { checkCrds } from '../../../src/kube/crds.ts';
import { SmallCluster } from './small-cluster.ts';

const crd = (schemaHash: string, name = 'cloudthings.cloudhosting.dev'): { kind: string; name: string; schemaHash: string } => ({
  kind: 'CloudThing',
  name,
  schemaHash,
});

describe('served CRDs', () => {
  test('the same schema is no mismatch; another, an unmarked and a missing one say what to do', async () => {
    const cluster = await SmallCluster.make();
    const { client } = cluster.program();
    expect(await checkCrds(client, [crd('h1')], cluster.signal)).toEqual([
      { kind: 'CloudThing', problem: 'missing', message: expect.stringContaining('not installed: apply the CRDs') as string },
    ]);
    await cluster.installThings('h1');
    expect(await checkCrds(client, [crd('h1')], cluster.signal)).toEqual([]);
    const [differs] = await checkCrds(client, [crd('h2')], cluster.signal);
    expect(differs?.message).toContain('has schema h1, this operator was built for h2');
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
