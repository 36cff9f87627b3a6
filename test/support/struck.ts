import type { Backend, BackendRequest } from './virtual/backend.ts';
import { ConnectionLost } from './virtual/backend.ts';
import type { RunningOperator, World, WorldOptions } from './world/world.ts';

/** When the process dies: the request of that number was not heard, or it was carried out and its answer was not. */
export type Blow = 'before' | 'after';

interface Struck {
  /** Plays until the operator was killed at the step that this is for, or to the end. */
  readonly play: (striking: Striking) => Promise<World>;
  /** What one run asks for that is left alone. */
  readonly calm: (seen: readonly string[]) => void;
  /** Another operator has begun to work. */
  readonly end: (world: World, step: string) => Promise<void>;
}

/** Kills the operator before and after each of its requests that change something, in a world each. */
export async function killedEverywhere({ play, calm, end }: Struck): Promise<void> {
  const first = new Striking();
  await play(first);
  calm(first.seen);
  for (const [index, call] of first.seen.entries())
    for (const blow of ['before', 'after'] satisfies Blow[]) {
      const step = `${blow} ${index + 1}: ${call}`;
      const striking = new Striking(index + 1, blow);
      const world = await play(striking);
      if (!striking.struck) throw new Error(`the run went another way: nobody was killed at ${step}`);
      await world.start();
      await end(world, step);
    }
}

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
