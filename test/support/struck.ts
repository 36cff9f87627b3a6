import type { Backend, BackendRequest } from './backend.ts';
import { ConnectionLost } from './backend.ts';
import type { RunningOperator, WorldOptions } from './world.ts';

/** When the process dies: the request of that number was not heard, or it was carried out and its answer was not. */
export type Blow = 'before' | 'after';

/** Counts what the first operator of a world asks for, of the requests that change something, and kills it at one of them. */
export class Striking {
  /** `POST /v4/object-storage/keys`, in order, from when it was armed. */
  readonly seen: string[] = [];
  #armed = false;
  readonly #nth: number;
  readonly #blow: Blow;
  #victim: RunningOperator | undefined;
  constructor(nth = 0, blow: Blow = 'before') {
    this.#nth = nth;
    this.#blow = blow;
  }
  /** From here on requests are counted. */
  arm(victim: RunningOperator): void {
    this.#victim = victim;
    this.#armed = true;
  }
  get struck(): boolean {
    return this.#victim === undefined;
  }
  readonly between: NonNullable<WorldOptions['between']> = (_server, backend, operator): Backend => ({
    ...(backend.travel && { travel: (request: BackendRequest) => backend.travel?.(request) ?? { there: 0, back: 0 } }),
    handle: async (request) => {
      if (!this.#counts(request, operator)) return backend.handle(request);
      this.seen.push(`${request.method} ${request.path.replace(/\?.*/, '')}`);
      if (this.seen.length !== this.#nth) return backend.handle(request);
      this.#victim = undefined;
      if (this.#blow === 'after') await backend.handle(request);
      operator.kill();
      throw new ConnectionLost();
    },
  });
  #counts({ method, path }: BackendRequest, operator: RunningOperator): boolean {
    return this.#armed && operator === this.#victim && method !== 'GET' && !/\/(leases|events)(\/|\?|$)/.test(path);
  }
}
