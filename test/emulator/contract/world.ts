import type { Clock, Timer } from '../clock.ts';
import type { Collection, CollectionDefinition } from './collection.ts';
import type { EntityRef, EventRow, NewEvent } from './event.ts';
import type { Grants } from './grants.ts';
import type { Knobs } from './knobs.ts';
import type { Rng } from './rng.ts';

/** Who calls. `grants` is absent for an unrestricted user. */
export interface Actor {
  readonly username: string;
  readonly grants?: Grants;
}

/** An asynchronous job: one event that goes scheduled -> started -> finished or failed, and the effects at each step. */
export interface JobPlan {
  /** The event's action, for example `vm_boot`. */
  readonly action: string;
  readonly entity: EntityRef;
  readonly secondary?: EntityRef | null;
  /** Plausible duration in seconds; divided by the emulator's speed. */
  readonly seconds: number;
  /** Jobs of one key run one after the other, for example `vm:123`; `world.busy(key)` says whether one is open. */
  readonly serialKey?: string;
  readonly message?: string;
  /** Effects; `world` is the account's, acting as the user who asked. Look rows up anew: they may have changed or gone. */
  readonly onStart?: (world: World) => void;
  readonly onFinish?: (world: World) => void;
  readonly onFail?: (world: World) => void;
}

export interface Job {
  /** Id of its event. */
  readonly id: number;
  readonly action: string;
  /** Drops a job that has not ended: its event becomes `failed` and no further effect happens. */
  cancel(): void;
}

/** One account as seen by one actor: all that a handler, a job or a reaction works on. */
export interface World {
  /** The account's id, 8-4-4-16 upper-case hex. */
  readonly euuid: string;
  readonly actor: Actor | undefined;
  readonly clock: Clock;
  readonly rng: Rng;
  readonly knobs: Readonly<Knobs>;
  /** Scheme, host and port under which the emulator is reached, for absolute URLs (`upload_to`, object URLs). */
  readonly origin: string;
  store<Row extends object>(definition: CollectionDefinition<Row>): Collection<Row>;
  /** The same collection of every account, this one included. */
  everywhere<Row extends object>(definition: CollectionDefinition<Row>): readonly Collection<Row>[];
  /** `YYYY-MM-DDTHH:MM:SS`, now or so many seconds from now. */
  timestamp(offsetSeconds?: number): string;
  emit(event: NewEvent): EventRow;
  job(plan: JobPlan): Job;
  /** Is a job of this key scheduled or started? */
  busy(serialKey: string): boolean;
  /** The open jobs of a key, the running one first. */
  openJobs(serialKey: string): readonly Job[];
  /** Milliseconds since the epoch, so many seconds from now, divided by the emulator's speed. */
  timeIn(seconds: number): number;
  /** Runs once after so many seconds, divided by the emulator's speed. */
  after(seconds: number, then: (world: World) => void): Timer;
}
