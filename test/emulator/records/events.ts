import { defineCollection } from '../contract/collection.ts';
import type { EventRow } from '../contract/event.ts';

export const events = defineCollection<EventRow>({ name: 'events', firstId: 100_000 });
