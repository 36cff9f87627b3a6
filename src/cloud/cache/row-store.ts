import type { Owner, CachedRemote } from '../../engine/ports/index.ts';
import type { Millis } from '../../lib/clock.ts';
import type { Row } from '../../resource/index.ts';
import { isLaterVersion } from './row-version.ts';

type Source = CachedRemote['source'];
interface Part {
  /** Undefined of one that is there and is kept nowhere. */
  readonly text: string | undefined;
  readonly readAt: Millis;
  /** It is not there yet, and said when to ask again. */
  readonly notBefore: Millis;
  /** That it is there was all that was asked: nobody has what it holds. */
  readonly isLook: boolean | undefined;
}
interface PartRead {
  readonly isLook?: boolean;
  readonly requestedAt: Millis;
  readonly notBefore?: Millis | undefined;
}
interface Entry {
  /** Mostly one, and no parts: maps of thousands of entries would be half of the memory. */
  owners: readonly Owner[];
  parts: Map<string, Part> | undefined;
  /** JSON: a parsed row takes several times the memory, and comparing texts is the hash. */
  text: string | undefined;
  readAt: Millis;
  source: Source;
  /** When our last change was answered. */
  writtenAt: Millis;
}
/** A row that nobody owns yet. */
type Loose = Readonly<{ text: string; readAt: Millis }>;

const isSame = (a: Pick<Owner, 'kind' | 'key'>, b: Pick<Owner, 'kind' | 'key'>): boolean =>
  a.kind.kind === b.kind.kind && a.key.namespace === b.key.namespace && a.key.name === b.key.name;

const isNewer = ({ text: known, readAt, writtenAt }: Entry, text: string, requestedAt: Millis): boolean =>
  requestedAt >= Math.max(readAt, writtenAt) && isLaterVersion(text, known);

/** The newest row of each remote that somebody owns. Paths are kept as given. */
export class RowStore {
  readonly #listLag: Millis;
  readonly #entries = new Map<string, Entry>();
  readonly #collections = new Map<string, Set<string>>();
  /** By kind, how many paths have an owner. */
  readonly #owned = new Map<string, number>();
  readonly #loose = new Map<string, Map<string, Loose>>();

  constructor(listLag: Millis) {
    this.#listLag = listLag;
  }

  get(path: string): CachedRemote | undefined {
    const entry = this.#entries.get(path);
    if (entry?.text === undefined) return undefined;
    const parts = [...(entry.parts ?? [])].flatMap(([name, { text }]) => (text === undefined ? [] : [[name, JSON.parse(text) as unknown]]));
    return { remote: { ...(JSON.parse(entry.text) as Row), ...Object.fromEntries(parts) }, readAt: entry.readAt, source: entry.source };
  }

  /** Also a row that nobody owns yet. */
  shown(path: string, collection: string): CachedRemote | undefined {
    const loose = this.#loose.get(collection)?.get(path);
    return this.get(path) ?? (loose && { remote: JSON.parse(loose.text) as Row, readAt: loose.readAt, source: 'sweep' });
  }

  /** Differs when the row does; cheap. */
  fingerprint(path: string): string | undefined {
    return this.#entries.get(path)?.text;
  }

  owners(path: string): readonly Owner[] {
    return this.#entries.get(path)?.owners ?? [];
  }

  *allOwners(): Iterable<Owner> {
    for (const { owners } of this.#entries.values()) yield* owners;
  }

  /** How many paths have an owner of this kind. */
  owned(kind: string): number {
    return this.#owned.get(kind) ?? 0;
  }

  paths(collection: string): ReadonlySet<string> {
    return this.#collections.get(collection) ?? new Set();
  }

  /** When the state of this remote was last changed by us. */
  writtenAt(path: string): Millis {
    return this.#entries.get(path)?.writtenAt ?? -Infinity;
  }

  partReadAt(path: string, part: string): Millis | undefined {
    const known = this.#entries.get(path)?.parts?.get(part);
    return known?.isLook === true ? undefined : known?.readAt;
  }

  /** Something is known of it, if only that it is there. */
  isPartKnown(path: string, part: string): boolean {
    return this.#entries.get(path)?.parts?.has(part) === true;
  }

  /** It is there, and what it holds is kept nowhere. */
  isPartHidden(path: string, part: string): boolean {
    const known = this.#entries.get(path)?.parts?.get(part);
    return known !== undefined && known.text === undefined;
  }

  /** Earlier than this it is not there. */
  partNotBefore(path: string, part: string): Millis {
    return this.#entries.get(path)?.parts?.get(part)?.notBefore ?? -Infinity;
  }

  /** True when it had been read. */
  forgetPart(path: string, part: string): boolean {
    return this.#entries.get(path)?.parts?.delete(part) === true;
  }

  /** True when this is the first owner of the path. */
  track(path: string, owner: Owner): boolean {
    const entry = this.#entry(path);
    const first = entry.owners.length === 0;
    const known = entry.owners.find((one) => isSame(one, owner));
    if (known?.collection !== owner.collection || known.wants?.join() !== owner.wants?.join())
      this.#setOwners(entry, [...entry.owners.filter((one) => one !== known), owner]);
    const members = this.#collections.get(owner.collection) ?? new Set();
    this.#collections.set(owner.collection, members.add(path));
    const loose = this.#loose.get(owner.collection)?.get(path);
    if (loose) this.swept(path, loose.text, loose.readAt);
    return first;
  }

  /** The owners that it had, where none is left. */
  untrack(path: string, leaving?: Pick<Owner, 'kind' | 'key'>): readonly Owner[] {
    const owners = this.owners(path);
    const entry = this.#entries.get(path);
    const left = leaving === undefined ? [] : owners.filter((one) => !isSame(one, leaving));
    if (entry !== undefined && left.length > 0) {
      this.#setOwners(entry, left);
      return [];
    }
    if (entry !== undefined) this.#setOwners(entry, []);
    this.#entries.delete(path);
    for (const { collection } of owners) {
      const members = this.#collections.get(collection);
      members?.delete(path);
      if (members?.size === 0) this.#collections.delete(collection);
    }
    return owners;
  }

  /** The answer of our own change, or none: then nothing is known until the next read. */
  written(path: string, row: Row | undefined, requestedAt: Millis, answeredAt: Millis): void {
    const entry = this.#entry(path);
    entry.writtenAt = Math.max(entry.writtenAt, answeredAt);
    entry.text = row === undefined ? undefined : JSON.stringify(row);
    if (row === undefined) entry.parts = undefined;
    entry.readAt = requestedAt;
    entry.source = 'answer';
  }

  /** A read by id. True when something changed that was known before. */
  item(path: string, row: Row, requestedAt: Millis): boolean {
    const entry = this.#entry(path);
    if (requestedAt < entry.writtenAt || requestedAt < entry.readAt) return false;
    return this.#replace(entry, JSON.stringify(row), requestedAt, 'item');
  }

  /** Of a listing; older than what is known when it was requested within the list lag of it, unless it says that it is newer. */
  swept(path: string, text: string, requestedAt: Millis): boolean {
    const entry = this.#entries.get(path);
    if (entry === undefined || !(this.#listCounts(entry, requestedAt) || isNewer(entry, text, requestedAt))) return false;
    return this.#replace(entry, text, requestedAt, 'sweep');
  }

  /** `value` undefined: it is there, and is kept nowhere. */
  part(path: string, name: string, value: unknown, { requestedAt, notBefore = -Infinity, isLook }: PartRead): boolean {
    const entry = this.#entry(path);
    const known = entry.parts?.get(name);
    if (requestedAt < entry.writtenAt || requestedAt < (known?.readAt ?? -Infinity)) return false;
    const text = JSON.stringify(value) as string | undefined;
    entry.parts ??= new Map();
    const changed = known === undefined || known.text !== text;
    entry.parts.set(name, { text: changed ? text : known.text, readAt: requestedAt, notBefore, isLook });
    return changed;
  }

  /** A complete listing lacks it, or a read by id found nothing. True when it was there before. */
  vanished(path: string, requestedAt: Millis, by: 'item' | 'sweep'): boolean {
    const entry = this.#entries.get(path);
    if (entry?.text === undefined) return false;
    const counts = by === 'item' ? requestedAt >= entry.writtenAt : this.#listCounts(entry, requestedAt);
    if (!counts) return false;
    if (entry.owners.length === 0) this.#entries.delete(path);
    entry.text = undefined;
    entry.parts = undefined;
    entry.readAt = requestedAt;
    return true;
  }

  /** What is known is forgotten; its owners stay. Listings requested before `at` plus the lag do not bring it back. */
  invalidate(path: string, at: Millis): void {
    const entry = this.#entries.get(path);
    if (entry) this.written(path, undefined, at, at);
  }

  /** Rows of a collection that nobody owns yet, for owners that are about to come. */
  keepLoose(collection: string, rows: ReadonlyMap<string, string>, readAt: Millis): void {
    this.#loose.set(collection, new Map([...rows].map(([path, text]) => [path, { text, readAt }])));
  }

  dropLoose(collection: string, readAt: Millis): void {
    const [first] = this.#loose.get(collection)?.values() ?? [];
    if (first === undefined || first.readAt <= readAt) this.#loose.delete(collection);
  }

  #setOwners(entry: Entry, owners: readonly Owner[]): void {
    this.#count(entry.owners, -1);
    this.#count(owners, 1);
    entry.owners = owners;
  }
  /** Two owners of one kind are one: they own the same thing. */
  #count(owners: readonly Owner[], by: number): void {
    for (const kind of new Set(owners.map((owner) => owner.kind.kind))) this.#owned.set(kind, this.owned(kind) + by);
  }

  #listCounts(entry: Entry, requestedAt: Millis): boolean {
    const since = Math.max(entry.writtenAt, entry.text !== undefined && entry.source !== 'sweep' ? entry.readAt : -Infinity);
    return requestedAt > since + this.#listLag && requestedAt >= entry.readAt;
  }

  #replace(entry: Entry, text: string, readAt: Millis, source: Source): boolean {
    const changed = entry.text !== text;
    // An equal one stays, or each sweep would make an old generation's garbage of all rows.
    if (changed) entry.text = text;
    entry.readAt = readAt;
    entry.source = source;
    return changed;
  }

  #entry(path: string): Entry {
    const known = this.#entries.get(path);
    if (known) return known;
    const made: Entry = { owners: [], parts: undefined, text: undefined, readAt: -Infinity, source: 'sweep', writtenAt: -Infinity };
    this.#entries.set(path, made);
    return made;
  }
}
