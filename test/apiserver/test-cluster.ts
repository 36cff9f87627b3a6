import { request } from 'undici';
import { InProcessDispatcher } from '../support/virtual/in-process-dispatcher.ts';
import type { Backend } from '../support/virtual/backend.ts';
import { VirtualClock } from '../support/virtual/virtual-clock.ts';
import { ApiServer } from './api-server.ts';
import type { ClusterOptions } from './cluster.ts';
import { widget } from './conversation/step.ts';
import { widgetCrd } from './conversation/widget-crd.ts';
import { isObject } from './storage/json.ts';
import type { JsonObject } from './storage/json.ts';

const ORIGIN = 'https://apiserver.test';

export const WIDGETS = '/apis/apiserver.test/v1/namespaces/default/widgets';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: JsonObject;
}

/** An open watch: what has arrived so far, and how it ended. */
export interface OpenWatch {
  readonly events: JsonObject[];
  ended: 'open' | 'cleanly' | Error;
  stop(): void;
}

/** A cluster with the widgets CRD, and a client that goes through the dispatcher as the operator does. */
export class TestCluster {
  readonly clock = new VirtualClock({ start: Date.UTC(2026, 0, 1) });
  readonly server: ApiServer;

  private constructor(options: Partial<ClusterOptions>) {
    this.server = new ApiServer({ clock: this.clock, ...options });
  }

  static async start(options: Partial<ClusterOptions> = {}): Promise<TestCluster> {
    const cluster = new TestCluster(options);
    await cluster.server.apply(widgetCrd);
    await cluster.clock.settle();
    return cluster;
  }

  /** Sends a request and lets virtual time pass until its answer is complete. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    more: { token?: string; type?: string; server?: Backend } = {},
  ): Promise<Answer> {
    const patch = Array.isArray(body) ? 'application/json-patch+json' : 'application/merge-patch+json';
    const type = more.type ?? (method === 'PATCH' ? patch : 'application/json');
    const pending = request(`${ORIGIN}${path}`, {
      dispatcher: this.#dispatcher(more.server ?? this.server),
      method: method as 'GET',
      headers: { authorization: `Bearer ${more.token ?? 'admin'}`, 'content-type': type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).then(async (response) => ({ status: response.statusCode, headers: response.headers, body: asObject(await response.body.text()) }));
    let settled = false;
    pending.then(
      () => (settled = true),
      () => (settled = true),
    );
    await this.clock.runUntil(() => settled, 600_000);
    return pending;
  }

  async create(name: string, spec: JsonObject = { size: 1 }, metadata: JsonObject = {}): Promise<JsonObject> {
    const answer = await this.send('POST', WIDGETS, widget(name, spec, metadata));
    if (answer.status !== 201) throw new Error(String(answer.body['message']));
    return answer.body;
  }

  /** Opens a watch; events arrive while the clock is advanced. */
  async watch(query: string, more: { token?: string; server?: Backend; path?: string } = {}): Promise<OpenWatch> {
    const abort = new AbortController();
    const response = await request(`${ORIGIN}${more.path ?? WIDGETS}?watch=true&${query}`, {
      dispatcher: this.#dispatcher(more.server ?? this.server),
      headers: { authorization: `Bearer ${more.token ?? 'admin'}` },
      signal: abort.signal,
      bodyTimeout: 0,
    });
    const watch: OpenWatch = { events: [], ended: 'open', stop: () => abort.abort(new Error('stopped by the test')) };
    void follow(response.body, watch);
    await this.clock.settle();
    return watch;
  }

  #dispatcher(server: Backend): InProcessDispatcher {
    return new InProcessDispatcher({ clock: this.clock, activity: this.clock.activity, backends: { [ORIGIN]: server } });
  }
}

async function follow(body: AsyncIterable<Buffer>, watch: OpenWatch): Promise<void> {
  let rest = Buffer.alloc(0);
  try {
    for await (const chunk of body) {
      rest = Buffer.concat([rest, chunk]);
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        watch.events.push(asObject(rest.subarray(0, end).toString()));
        rest = rest.subarray(end + 1);
      }
    }
    watch.ended = 'cleanly';
  } catch (error) {
    watch.ended = error as Error;
  }
}

function asObject(json: string): JsonObject {
  const value: unknown = json.startsWith('{') ? JSON.parse(json) : { text: json };
  return isObject(value) ? value : {};
}

/** `TYPE name@resourceVersion` of each event. */
export function summary(watch: OpenWatch): string[] {
  return watch.events.map((event) => {
    const object = isObject(event['object']) ? event['object'] : {};
    const metadata = isObject(object['metadata']) ? object['metadata'] : {};
    return `${String(event['type'])} ${String(metadata['name'] ?? object['reason'] ?? '')}`.trim();
  });
}
