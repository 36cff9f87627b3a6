/** How many event-loop turns in a row must be quiet before the process counts as settled. */
const QUIET_TURNS = 2;
/** Beyond this the work never ends by itself: somebody loops without waiting for the clock. */
const TURN_LIMIT = 500_000;

/** Immediates that only wait for a turn to pass, here or in the settling of another clock in this process. */
let turnsUnderWay = 0;

async function turn(): Promise<void> {
  turnsUnderWay += 1;
  await new Promise<void>((resolve) => void setImmediate(resolve));
  turnsUnderWay -= 1;
}

/** Pending work that ends without the virtual clock: queued immediates and file system or DNS requests. */
function workUnderWay(): boolean {
  const resources = process.getActiveResourcesInfo();
  const immediates = resources.filter((resource) => resource === 'Immediate').length;
  return immediates > turnsUnderWay || resources.some((resource) => /^(FS|GetAddrInfo|Close)Req/.test(resource));
}

/**
 * Knows whether this process still has work that will finish without virtual time moving on.
 *
 * One event-loop turn runs every promise chain and nextTick callback to its end, so what can be left is: another
 * immediate or a file system request (Node lists both), real I/O (`track` it), or work that somebody reports (`note`).
 * A request that waits for virtual time is *not* activity: it would hold up the clock that it waits for.
 */
export class Activity {
  #noted = 0;
  #inFlight = 0;
  #failure: { error: unknown } | undefined;

  /** Something happened in this turn: look again in the next. */
  note(): void {
    this.#noted += 1;
  }

  /** A bug in the test's own machinery; the next settling throws it, whoever swallowed it. */
  fail(error: unknown): void {
    this.#failure ??= { error };
  }

  /** Holds virtual time still until real work (a child process, a socket) has ended. */
  async track<T>(work: Promise<T>): Promise<T> {
    this.#inFlight += 1;
    try {
      return await work;
    } finally {
      this.#inFlight -= 1;
      this.note();
    }
  }

  /** Resolves when nothing is left to do at this instant of virtual time. */
  async settle(): Promise<void> {
    let quiet = 0;
    for (let turns = 0; quiet < QUIET_TURNS; turns += 1) {
      if (turns > TURN_LIMIT)
        throw new Error(`the process never settles: still busy after ${TURN_LIMIT} event-loop turns at one instant of virtual time`);
      const noted = this.#noted;
      await turn();
      quiet = this.#busy() || this.#noted !== noted ? 0 : quiet + 1;
    }
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure) throw failure.error;
  }

  #busy(): boolean {
    return this.#inFlight > 0 || workUnderWay();
  }
}
