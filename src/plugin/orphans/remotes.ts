import { type AnyKind, type AnyWant, collectionOf, hasEnded, itemOf, placesOf, type RefTarget, type Row } from '../../resource/index.ts';
import type { AccountReader } from '../account/account-reader.ts';
import { PathRefused } from '../account/told.ts';
import type { Remote } from '../dry/standing.ts';
import { registry } from '../command-line/kinds.ts';

type Unread = (collection: string, why: string) => void;
interface Reading {
  /** Also what lies below what goes with something else, as the disks of a cluster's nodes. */
  readonly withParts?: boolean;
  /** Told of a list that the service does not give now: of what lies below something, as of a database that is being made, or of that itself. Absent: that ends the read. */
  readonly unread?: Unread | undefined;
}

/** Everything of a kind that the account has, by its lists alone: a page for 500. What is over and can still be read is none of it. */
export const remotesOf = (account: AccountReader, kind: AnyKind, reading: Reading = {}): Promise<readonly Remote[]> =>
  // Without a list of the account itself everything in it would count as gone.
  given(account, kind, kind.parent === undefined ? { ...reading, unread: undefined } : reading);

async function given(account: AccountReader, kind: AnyKind, { withParts = true, unread }: Reading): Promise<readonly Remote[]> {
  const found: Remote[] = [];
  for (const { collection, isBelowPart } of await collectionsOf(account, kind, unread)) {
    if (isBelowPart && !withParts) continue;
    const all = await listed(account, kind, collection).catch((error: unknown): readonly Remote[] => {
      if (unread === undefined || !(error instanceof PathRefused)) throw error;
      unread(collection, error.message);
      return [];
    });
    found.push(...(isBelowPart ? all.map((remote) => ({ ...remote, cameWith: true }) as const) : all));
  }
  return found;
}

/** The same of one list. */
export async function listed(account: AccountReader, kind: AnyKind, collection: string): Promise<readonly Remote[]> {
  const rows = await account.rows(collection);
  const first = new Set<string | undefined>([undefined]);
  return rows
    .filter((row) => !hasEnded(kind, row) && !isMark(kind, row))
    .map((row) => {
      const of = kind.firstIsPart?.(row);
      const cameWith = first.has(of) ? {} : ({ cameWith: true } as const);
      first.add(of);
      return { kind, row, collection, path: itemOf(kind, row, collection), ...cameWith };
    });
}

/** The tag by which an operator knows what its installation made is nobody's to bring in. */
const isMark = (kind: AnyKind, row: Row): boolean => kind.takesOver === true && /^co-[a-z2-7]{8}$/.test(String(idOf(kind, row)));

/** It goes with something else of the account. */
export const isPart = ({ kind, row, cameWith }: Remote): boolean => cameWith === true || kind.isPart?.(row) === true;
export const partText =
  'it is a part of something else in the account, such as a node of a Kubernetes cluster or an address that an instance was made with, and goes with that';

interface Collection {
  readonly collection: string;
  readonly isBelowPart: boolean;
}
async function collectionsOf(account: AccountReader, kind: AnyKind, unread: Unread | undefined): Promise<readonly Collection[]> {
  if (kind.parent === undefined) return placesOf(kind).map((collection) => ({ collection, isBelowPart: false }));
  const { ref } = kind.parent;
  const parents = await given(account, parentOf(kind, ref), { unread });
  return parents.map((parent) => ({
    collection: collectionOf(kind, wantBelow(ref, placedId(kind, parent.row, idOf(parent.kind, parent.row)))),
    isBelowPart: isPart(parent),
  }));
}
/** As a reference to what it lies below resolves. */
function placedId(kind: AnyKind, above: Row, id: string | number): string | number {
  const by = placedByOf(kind);
  return by === undefined ? id : `${String(above[by])}/${id}`;
}

const wantBelow = (ref: string, id: string | number): AnyWant => ({ name: '', [ref]: id });

export const idOf = (kind: AnyKind, row: Row): string | number => kind.id?.(row) ?? (row['id'] as string | number);

export const parentOf = (kind: AnyKind, ref: string): AnyKind => registry.kind(targetAbove(kind, ref).kind);

/** By what the reference to what it lies below says in which of several places that is. */
export const placedByOf = (kind: AnyKind): string | undefined =>
  kind.parent === undefined ? undefined : targetAbove(kind, kind.parent.ref).placedBy;

function targetAbove({ kind }: AnyKind, ref: string): RefTarget {
  const site = registry.sites(kind).find(({ at }) => at[0] === ref);
  if (site?.what.is !== 'ref') throw new Error(`${kind}: spec.${ref} refers to nothing that it could lie below`);
  return site.what.target;
}
