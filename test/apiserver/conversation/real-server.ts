import { sleep, systemClock } from '../../../src/lib/clock.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { Agent, request } from 'undici';
import type { Server, WireAnswer, WireRequest } from './play.ts';
import { widgetCrd } from './widget-crd.ts';

/** A real control plane as a partner in conversations. `close` lets go of its connections. */
export async function realServer(cluster: Cluster): Promise<Server & { close(): Promise<void> }> {
  const agent = new Agent({ allowH2: false, connect: cluster.ca === '' ? {} : { ca: cluster.ca } });
  const tokens = { admin: cluster.adminToken, nobody: cluster.user('nobody'), unknown: 'unknown' };
  await establish(cluster);
  return {
    send: async ({ method, path, contentType, body, user }: WireRequest): Promise<WireAnswer> => {
      const headers = { authorization: `Bearer ${tokens[user]}`, 'content-type': contentType };
      const response = await request(`${cluster.url}${path}`, {
        dispatcher: agent,
        method: method as 'GET',
        headers,
        ...(body === '' ? {} : { body }),
      });
      return { status: response.statusCode, contentType: String(response.headers['content-type']), body: await response.body.text() };
    },
    wait: (milliseconds) => sleep(systemClock, milliseconds),
    close: () => agent.destroy(),
  };
}

async function establish(cluster: Cluster): Promise<void> {
  await cluster.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: widgetCrd });
  for (let round = 0; round < 100; round += 1) {
    const answer = await cluster.request('GET', '/apis/apiserver.test/v1/widgets');
    if (answer.status === 200) return;
    await sleep(systemClock, 100);
  }
  throw new Error('widgets.apiserver.test was not served within 10 s of its CRD');
}
