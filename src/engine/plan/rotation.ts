import type { Millis } from '../../lib/clock.ts';
import { readTime, shownTime } from '../../lib/utc-time.ts';
import { type AnyKind, asCollection, type Row } from '../../resource/index.ts';
import { annotation, hasOwnPath, rotateAnnotation } from '../model/annotations.ts';
import type { Resource } from '../ports/index.ts';

const hours = 3_600_000;

interface Asked {
  readonly everyDays?: number;
}
const askedOf = ({ spec }: Resource): Asked => (spec['rotation'] as Asked | undefined) ?? {};

/** Whether what is given out is to be renewed, and what status says of that. */
export interface Rotation {
  readonly status: Row;
  /** A person asks for it, which status does not say yet. */
  readonly isNew: boolean;
  /** Its time has come, or status says that a person asked. */
  readonly isDue: boolean;
  /** When it comes. */
  readonly at: Millis | undefined;
}

const never: Rotation = { status: {}, isNew: false, isDue: false, at: undefined };

/**
 * `path`: of the remote that the object has. A wish counts once for each value; one that is there when the first remote is bound
 * may have been fulfilled before: a cluster that is rebuilt from Git, or a backup, brings it back.
 */
export function rotationOf(kind: AnyKind, object: Resource, { path, now }: { readonly path: string; readonly now: Millis }): Rotation {
  if (asCollection(kind)?.rotation === undefined) return never;
  const asked = annotation(object, rotateAnnotation);
  const noted = notedIn(object, asked);
  const { rotated, rotating } = noted;
  const wish = asked ?? rotated;
  const isNew = wish !== rotated;
  const isAsked = rotating === path;
  const renewedAt = renewedIn(object.status ?? {}, path, now);
  const at = dueAt(object, renewedAt);
  const status = {
    renewedAt: shownTime(renewedAt),
    rotatesAt: at && shownTime(at),
    rotated: wish,
    rotating: isNew || isAsked ? path : undefined,
    ...noteOfAnother(object, path),
  };
  return { status, isNew, isDue: isAsked || isPast(at, now), at };
}

const notedIn = (object: Resource, asked: string | undefined): Row =>
  (hasOwnPath(object) ? object.status : undefined) ?? { rotated: asked };
const isPast = (at: Millis | undefined, now: Millis): boolean => at !== undefined && at <= now;
/** What is given out is as old as it is, whichever object it was given to: a restore makes it no younger. */
function renewedIn(noted: Row, path: string, now: Millis): Millis {
  const at = noted['path'] === path ? readTime(String(noted['renewedAt'])) : undefined;
  return at === undefined ? now : Math.min(at, now);
}
/** Resets of another remote, as a copied status notes them, tell nothing of this one. */
const noteOfAnother = ({ status }: Resource, path: string): Row =>
  (status?.['path'] ?? path) === path ? {} : { resetting: undefined, resetAt: undefined };
function dueAt(object: Resource, renewedAt: Millis): Millis | undefined {
  const { everyDays } = askedOf(object);
  return everyDays === undefined ? undefined : renewedAt + everyDays * 24 * hours;
}
