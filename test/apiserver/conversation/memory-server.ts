import { request } from 'undici';
import { InProcessDispatcher } from '../../support/virtual/in-process-dispatcher.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';
import { ApiServer } from '../api-server.ts';
import type { Server, WireAnswer, WireRequest } from './play.ts';

export type Crd = Parameters<ApiServer['apply']>[0];

const ORIGIN = 'https://apiserver.test';

/** The API server in memory with these CRDs, as a partner in conversations. */
export async function memoryServer(crds: readonly Crd[]): Promise<Server> {
  const clock = new VirtualClock();
  const server = new ApiServer({ clock, users: { nobody: { name: 'nobody' } } });
  const dispatcher = new InProcessDispatcher({ clock, activity: clock.activity, backends: { [ORIGIN]: server } });
  for (const crd of crds) await server.apply(crd);
  const exchange = async ({ method, path, contentType, accept, body, user }: WireRequest): Promise<WireAnswer> => {
    const headers = { authorization: `Bearer ${user}`, 'content-type': contentType, accept };
    const response = await request(`${ORIGIN}${path}`, { dispatcher, method: method as 'GET', headers, ...(body === '' ? {} : { body }) });
    return { status: response.statusCode, contentType: String(response.headers['content-type']), body: await response.body.text() };
  };
  return {
    send: async (wire) => {
      let answer: WireAnswer | undefined;
      const pending = exchange(wire).then((value) => (answer = value));
      await clock.runUntil(() => answer !== undefined, 30_000);
      return pending;
    },
    wait: (milliseconds) => clock.advance(milliseconds),
  };
}
