import type { Rng } from '../contract/rng.ts';

/** What a fault does to one request. `seconds` are of the emulator's clock, unscaled. */
export type Effect =
  /** Nothing is committed and the connection breaks. */
  | { readonly kind: 'lose-request' }
  /** Nothing is committed, all connections break, and for so long every new one is refused. */
  | { readonly kind: 'refuse'; readonly seconds: number }
  /** Committed, but the connection breaks before the answer. */
  | { readonly kind: 'lose-answer' }
  /** The connection breaks, or no answer ever comes; the commit happens so much later. */
  | { readonly kind: 'commit-late'; readonly seconds: number; readonly hang?: boolean }
  /** Committed twice; the second answer is given. */
  | { readonly kind: 'twice' }
  | { readonly kind: 'delay'; readonly seconds: number; readonly before?: boolean }
  /** No answer ever; committed or not. */
  | { readonly kind: 'hang'; readonly commit?: boolean }
  /** Another answer; committed only when told. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly commit?: boolean;
    }
  /** The balancer's HTML page. */
  | { readonly kind: 'html'; readonly status: number; readonly commit?: boolean }
  /** The answer ends in the middle: of the JSON, or by a broken connection. */
  | { readonly kind: 'truncate' }
  | { readonly kind: 'close' }
  | { readonly kind: 'malformed' }
  /** A field of the answer has another type, or is absent; in pages, of every row. */
  | { readonly kind: 'wrong-type'; readonly field: string }
  | { readonly kind: 'missing-field'; readonly field: string }
  /** The body comes in pieces over so many seconds. */
  | { readonly kind: 'slow-body'; readonly seconds: number };

/** What happens to an event or a job. */
export type EventEffect =
  | { readonly kind: 'lost' }
  | { readonly kind: 'doubled' }
  /** Shown so much later, below ids that were shown before it. */
  | { readonly kind: 'late'; readonly seconds: number }
  /** `created` is wrong by so much. */
  | { readonly kind: 'skewed'; readonly seconds: number }
  /** The event names another object: same id, this type. */
  | { readonly kind: 'other-entity'; readonly type: string }
  /** The job fails, or never ends. */
  | { readonly kind: 'job-fails' }
  | { readonly kind: 'job-hangs' };

export interface Matcher {
  readonly method?: string;
  /** Neutral path template, for example `/volumes/{volumeId}`. */
  readonly template?: string;
  /** Neutral path, exactly. */
  readonly path?: string;
  readonly username?: string;
  /** Event faults: the action and the entity's id. */
  readonly action?: string;
  readonly entityId?: number | string;
}

export interface Fault {
  readonly match: Matcher;
  /** Skips so many matching calls first: 0 = from the first on. */
  readonly skip?: number;
  /** Hits so many calls; absent = until removed. */
  readonly times?: number;
  /** 0..1, by the emulator's seed. */
  readonly probability?: number;
  readonly effect: Effect | EventEffect;
}

export interface ActiveFault extends Fault {
  readonly id: number;
  readonly seen: number;
  readonly hits: number;
}

interface State {
  readonly id: number;
  readonly fault: Fault;
  seen: number;
  hits: number;
}

const eventKinds: readonly string[] = ['lost', 'doubled', 'late', 'skewed', 'other-entity', 'job-fails', 'job-hangs'];

const isEventEffect = (effect: Fault['effect']): effect is EventEffect => eventKinds.includes(effect.kind);

/** What a call or event is compared with a matcher by. */
type Subject = { readonly [K in keyof Matcher]?: Matcher[K] | undefined };

/** Injected faults: deterministic by order of calls and seed. */
export class Faults {
  readonly #rng: Rng;
  readonly #states = new Map<number, State>();
  #ids = 0;

  constructor(rng: Rng) {
    this.#rng = rng;
  }

  add(fault: Fault): number {
    const id = (this.#ids += 1);
    this.#states.set(id, { id, fault, seen: 0, hits: 0 });
    return id;
  }

  remove(id: number): boolean {
    return this.#states.delete(id);
  }

  clear(): void {
    this.#states.clear();
  }

  list(): readonly ActiveFault[] {
    return [...this.#states.values()].map(({ id, fault, seen, hits }) => ({ ...fault, id, seen, hits }));
  }

  /** The first fault that hits the call. */
  forRequest(subject: Subject): Effect | undefined {
    for (const state of this.#states.values()) {
      const { effect } = state.fault;
      if (!isEventEffect(effect) && this.#hits(state, subject)) return effect;
    }
    return undefined;
  }

  /** The first fault of these kinds that hits the event. */
  forEvent(subject: Subject, kinds: readonly EventEffect['kind'][]): EventEffect | undefined {
    for (const state of this.#states.values()) {
      const { effect } = state.fault;
      if (isEventEffect(effect) && kinds.includes(effect.kind) && this.#hits(state, subject)) return effect;
    }
    return undefined;
  }

  #hits(state: State, subject: Subject): boolean {
    const { match, skip = 0, times = Infinity, probability = 1 } = state.fault;
    const names = Object.keys(match) as (keyof Matcher)[];
    if (!names.every((name) => match[name] === undefined || match[name] === subject[name])) return false;
    state.seen += 1;
    if (state.seen <= skip || state.hits >= times) return false;
    if (probability < 1 && this.#rng.next() >= probability) return false;
    state.hits += 1;
    return true;
  }
}
