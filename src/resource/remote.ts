import * as z from 'zod';
import { type Body, segment } from './call.ts';
import type { AnyWant, Row } from './field-rule.ts';
import { type AnyKind, asCollection, asSingleton, type Mode } from './kind.ts';
import type { Part } from './parts.ts';
import type { Transfer } from './words/transfer.ts';

type Readable = { readonly remote: Row } | { readonly malformed: string };

/**
 * A remote with the fields that this kind knows and the parts that were read, or what is wrong with the answers. A part that
 * is only shown counts as not read when its answer cannot be read.
 */
export function readRemote(kind: AnyKind, row: Row): Readable {
  const remote = kind.remote.safeParse(row);
  if (!remote.success) return malformed(remote.error, []);
  const parts: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(kind.parts ?? {})) {
    if (!Object.hasOwn(row, name) || part.when?.(remote.data, row) === false) continue;
    const read = partOf(part, row[name]);
    if (read.success) parts[name] = read.data;
    else if (part.for !== 'status') return malformed(read.error, [name]);
  }
  return { remote: { ...remote.data, ...parts } };
}

/** Of a secret one nothing is known but that it is not there yet. */
const partOf = ({ secret, schema }: Part<Row>, value: unknown): z.ZodSafeParseResult<unknown> =>
  (secret === undefined ? schema : z.null()).safeParse(value);

/** Whether a remote has this part at all. Of one that cannot be read nobody knows where its parts are. */
export function hasPart({ remote, parts }: AnyKind, row: Row, name: string): boolean {
  const { when } = parts?.[name] ?? {};
  const read = when === undefined ? undefined : remote.safeParse(row);
  return read === undefined || (read.success && when?.(read.data, row) === true);
}

function malformed({ issues: [issue] }: z.ZodError, at: readonly string[]): Readable {
  const field = [...at, ...(issue?.path ?? ['?'])].join('.');
  return { malformed: `field ${field} of the API's answer cannot be read (${issue?.message ?? 'malformed'})` };
}

/** The paths of the account below which all remotes of this kind are; none for those that are below parents. */
export function placesOf(kind: AnyKind): readonly string[] {
  if (kind.places !== undefined) return kind.places;
  return kind.parent === undefined && kind.path !== undefined ? [kind.path] : [];
}

/** What is below a parent may be anywhere. */
export function isInPlace(kind: AnyKind, path: string): boolean {
  const places = placesOf(kind);
  return places.length === 0 || places.some((place) => path.startsWith(`${place}/`));
}

/** Where remotes of this kind are listed and made. */
export const collectionOf = (kind: AnyKind, want: AnyWant): string =>
  kind.parent === undefined && kind.places === undefined ? (kind.path ?? nowhere) : kind.path(want);
/** Of what has no remote. */
const nowhere = '';

/** The collection of a remote of which only the path is known. */
export const collectionOfItem = (kind: AnyKind, item: string): string =>
  asCollection(kind) === undefined ? (asSingleton(kind)?.sweep?.in ?? item) : onlyPlace(placesOf(kind), item);
/** An id may hold a slash, so what is in one place alone is in that. */
const onlyPlace = ([place, ...more]: readonly string[], item: string): string =>
  place !== undefined && more.length === 0 ? place : above(item);

/** The path of the remote below which this one is. */
export const parentOfItem = (kind: AnyKind, item: string): string => above(asCollection(kind) === undefined ? item : above(item));
const above = (path: string): string => path.slice(0, path.lastIndexOf('/'));

const usualItem: Readonly<Record<Mode, (remote: Row, collection: string) => string>> = {
  collection: (remote, collection) => `${collection}/${segment(String(remote['id']))}`,
  singleton: (_, own) => own,
  connection: (_, own) => own,
  issued: () => nowhere,
  operation: () => nowhere,
};

/** The path of one remote. */
export const itemOf = (kind: AnyKind, remote: Row, collection: string): string => (kind.item ?? usualItem[kind.mode])(remote, collection);

/** The paths that a row of a list stands for; kinds that share a collection may name their items differently. */
export function pathsOf(kinds: ReadonlySet<AnyKind>, collection: string, row: Row): readonly string[] {
  const paths = [...kinds].map((kind) => itemOf(kind, row, collection));
  return [...new Set(paths)];
}

/** The filter under which a collection is listed. Kinds that share one must agree. */
export function listFilters(kinds: readonly AnyKind[]): (collection: string) => Body | undefined {
  const filters = new Map(
    kinds.flatMap((kind) => {
      const filter = kind.sweep?.by === 'list' ? kind.sweep.filter : undefined;
      return filter === undefined ? [] : placesOf(kind).map((path) => [path, filter] as const);
    }),
  );
  return (collection) => filters.get(collection);
}

/** One remote is read out of the listing of its collection. */
export const isReadFromList = ({ sweep }: AnyKind): boolean => sweep?.by === 'list' && sweep.itemFromList !== undefined;

/** A listing shows its remotes whole, so that none is read for itself. */
export const isListed = ({ sweep }: AnyKind): boolean => sweep?.by === 'list';

/** Each parent has a listing of its own. */
export const isListedBelow = (kind: AnyKind): boolean => isListed(kind) && kind.parent !== undefined && asSingleton(kind) === undefined;

/** How much later than its answer a create may show what it made. */
export const appearsWithin = (kind: AnyKind): number => asCollection(kind)?.appears?.within ?? 0;

/** What is brought to an object of this spec after its create. */
export function transferOf(kind: AnyKind, spec: Row): Transfer<Row, AnyWant> | undefined {
  const transfer = asCollection(kind)?.transfer;
  return transfer !== undefined && spec[transfer.field] !== undefined ? transfer : undefined;
}

/** Its path is its name, and another one may come to be there: when it was made tells them apart. */
export const isKnownByBirth = ({ key, createdAt }: AnyKind): boolean => key?.enforced === 'item' && createdAt !== undefined;

/** Milliseconds, by the wall clock of the service; undefined where the row does not show it. */
export function madeAt({ createdAt }: AnyKind, row: Row): number | undefined {
  const made = createdAt === undefined ? undefined : row[createdAt];
  if (typeof made !== 'string') return undefined;
  const at = Date.parse(made.endsWith('Z') ? made : `${made}Z`);
  return Number.isNaN(at) ? undefined : at;
}

/** It is over, although it can still be read. What cannot be read as its kind may be anything, and is not. */
export function hasEnded(kind: AnyKind, row: Row): boolean {
  const ended = kind.deletion?.ended;
  const readable = ended === undefined ? undefined : readRemote(kind, row);
  return readable !== undefined && 'remote' in readable && ended?.(readable.remote) === true;
}
