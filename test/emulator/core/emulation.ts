import type { Clock } from '../clock.ts';
import type { EventRow, NewEvent } from '../contract/event.ts';
import type { Job, JobPlan, World } from '../contract/world.ts';
import type { Platform } from './platform.ts';

/** What a world needs from the emulator around it. */
export interface Emulation {
  readonly platform: Platform;
  readonly clock: Clock;
  readonly euuids: readonly string[];
  readonly events: { emit(world: World, event: NewEvent): EventRow };
  readonly jobs: {
    add(world: World, plan: JobPlan): Job;
    busy(euuid: string, serialKey: string): boolean;
    open(euuid: string, serialKey: string): readonly Job[];
  };
  origin(): string;
}
