import { sleep, systemClock } from '../../../src/lib/clock.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { Agent, request } from 'undici';
import type { Server, WireAnswer, WireRequest } from './play.ts';
import { child, isObject, list, text } from '../storage/json.ts';
import type { Crd } from './memory-server.ts';

/** A real control plane with these CRDs as a partner in conversations. `close` lets go of its connections. */
export async function realServer(cluster: Cluster, crds: readonly Crd[]): Promise<Server & { close(): Promise<void> }> {
  const agent = new Agent({ allowH2: false, connect: cluster.ca === '' ? {} : { ca: cluster.ca } });
  const tokens = { admin: cluster.adminToken, nobody: cluster.user('nobody'), unknown: 'unknown' };
  for (const crd of crds) await establish(cluster, crd);
  return {
    send: async ({ method, path, contentType, accept, body, user }: WireRequest): Promise<WireAnswer> => {
      const headers = { authorization: `Bearer ${tokens[user]}`, 'content-type': contentType, accept };
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

async function establish(cluster: Cluster, crd: Crd): Promise<void> {
  await cluster.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: crd });
  const group = text(child(crd, 'spec')['group']);
  const [version] = list(child(crd, 'spec')['versions']).filter(isObject);
  const path = `/apis/${group}/${text(version?.['name'])}/${text(child(child(crd, 'spec'), 'names')['plural'])}`;
  for (let round = 0; round < 100; round += 1) {
    const answer = await cluster.request('GET', path);
    if (answer.status === 200) return;
    await sleep(systemClock, 100);
  }
  throw new Error(`${crd.metadata.name} was not served within 10 s`);
}
