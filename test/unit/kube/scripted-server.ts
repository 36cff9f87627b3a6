import type { Backend, BackendRequest, BackendResponse } from '../../support/virtual/backend.ts';
import { InProcessDispatcher } from '../../support/virtual/in-process-dispatcher.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';
import { KubeClient } from '../../../src/kube/http/client.ts';
import type { KubeClientOptions } from '../../../src/kube/http/client.ts';
import { clusterAt } from '../../../src/kube/http/cluster.ts';

export const SERVER = 'https://kube.test';

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): BackendResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
export const status = (code: number, reason: string, message = reason, headers: Record<string, string> = {}): BackendResponse =>
  json(code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code }, headers);

export interface Scripted {
  readonly clock: VirtualClock;
  readonly dispatcher: InProcessDispatcher;
  readonly client: KubeClient;
  /** `METHOD path` of every request, in order. */
  readonly seen: BackendRequest[];
}

/** A client whose server is one function of the request and of how many came before it. */
export function scripted(
  handle: (request: BackendRequest, n: number) => Promise<BackendResponse> | BackendResponse,
  options: Partial<KubeClientOptions> & { readonly travel?: Backend['travel'] } = {},
): Scripted {
  const clock = new VirtualClock();
  const seen: BackendRequest[] = [];
  const backend: Backend = {
    handle: async (request) => {
      seen.push(request);
      return handle(request, seen.length - 1);
    },
    ...(options.travel && { travel: options.travel }),
  };
  const dispatcher = new InProcessDispatcher({ clock, activity: clock.activity, backends: { [SERVER]: backend } });
  const client = new KubeClient({
    cluster: clusterAt(clock, { server: SERVER, token: 'tok' }),
    clock,
    userAgent: 'test/1',
    dispatcher,
    ...options,
  });
  return { clock, dispatcher, client, seen };
}
