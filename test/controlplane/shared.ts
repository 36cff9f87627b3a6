import { inject } from 'vitest';
import { Agent, request } from 'undici';
import { Cluster, type Coordinates } from './cluster.ts';

/** A build can take this long before the first answer; use it as the timeout of the `beforeAll` that asks. */
export const START_TIMEOUT_MS = 15 * 60_000;

/**
 * The one control plane that all suites of a run share; needs `global-setup.ts` in vitest's `globalSetup`. Suites keep
 * apart by namespaces (`createNamespace`); cluster-wide objects, such as CRDs, are shared. `disconnect` it in `afterAll`.
 */
export async function sharedControlPlane(): Promise<Cluster> {
  const agent = new Agent({ headersTimeout: START_TIMEOUT_MS, bodyTimeout: START_TIMEOUT_MS });
  try {
    const response = await request(inject('controlPlaneBroker'), { dispatcher: agent });
    const text = await response.body.text();
    if (response.statusCode !== 200) throw new Error(text);
    return new Cluster(JSON.parse(text) as Coordinates);
  } finally {
    await agent.close();
  }
}
