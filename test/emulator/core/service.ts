import { Answer } from '../contract/answer.ts';
import type { Operation, RateClass } from '../contract/operation.ts';
import { refusal } from '../contract/refusal.ts';
import type { Token } from './accounts.ts';
import type { Dialect } from './dialect.ts';
import { pause, withFault } from './fault-effects.ts';
import type { Effect } from './faults.ts';
import { answerHeaders } from './headers.ts';
import type { ApiRequest, ApiResponse } from './http-message.ts';
import { ConnectionRefused } from './http-message.ts';
import type { LedgerChange, LedgerRequest } from './ledger.ts';
import { kindOf } from './ledger.ts';
import { answerForError, authenticate, authorizeAndValidate, requireActivated } from './pipeline.ts';
import type { Admission } from './rate-limiter.ts';
import type { Receiver, Reception } from './reception.ts';
import { RequestContext } from './request-context.ts';
import type { Match } from './router.ts';
import type { State } from './state.ts';
import type { Change } from './stored-collection.ts';

interface ServiceParts {
  readonly state: State;
  readonly receiver: Receiver;
  readonly dialect: Dialect;
}

/** One request on its way: what came, when, and what it has changed so far. */
interface Passage {
  readonly seq: number;
  readonly reception: Reception;
  readonly admission: Admission;
  readonly changes: LedgerChange[];
}

export function rateClass(operation: Operation | undefined): RateClass {
  return operation?.rate ?? (operation?.filterable === undefined ? 'default' : 'list');
}

function listed(changes: readonly Change[]): readonly LedgerChange[] {
  return changes
    .filter((change) => change.definition.unlisted !== true)
    .map((change) => ({ collection: change.definition.name, key: change.key, kind: kindOf(change) }));
}

/** A fault takes a header away by an empty value. */
function withoutEmpty(all: Readonly<Record<string, string>>, given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (!Object.values(given).includes('')) return all;
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

const whoOf = (token: Token | undefined): Pick<LedgerRequest, 'euuid' | 'username'> => ({
  euuid: token?.euuid ?? '',
  username: token?.user.username ?? '',
});

/** Answers requests: faults, then the service itself, then the ledger. */
export class Service {
  readonly #state: State;
  readonly #receiver: Receiver;
  readonly #dialect: Dialect;

  constructor({ state, receiver, dialect }: ServiceParts) {
    this.#state = state;
    this.#receiver = receiver;
    this.#dialect = dialect;
  }

  async handle(request: ApiRequest): Promise<ApiResponse> {
    const { accounts, faults, ledger, limiter, outage } = this.#state;
    if (outage.refusing) throw new ConnectionRefused();
    const { clock } = this.#state.emulation;
    const reception = this.#receiver.receive(request, (value) => accounts.token(value));
    const { operation, token } = reception;
    const at = clock.now();
    const began = clock.monotonic();
    const user = token === undefined ? 'anonymous' : `${token.euuid}/${token.user.username}`;
    const admission = limiter.admit(user, rateClass(operation));
    const passage: Passage = { seq: ledger.nextSeq(), reception, admission, changes: [] };
    const effect = faults.forRequest({
      method: request.method,
      template: operation?.path,
      path: reception.path,
      username: token?.user.username,
    });
    let status = 0;
    try {
      const response = await this.#answer(passage, effect);
      status = response.status;
      return response;
    } finally {
      admission.release();
      this.#note(passage, { at, monotonic: began, status, fault: effect?.kind });
    }
  }

  async #answer(passage: Passage, effect: Effect | undefined): Promise<ApiResponse> {
    const { knobs, emulation } = this.#state;
    const { request, method } = passage.reception;
    if (knobs.latencyMilliseconds > 0) await pause(emulation.clock, knobs.latencyMilliseconds / 1000);
    if (knobs.commitDelaySeconds > 0 && method !== 'GET') await pause(emulation.clock, knobs.commitDelaySeconds);
    if (effect === undefined) return this.#commit(passage);
    return withFault(
      {
        clock: emulation.clock,
        request,
        refuse: (seconds) => this.#state.outage.begin(seconds),
        commit: () => this.#commit(passage),
        other: (status, body, headers) => this.#render(passage, new Answer(status, body, headers)),
      },
      effect,
    );
  }

  #commit(passage: Passage): ApiResponse {
    try {
      return this.#render(passage, this.#perform(passage));
    } catch (error) {
      return this.#render(passage, answerForError(error));
    }
  }

  #perform(passage: Passage): Answer {
    const { reception, admission } = passage;
    const { route, token, raw, operation } = reception;
    if (operation?.outside !== true && raw.length > this.#state.knobs.requestBytes) throw refusal(413, 'Request body is too large');
    if (route === undefined) throw refusal(404, 'Not found');
    if (reception.method === 'OPTIONS') return new Answer(200, '', { 'content-type': 'application/json' });
    if (!('operation' in route)) throw refusal(405, 'Method Not Allowed');
    authenticate(route.operation, token, reception.sent);
    if (admission.refused) throw refusal(429, 'Too many requests');
    return this.#execute(passage, route);
  }

  #execute({ seq, reception, changes }: Passage, { operation, params }: Match): Answer {
    const { token, query, headers, raw } = reception;
    requireActivated(this.#state.knobs, operation, token);
    const body = authorizeAndValidate(operation, token, { params, raw, translate: (sent) => this.#dialect.body(sent) });
    const euuid = token?.euuid ?? '';
    const actor = token?.user;
    const context = new RequestContext(this.#state.emulation, { operation, params, query, headers, body, raw, euuid, actor });
    const cause = { euuid, actor, world: context, origin: `request ${seq}`, changes: [] };
    const result = this.#state.platform.run(cause, () => {
      try {
        return operation.handler(context);
      } finally {
        changes.push(...listed(cause.changes));
      }
    });
    return result instanceof Answer ? result : new Answer(200, result ?? {});
  }

  #render({ reception, admission }: Passage, answer: Answer): ApiResponse {
    const { operation, token, method } = reception;
    const headers = answerHeaders({
      operation,
      token,
      now: this.#state.emulation.clock.now(),
      rate: admission.headers,
      scope: (scope) => this.#dialect.scopes(scope),
    });
    const bytes = typeof answer.body === 'string' || Buffer.isBuffer(answer.body) ? answer.body : undefined;
    const body = bytes ?? JSON.stringify(this.#dialect.body(answer.body));
    const type = bytes === undefined ? { 'content-type': 'application/json' } : {};
    const all = { ...headers, ...type, ...answer.headers };
    return { status: answer.status, headers: withoutEmpty(all, answer.headers), body: method === 'HEAD' ? '' : body };
  }

  #note(
    { seq, reception, changes }: Passage,
    { at, monotonic, status, fault }: { at: number; monotonic: number; status: number; fault: string | undefined },
  ): void {
    const { ledger, emulation } = this.#state;
    const { token, operation, method, path, search, headers, raw } = reception;
    ledger.add({
      seq,
      at,
      monotonic,
      ...whoOf(token),
      method,
      template: operation?.path ?? '',
      path,
      query: search,
      filter: headers['x-filter'] ?? '',
      userAgent: headers['user-agent'] ?? '',
      body: operation?.raw === true || method === 'GET' ? '' : raw.toString('utf8'),
      status,
      latency: emulation.clock.monotonic() - monotonic,
      changes,
      ...(fault === undefined ? {} : { fault }),
    });
  }
}
