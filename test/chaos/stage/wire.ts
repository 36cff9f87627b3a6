import type { Millis } from '../../../src/lib/clock.ts';
import type { Backend, BackendRequest, BackendResponse } from '../../support/virtual/backend.ts';
import type { RunningOperator } from '../../support/world/world.ts';
import { changesSomething, isStep, type ServerName, shapeOf, type Step } from './step.ts';

/** One request of an operator and what became of it, in the order of sending. */
export interface Passage {
  readonly at: Millis;
  readonly by: string;
  readonly server: ServerName;
  readonly request: BackendRequest;
  readonly shape: string;
  outcome: string;
  /** When it was answered, monotonic, and what of the answer matters to limits; absent while or where it never was. */
  answer?: { readonly status: number; readonly at: Millis; readonly retryAfter?: number };
  /** The fault of the case struck it. */
  struck: boolean;
  /** The rate window of the account API that it counts in. */
  readonly rate: string;
  /** Which of its shape it is since the operation began; 0 before. */
  readonly nth: number;
}

/** Carries one request in place of the wire. */
export type Carry = (passage: Passage, backend: Backend, operator: RunningOperator) => Promise<BackendResponse>;

/** A remark in the timeline: what the story or the fault did. */
export interface Mark {
  readonly at: Millis;
  readonly mark: string;
}

/** Many times what the largest case sends in one instant of virtual time. */
const mostAtOnce = 5000;

/** Between every operator and both servers: keeps the record of a run, and lets a fault strike at one step of it. */
export class Wire {
  readonly record: (Passage | Mark)[] = [];
  readonly #now: () => Millis;
  readonly #rateOf: (request: BackendRequest) => string;
  readonly #counts = new Map<string, number>();
  #counting = false;
  #fault: { readonly at: (passage: Passage) => boolean; readonly carry: Carry } | undefined;
  #struck = 0;
  readonly #frozen = new Map<string, Promise<void>>();
  #instant = { at: -1, sent: 0 };
  #endless: string | undefined;

  constructor(now: () => Millis, rateOf: (request: BackendRequest) => string = () => '') {
    this.#now = now;
    this.#rateOf = rateOf;
  }

  /** Told when a request has ended. */
  onEnd: () => void = () => undefined;
  /** Told who has taken or renewed the lease. */
  onLeaseTaken: (by: string) => void = () => undefined;

  /** How often the armed fault struck. */
  get struck(): number {
    return this.#struck;
  }

  /** What was sent without end while no time passed; its sender was stopped, as the run would never end. */
  get endless(): string | undefined {
    return this.#endless;
  }

  mark(mark: string): void {
    this.record.push({ at: this.#now(), mark });
  }

  /** From here on requests count as steps. */
  begin(): void {
    this.#counting = true;
    this.mark('the operation begins');
  }

  /** Hits the step once, or with `always` every request that it fits. */
  arm(at: (passage: Passage) => boolean, carry: Carry, always = false): void {
    this.#fault = {
      at: (passage) => (always || this.#struck === 0) && at(passage),
      carry,
    };
  }
  /** No fault strikes from here on. */
  disarm(): void {
    this.#fault = undefined;
  }
  /** The process neither sends nor receives until the returned function is called. */
  freeze({ identity }: RunningOperator): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#frozen.set(identity, promise);
    return () => {
      this.#frozen.delete(identity);
      resolve();
    };
  }

  /** Until the process goes on. */
  frozen({ identity }: RunningOperator): Promise<void> | undefined {
    return this.#frozen.get(identity);
  }

  between(server: ServerName, backend: Backend, operator: RunningOperator): Backend {
    return { handle: (request) => this.#handle(server, request, { backend, operator }) };
  }

  #handle(
    server: ServerName,
    request: BackendRequest,
    { backend, operator }: { backend: Backend; operator: RunningOperator },
  ): Promise<BackendResponse> {
    const passage = this.#note(server, request, operator);
    if (this.#isEndless(passage)) return new Promise(() => undefined);
    const answered = this.#answer(passage, backend, operator);
    answered.then(
      (response) => this.#ended(passage, response),
      () => this.#ended(passage, undefined),
    );
    return answered;
  }

  #isEndless({ at, shape }: Passage): boolean {
    this.#instant = { at, sent: this.#instant.at === at ? this.#instant.sent + 1 : 1 };
    if (this.#instant.sent > mostAtOnce) this.#endless ??= shape;
    return this.#instant.sent > mostAtOnce;
  }

  #ended(passage: Passage, response: BackendResponse | undefined): void {
    const after = Object.entries(response?.headers ?? {}).find(([name]) => name.toLowerCase() === 'retry-after')?.[1];
    if (response !== undefined)
      passage.answer = { status: response.status, at: this.#now(), ...(after !== undefined && { retryAfter: Number(after) }) };
    this.onEnd();
    if (asksForLease(passage) && response !== undefined && response.status < 300) this.onLeaseTaken(passage.by);
  }

  #answer(passage: Passage, backend: Backend, operator: RunningOperator): Promise<BackendResponse> {
    const fault = this.#fault;
    if (passage.nth > 0 && fault?.at(passage) === true) {
      this.#struck += 1;
      passage.outcome = 'FAULT';
      passage.struck = true;
      return fault.carry(passage, backend, operator);
    }
    return this.#carry(passage, backend);
  }

  async #carry(passage: Passage, backend: Backend): Promise<BackendResponse> {
    const held = (): Promise<void> | undefined => this.#frozen.get(passage.by);
    if (held() !== undefined) await held();
    const response = await pass(passage, backend);
    if (held() !== undefined) await held();
    const { body } = response;
    return typeof body === 'string' || Buffer.isBuffer(body) ? response : { ...response, body: holding(body, held) };
  }

  #note(server: ServerName, request: BackendRequest, { identity }: RunningOperator): Passage {
    const shape = shapeOf(server, request);
    const counts = this.#counting && isStep(server, request);
    const nth = counts ? (this.#counts.get(`${server} ${shape}`) ?? 0) + 1 : 0;
    if (counts) this.#counts.set(`${server} ${shape}`, nth);
    const rate = server === 'cloud' ? this.#rateOf(request) : '';
    const passage: Passage = { at: this.#now(), by: identity, server, request, shape, outcome: 'under way', nth, struck: false, rate };
    this.record.push(passage);
    return passage;
  }
}

/** A stream of which nothing is received while its reader is stopped. */
async function* holding(body: AsyncIterable<string | Buffer>, held: () => Promise<void> | undefined): AsyncGenerator<string | Buffer> {
  for await (const chunk of body) {
    if (held() !== undefined) await held();
    yield chunk;
  }
}

export async function pass(passage: Passage, backend: Backend): Promise<BackendResponse> {
  try {
    const response = await backend.handle(passage.request);
    passage.outcome = String(response.status);
    return response;
  } catch (error) {
    passage.outcome = 'lost';
    throw error;
  }
}

const asksForLease = ({ request }: Passage): boolean => changesSomething(request) && request.path.includes('/leases');
export const isPassage = (entry: Passage | Mark): entry is Passage => 'server' in entry;
export const stepOf = ({ server, shape, nth, request }: Passage): Step => ({ server, shape, nth, changes: changesSomething(request) });
