import type { Millis } from '../../../src/lib/clock.ts';
import type { StatusBody } from '../requests/api-error.ts';
import type { KubeObject } from '../storage/kube-object.ts';
import type { WatchFate } from '../watches/watch.ts';

/** What happens to a matched request. */
export type FaultAction =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body?: StatusBody | string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The request never arrives. */
  | { readonly kind: 'lose' }
  /** The request is carried out, the answer never arrives. */
  | { readonly kind: 'lose-answer' }
  /** The request arrives late. */
  | { readonly kind: 'delay'; readonly by: Millis }
  /** The request is carried out at once, the answer arrives late. */
  | { readonly kind: 'delay-answer'; readonly by: Millis };

export interface RequestMatcher {
  readonly method?: string | RegExp;
  /** Tested against the path with its query. */
  readonly path?: RegExp;
  readonly user?: string;
}

export interface Fault {
  readonly match: RequestMatcher;
  /** Which of the matching requests is hit, counted from 1 since the fault was set; absent: every one. */
  readonly nth?: number;
  /** How many are hit, from `nth` on. Default: one with `nth`, all without. */
  readonly times?: number;
  readonly action: FaultAction;
}

export interface WatchFault {
  readonly resource?: string;
  readonly type?: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly name?: string;
  readonly user?: string;
  readonly nth?: number;
  readonly times?: number;
  readonly fate: WatchFate;
}

interface Armed<T> {
  readonly fault: T;
  seen: number;
}

export interface IncomingRequest {
  readonly method: string;
  readonly path: string;
  readonly user: string;
}

/** The faults in force. Those set first win. */
export class Faults {
  #requests: Armed<Fault>[] = [];
  #watches: Armed<WatchFault>[] = [];

  /** Returns what takes the fault back. */
  add(fault: Fault): () => void {
    const armed = { fault, seen: 0 };
    this.#requests.push(armed);
    return () => {
      this.#requests = this.#requests.filter((one) => one !== armed);
    };
  }

  addToWatches(fault: WatchFault): () => void {
    const armed = { fault, seen: 0 };
    this.#watches.push(armed);
    return () => {
      this.#watches = this.#watches.filter((one) => one !== armed);
    };
  }

  clear(): void {
    this.#requests = [];
    this.#watches = [];
  }

  actionFor(request: IncomingRequest): FaultAction | undefined {
    return firstHit(this.#requests, ({ match }) => matchesRequest(match, request))?.action;
  }

  fateOf(watch: { readonly resource: string; readonly user: string }, type: string, object: KubeObject): WatchFate {
    const wanted = (fault: WatchFault): boolean =>
      (fault.resource ?? watch.resource) === watch.resource &&
      (fault.user ?? watch.user) === watch.user &&
      (fault.type ?? type) === type &&
      (fault.name ?? object.metadata.name) === object.metadata.name;
    return firstHit(this.#watches, wanted)?.fate ?? 'deliver';
  }
}

function matchesRequest(match: RequestMatcher, request: IncomingRequest): boolean {
  const { method } = match;
  const methodFits = method === undefined || (typeof method === 'string' ? method === request.method : method.test(request.method));
  return methodFits && (match.path?.test(request.path) ?? true) && (match.user ?? request.user) === request.user;
}

/** Counts a match for every armed fault, so that `nth` does not depend on other faults. */
function firstHit<T extends { readonly nth?: number; readonly times?: number }>(
  armed: Armed<T>[],
  matches: (fault: T) => boolean,
): T | undefined {
  const hits = armed.filter((one) => {
    if (!matches(one.fault)) return false;
    one.seen += 1;
    return isHit(one.fault, one.seen);
  });
  return hits[0]?.fault;
}

function isHit(fault: { readonly nth?: number; readonly times?: number }, seen: number): boolean {
  const from = fault.nth ?? 1;
  const count = fault.times ?? (fault.nth === undefined ? Infinity : 1);
  return seen >= from && seen < from + count;
}
