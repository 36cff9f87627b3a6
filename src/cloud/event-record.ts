import type { Job } from '../engine/ports.ts';
import type { Row } from '../resource/index.ts';

/** What an event points at: a type and a path, without the version. */
export interface Named {
  readonly type: string;
  readonly id: string;
  readonly path: string | undefined;
}

/** One event of the account (realities 6.1), in neutral words. */
export interface EventRecord extends Job {
  readonly entity: Named | undefined;
  readonly secondary: Named | undefined;
}

const statuses: readonly string[] = ['scheduled', 'started', 'finished', 'failed', 'notification'];
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Undefined for what is no event: the set of fields and values is open. */
export function eventOf(row: Row): EventRecord | undefined {
  const { id, action, status } = row;
  if (typeof id !== 'number' || typeof action !== 'string' || typeof status !== 'string' || !statuses.includes(status)) return undefined;
  const percent = row['percent_complete'];
  const user = row['username'];
  return {
    id,
    action,
    status: status as Job['status'],
    percent: typeof percent === 'number' ? percent : null,
    message: text(row['message']),
    user: typeof user === 'string' ? user : null,
    created: text(row['created']),
    entity: named(row['entity']),
    secondary: named(row['secondary_entity']),
  };
}

function named(value: unknown): Named | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { type, id, url } = value as Row;
  const path = typeof url === 'string' ? /^\/v4(?:beta)?(\/.+)$/.exec(url)?.[1] : undefined;
  return {
    type: text(type),
    id: typeof id === 'number' || typeof id === 'string' ? String(id) : '',
    path: path === undefined ? undefined : plain(path),
  };
}

/** One spelling for a path: ids with a slash come raw or encoded (realities 2.15). */
export function plain(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A database event is a notification first and finishes later (realities 6.4). */
const finishesLater = new Set(['database_create', 'database_update']);
export const isOpen = ({ action, status }: Job): boolean =>
  status === 'scheduled' || status === 'started' || (status === 'notification' && finishesLater.has(action));

/** Events that are a job had or have a percentage; the others are complete at birth. */
export const isJob = (event: Job): boolean => isOpen(event) || (event.status !== 'notification' && event.percent !== null);

const spokenOf: Readonly<Record<string, string>> = { dns_zone: 'domain', longviewclient: 'longview' };

/** The path that this event says is gone. */
export const deletedPath = (event: EventRecord): string | undefined =>
  event.status === 'finished' || event.status === 'notification' ? subjectOf(event, '_delete') : undefined;

/** The path that this event says is new. */
export const createdPath = (event: EventRecord): string | undefined => subjectOf(event, '_create');

/** What `volume_delete` and its like speak of. A record's names only its domain, which is of another type, so that it speaks of nothing. */
function subjectOf({ action, entity, secondary }: EventRecord, verb: '_create' | '_delete'): string | undefined {
  if (!action.endsWith(verb)) return undefined;
  const word = action.slice(0, -verb.length);
  return [secondary, entity].find((one) => one?.type === (spokenOf[word] ?? word))?.path;
}
