import type { Clock, Timer } from '../clock.ts';
import type { Collection, CollectionDefinition } from '../contract/collection.ts';
import type { EventRow, NewEvent } from '../contract/event.ts';
import type { Knobs } from '../contract/knobs.ts';
import type { Rng } from '../contract/rng.ts';
import type { Actor, Job, JobPlan, World } from '../contract/world.ts';
import type { Emulation } from './emulation.ts';

/** `YYYY-MM-DDTHH:MM:SS`, as the API writes times. */
export function timestamp(at: number): string {
  return new Date(at).toISOString().slice(0, 19);
}

/** One account in the hands of one actor. */
export class AccountWorld implements World {
  readonly euuid: string;
  readonly actor: Actor | undefined;
  readonly #emulation: Emulation;

  constructor(emulation: Emulation, euuid: string, actor: Actor | undefined) {
    this.#emulation = emulation;
    this.euuid = euuid;
    this.actor = actor;
  }

  get clock(): Clock {
    return this.#emulation.clock;
  }

  get rng(): Rng {
    return this.#emulation.platform.parts.rng;
  }

  get knobs(): Readonly<Knobs> {
    return this.#emulation.platform.parts.knobs;
  }

  get origin(): string {
    return this.#emulation.origin();
  }

  store<Row extends object>(definition: CollectionDefinition<Row>): Collection<Row> {
    return this.#emulation.platform.collection(this.euuid, definition);
  }

  everywhere<Row extends object>(definition: CollectionDefinition<Row>): readonly Collection<Row>[] {
    return this.#emulation.euuids.map((euuid) => this.#emulation.platform.collection(euuid, definition));
  }

  timestamp(offsetSeconds = 0): string {
    return timestamp(this.clock.now() + offsetSeconds * 1000);
  }

  emit(event: NewEvent): EventRow {
    return this.#emulation.events.emit(this, event);
  }

  job(plan: JobPlan): Job {
    return this.#emulation.jobs.add(this, plan);
  }

  busy(serialKey: string): boolean {
    return this.#emulation.jobs.busy(this.euuid, serialKey);
  }

  openJobs(serialKey: string): readonly Job[] {
    return this.#emulation.jobs.open(this.euuid, serialKey);
  }

  timeIn(seconds: number): number {
    return this.clock.now() + this.#emulation.platform.scaled(seconds);
  }

  after(seconds: number, then: (world: World) => void): Timer {
    const { platform } = this.#emulation;
    return this.clock.after(platform.scaled(seconds), () => {
      platform.run({ euuid: this.euuid, actor: this.actor, world: this, origin: 'timer', changes: [] }, () => then(this));
    });
  }
}
