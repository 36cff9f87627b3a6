import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';
import { ApiServer } from '../api-server.ts';
import { manifests } from './project-manifests.ts';

async function serverWithCrds(): Promise<ApiServer> {
  const clock = new VirtualClock();
  const server = new ApiServer({ clock });
  for (const crd of await manifests('crds')) await server.apply(crd);
  await clock.settle();
  return server;
}

/** Without this the operator's tests would run against CRDs that this server only half understands. */
describe("this project's CRDs", () => {
  test('are accepted, every rule compiled, and served', async () => {
    const server = await serverWithCrds();
    const served = await server.as('admin', 'GET', '/apis/cloudhosting.dev/v1alpha1');
    const crds = await manifests('crds');
    expect((served.body['resources'] as { name: string }[]).filter(({ name }) => !name.includes('/'))).toHaveLength(crds.length);
  });

  test('take all samples, and every custom resource in them begins as one that nobody has seen', async () => {
    const server = await serverWithCrds();
    const samples = (await manifests('deploy/samples')).filter((sample) => sample.apiVersion.startsWith('cloudhosting.dev/'));
    expect(samples.length).toBeGreaterThan(0);
    for (const sample of samples) {
      const namespace = sample.metadata.namespace ?? 'default';
      if (namespace !== 'default') await server.as('admin', 'POST', '/api/v1/namespaces', { metadata: { name: namespace } });
      const stored = await server.apply(sample);
      expect(stored['spec']).toEqual(sample['spec']);
      expect(stored['status']).toEqual({ observedGeneration: -1 });
    }
  });
});
