import { lastSegment } from '../../lib/last-segment.ts';
import { wordOrQuoted } from '../../lib/quoted.ts';
import { asConnection, type AnyKind, type EventRouting, parentOfItem, type Row } from '../../resource/index.ts';
import type { Condition } from '../../engine/model/conditions.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { HistoryData } from '../output/account-shapes.ts';

export type Entry = HistoryData['entries'][number];

/** Where the remote of an object is, as its status says. */
export interface Place {
  readonly kind: AnyKind;
  readonly id: string;
  readonly path: string;
}

/** Whether events of this kind name the remote, or what it lies below. */
export const isNamed = (kind: AnyKind): boolean => kind.events.some((routing) => asConnection(kind) !== undefined || names(routing));
const names = ({ entity }: EventRouting): boolean => entity !== 'account';

/** The account's events of one remote, by what its kind says of them. Times of the service are UTC without a zone. */
export const ofAccount = (place: Place, events: readonly Row[]): readonly Entry[] =>
  events.flatMap((event) => {
    const how = concerns(place, event);
    return how === undefined ? [] : [entryOf(event, how)];
  });

type How = 'itself' | 'parent';

/** Whether it names the remote itself, or what that lies below. */
export function concerns(place: Place, event: Row): How | undefined {
  for (const routing of place.kind.events) {
    const how = fits(routing, event) ? howOf(place, routing, event) : undefined;
    if (how !== undefined) return how;
  }
  return undefined;
}

const fits = ({ entity, actions }: EventRouting, event: Row): boolean =>
  (namedBy(event['entity'])?.type ?? 'account') === entity && actions.some((action) => String(event['action']).startsWith(action));

function howOf(place: Place, routing: EventRouting, event: Row): How | undefined {
  const [entity, other] = [namedBy(event['entity']), namedBy(event['secondary_entity'])];
  if (entity === undefined) return asConnection(place.kind) === undefined ? undefined : 'itself';
  const { secondary } = routing;
  const [named, isBelow] = secondary === undefined ? [entity, routing.ofParent === true] : [other, other?.type !== secondary];
  if (isBelow) return entity.id === lastSegment(parentOfItem(place.kind, place.path)) ? 'parent' : undefined;
  return named?.id === place.id ? 'itself' : undefined;
}

export function namedBy(value: unknown): { readonly type: string; readonly id: string } | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { type, id } = value as Row;
  return { type: String(type), id: String(id) };
}

function entryOf({ created, username, action, status, message, id }: Row, about: How): Entry {
  return {
    at: `${String(created)}Z`,
    source: 'account',
    what: String(action),
    about,
    ...(typeof username === 'string' && { by: username }),
    ...(typeof status === 'string' && { state: status }),
    ...(typeof message === 'string' && message !== '' && { message }),
    ...(typeof id === 'number' && { event: id }),
  };
}

/** What the object and its status still know with a time. */
export function ofStatus({ metadata, status = {} }: Resource): readonly Entry[] {
  const { conditions = [], lastCorrection, drift = [], plan, paused } = status as Known;
  const all: readonly (Told | undefined)[] = [
    { at: metadata.creationTimestamp, what: 'object made' },
    { at: metadata.deletionTimestamp, what: 'deletion of the object asked for' },
    // Of a condition the time is that of its status; why it is so may have changed since, and is told as of now.
    ...conditions.map(({ type, status: is, lastTransitionTime: at }) => ({ at, what: `${type}: ${is}` })),
    ...drift.map(({ field, since, by }) => ({ at: since, what: `spec.${field} differs`, likely: by })),
    lastCorrection && {
      at: lastCorrection.at,
      what: `set back: ${lastCorrection.fields.map((field) => `spec.${field}`).join(', ')}`,
      likely: lastCorrection.by,
    },
    plan?.approved && {
      at: plan.approved.at,
      what: `approved: ${plan.changes.join('; ')}`,
      by: plan.approved.by,
      message: plan.approved.reason,
    },
    paused && { at: paused.at, what: `paused until ${paused.until}`, by: paused.by, message: paused.reason },
  ];
  return all.flatMap((told) => (told?.at === undefined ? [] : [entry({ ...told, at: told.at })]));
}

/** What its conditions say as they stand, each text once. One without words says no more than another of its reason. */
export function nowOf({ status = {} }: Resource): NonNullable<HistoryData['now']> {
  const { conditions = [] } = status as Known;
  const wordsOf = ({ reason, message }: Condition): string =>
    message === '' ? (conditions.find((one) => one.reason === reason && one.message !== '')?.message ?? '') : message;
  const same = Map.groupBy(conditions, (one) => JSON.stringify([one.reason, wordsOf(one)]));
  return [...same.values()].flatMap((those) =>
    those.slice(0, 1).map((first) => ({
      conditions: those.map(({ type, status: is }) => `${type}: ${is}`),
      reason: first.reason,
      message: wordsOf(first),
    })),
  );
}

interface Told {
  readonly at: string | undefined;
  readonly what: string;
  readonly by?: string | undefined;
  readonly likely?: string | undefined;
  readonly state?: string | undefined;
  readonly message?: string | undefined;
}
interface Known {
  readonly conditions?: readonly Condition[];
  readonly lastCorrection?: { readonly at: string; readonly fields: readonly string[]; readonly by?: string };
  readonly drift?: readonly { readonly field: string; readonly since?: string; readonly by?: string }[];
  readonly plan?: {
    readonly changes: readonly string[];
    readonly approved?: { readonly at: string; readonly by?: string; readonly reason?: string };
  };
  readonly paused?: { readonly at: string; readonly until: string; readonly by?: string; readonly reason?: string };
}

/** `likely`: who the operator takes for the one who made a difference, and not who wrote this. */
function entry({ at, what, by, likely, state, message }: Told & { readonly at: string }): Entry {
  const said = likely === undefined ? message : [`likely made by ${wordOrQuoted(likely)}`, message].filter(Boolean).join('. ');
  return {
    at,
    source: 'status',
    what,
    about: 'itself',
    ...(by !== undefined && { by }),
    ...(state !== undefined && { state }),
    ...(said !== undefined && said !== '' && { message: said }),
  };
}
