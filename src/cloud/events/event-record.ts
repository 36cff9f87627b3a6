import type { Job } from '../../engine/ports/index.ts';
import type { Millis } from '../../lib/clock.ts';
import type { Row } from '../../resource/index.ts';
import { decodedPath, pathOfUrl } from '../http/entity-url.ts';
import type { EventRules } from './event-rules.ts';

/** What an event points at: a type and a path, without the version. */
export interface Named {
  readonly type: string;
  readonly id: string;
  readonly path: string | undefined;
}

/** One event of the account, in neutral words. */
export interface EventRecord extends Job {
  /** A job that is not done yet. */
  readonly open: boolean;
  /** When a job was done, by the service's clock; undefined where that is not told. */
  readonly endedAt: Millis | undefined;
  /** The path that this event says is new. */
  readonly newPath: string | undefined;
  /** The path below which something is new, by an event that names only the parent. */
  readonly newBelow: string | undefined;
  /** The path that this event says is gone. */
  readonly gonePath: string | undefined;
  /** The path on which a job is done whose time is remembered. */
  readonly donePath: string | undefined;
  /** The path on which a job is done whose end is followed. */
  readonly followedPath: string | undefined;
  readonly entity: Named | undefined;
  readonly secondary: Named | undefined;
}

const statuses: readonly Job['status'][] = ['scheduled', 'started', 'finished', 'failed', 'notification'];
const endings: ReadonlySet<Job['status']> = new Set(['finished', 'notification']);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Undefined for what is no event: the set of fields and values is open. */
export function eventOf(row: Row, rules: EventRules): EventRecord | undefined {
  const { id, action } = row;
  const status = statuses.find((one) => one === row['status']);
  if (typeof id !== 'number' || typeof action !== 'string' || status === undefined) return undefined;
  const percent = row['percent_complete'];
  const user = row['username'];
  const [entity, secondary] = [named(row['entity']), named(row['secondary_entity'])];
  const ended = endings.has(status);
  const open = isOpen(action, status, rules);
  return {
    id,
    action,
    status,
    percent: typeof percent === 'number' ? percent : null,
    message: text(row['message']),
    user: typeof user === 'string' ? user : null,
    created: text(row['created']),
    entity,
    secondary,
    open,
    endedAt: status === 'finished' ? endOf(row) : undefined,
    newPath: pathOf(rules.creates(action), secondary, entity),
    newBelow: pathOf(rules.createsBelow(action), entity),
    donePath: pathWhere(ended && !open && rules.isRemembered(action), secondary, entity),
    followedPath: pathWhere(rules.isFollowed(action), entity),
    gonePath: ended ? pathOf(rules.deletes(action), secondary, entity) : undefined,
  };
}

/** It is told when it began, to the second, and for how long it ran. */
function endOf({ created, duration }: Row): Millis | undefined {
  const begun = Date.parse(`${text(created)}Z`);
  return typeof duration === 'number' && !Number.isNaN(begun) ? begun + duration * 1000 : undefined;
}

function named(value: unknown): Named | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { type, id, url } = value as Row;
  const path = pathOfUrl(url);
  return {
    type: text(type),
    id: typeof id === 'number' || typeof id === 'string' ? String(id) : '',
    path: path === undefined ? undefined : decodedPath(path),
  };
}

/** Events that are a job had or have a percentage; the others are complete at birth. */
export const isJob = ({ open, status, percent }: EventRecord): boolean => open || (status !== 'notification' && percent !== null);

function isOpen(action: string, status: Job['status'], rules: EventRules): boolean {
  return status === 'scheduled' || status === 'started' || (status === 'notification' && rules.finishesLater(action));
}

const pathWhere = (holds: boolean, ...named: readonly (Named | undefined)[]): string | undefined =>
  holds ? named.find((one) => one !== undefined)?.path : undefined;

/** The path of what is named and has this type. Where nothing has, the event tells nothing: those of a record name only its domain. */
const pathOf = (type: string | undefined, ...named: readonly (Named | undefined)[]): string | undefined =>
  type === undefined ? undefined : named.find((one) => one?.type === type)?.path;
