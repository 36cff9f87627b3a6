import { sleep, systemClock, type Millis } from '../../../src/lib/clock.ts';
import { ControlPlane } from '../../controlplane/control-plane.ts';
import type { Lane } from './lane.ts';

interface Guest {
  readonly lane: object;
  readonly fallen: () => void;
  readonly over: () => void;
  readonly failed: (error: unknown) => void;
}

/** Says when it has fallen, and resolves when it is over. */
type Fault = (fallen: () => void) => Promise<void>;

/** What befalls a control plane befalls all lanes on it: they wait at their steps for each other, and one fault serves them all. */
export class Gathering {
  readonly #fault: Fault;
  readonly #patience: Millis;
  /** Whose step may still come, who is being prepared, or who has not come to the end of its operation since the last fault. */
  readonly #expected = new Set<object>();
  #guests: Guest[] = [];
  #running = false;
  #falling = false;
  #spared = 0;

  /** The first to come waits so long for the others, and for who has not recovered from the last fault. */
  constructor(fault: Fault, patience: Millis) {
    this.#fault = fault;
    this.#patience = patience;
  }

  expect(lane: object): void {
    this.#expected.add(lane);
  }
  /** Its operation is over. */
  forget(lane: object): void {
    this.#expected.delete(lane);
  }
  /** The others wait for a lane that is between two operations as for one whose step may still come. */
  async expecting<T>(lane: object, work: () => Promise<T>): Promise<T> {
    this.expect(lane);
    try {
      return await work();
    } finally {
      this.forget(lane);
    }
  }

  /** Nobody waits for the fault, and nobody will. */
  get idle(): boolean {
    return !this.#running && this.#expected.size === 0;
  }
  /** Resolves when no fault is falling. */
  async calm(): Promise<void> {
    while (this.#falling) await sleep(systemClock, 20);
  }

  /** No fault falls while this is done; it begins when nobody waits for one, so that nobody waits for many of it. */
  async spare<T>(work: () => Promise<T>): Promise<T> {
    while (this.#running) await sleep(systemClock, 20);
    this.#spared += 1;
    try {
      return await work();
    } finally {
      this.#spared -= 1;
    }
  }

  /** Resolves when the fault is over; `fallen` is called when it falls. */
  join(lane: object, fallen: () => void): Promise<void> {
    this.forget(lane);
    return new Promise((over, failed) => {
      this.#guests.push({ lane, fallen, over, failed });
      if (!this.#running) void this.#run();
    });
  }

  /** One fault after the other, as long as somebody waits for one. */
  async #run(): Promise<void> {
    this.#running = true;
    while (this.#guests.length > 0) {
      const end = systemClock.monotonic() + this.#patience;
      while (this.#spared > 0 || (this.#expected.size > 0 && systemClock.monotonic() < end)) await sleep(systemClock, 20);
      const guests = this.#guests;
      this.#guests = [];
      const each = (tell: (guest: Guest) => void): void => {
        for (const guest of guests) tell(guest);
      };
      this.#falling = true;
      await this.#fault(() => each(({ fallen }) => fallen())).then(
        () =>
          each(({ lane, over }) => {
            this.expect(lane);
            over();
          }),
        (error: unknown) => each(({ failed }) => failed(error)),
      );
      this.#falling = false;
    }
    this.#running = false;
  }
}

/** Of a lane whose control plane was started for it, or for its family. */
export function ownControlPlane({ controlPlane }: Pick<Lane, 'controlPlane'>): ControlPlane {
  if (controlPlane instanceof ControlPlane) return controlPlane;
  throw new Error('this fault needs a control plane that was started for it');
}

/** The lanes of each control plane, by the fault that they wait for. */
export const gatheringsFor = (patience: Millis, fault: (controlPlane: ControlPlane, fallen: () => void) => Promise<void>) => {
  const known = new WeakMap<ControlPlane, Gathering>();
  return (on: Pick<Lane, 'controlPlane'>): Gathering => {
    const controlPlane = ownControlPlane(on);
    const gathering = known.get(controlPlane) ?? new Gathering((fallen) => fault(controlPlane, fallen), patience);
    known.set(controlPlane, gathering);
    return gathering;
  };
};
