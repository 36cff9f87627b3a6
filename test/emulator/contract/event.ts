/** What an event points at. `url` is relative and neutral: `/v4/vm/instances/123`. */
export interface EntityRef {
  readonly id: number | string;
  readonly label: string | null;
  readonly type: string;
  readonly url: string;
}

export type EventStatus = 'scheduled' | 'started' | 'finished' | 'failed' | 'notification';

/** A stored event; `seen` and `read` are per user and added when it is shown. */
export interface EventRow {
  readonly id: number;
  readonly created: string;
  readonly action: string;
  readonly status: EventStatus;
  readonly entity: EntityRef | null;
  readonly secondary_entity: EntityRef | null;
  readonly percent_complete: number | null;
  readonly time_remaining: number | null;
  readonly rate: string | null;
  readonly duration: number | null;
  readonly username: string | null;
  readonly message: string;
  /** Not shown: how far its job is, and what a fault made of it. */
  readonly hidden?: EventHidden;
}

export interface EventHidden {
  /** Monotonic milliseconds; `startedAt` and `whole` from the job's start on. */
  readonly job?: { readonly createdAt: number; readonly startedAt?: number; readonly whole?: number };
  /** Monotonic milliseconds before which no list shows it; Infinity: never. */
  readonly visibleFrom?: number;
  /** Lists show it twice. */
  readonly doubled?: boolean;
}

/** An event that is complete at birth (status `notification`). */
export interface NewEvent {
  readonly action: string;
  readonly entity?: EntityRef | null;
  readonly secondary?: EntityRef | null;
  readonly message?: string;
  /** Default `notification`; database events end `finished` with percent 100. */
  readonly status?: EventStatus;
  readonly username?: string | null;
}
