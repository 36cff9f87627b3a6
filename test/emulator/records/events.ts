import { defineCollection } from '../contract/collection.ts';
import type { EventRow } from '../contract/event.ts';

/** What one user has seen and read. */
export interface EventMarks {
  readonly username: string;
  /** Every event up to this id is seen. */
  readonly seenUpTo: number;
  readonly read: ReadonlySet<number>;
}

export const events = defineCollection<EventRow>({ name: 'events', firstId: 100_000, ascending: true, unlisted: true });
export const eventMarks = defineCollection<EventMarks>({ name: 'event_marks', key: (row) => row.username, unlisted: true });
