import type { CallOptions, RemoteCache, Owner, Reply, CachedRemote } from '../../engine/ports/index.ts';
import type { Clock, Millis } from '../../lib/clock.ts';
import { type AnyKind, isListed, isListedBelow, type Mode, type Row } from '../../resource/index.ts';
import type { AwaitedRemotes } from '../events/awaited.ts';
import type { EventLog } from '../events/event-log.ts';
import type { SharedLists } from './shared-lists.ts';
import { unlessAborted } from './shared-lists.ts';
import { ItemReads } from './item-reads.ts';
import type { OwnedPaths } from './owned-paths.ts';
import { isPartWanted, partPlace, Parts } from './parts.ts';
import { itemPlace, listPlace, placeFor, type Round, type RoundRobin } from './round-robin.ts';
import type { RowStore } from './row-store.ts';
import type { Sender } from '../requests/sender.ts';
import type { Sweeper } from './sweeper.ts';
import { inBackground } from '../requests/background.ts';

export interface CacheOptions {
  readonly clock: Clock;
  readonly sender: Pick<Sender, 'permit' | 'isCrowded'>;
  readonly lists: Pick<SharedLists, 'list'>;
  readonly rows: RowStore;
  readonly owned: OwnedPaths;
  readonly sweeper: Sweeper;
  readonly roundRobin: RoundRobin;
  readonly eventLog: EventLog;
  readonly awaited: AwaitedRemotes;
  readonly signal: AbortSignal;
  readonly scopes: () => readonly string[];
  /** A kind has an object in this account. */
  readonly used: (kind: AnyKind) => void;
  readonly wake: Tell;
  /** A sweep or a round found that a remote of theirs has changed in what may be corrected. */
  readonly changed: Tell;
}

type Tell = (owners: Iterable<Owner>) => void;

interface Reading {
  readonly startedAt: Millis;
  readonly done: Promise<CachedRemote | undefined>;
}

/** The account's objects as last seen, kept fresh by answers, reads by id, sweeps and rounds. */
export class AccountCache implements RemoteCache {
  readonly #options: CacheOptions;
  readonly #reading = new Map<string, Reading>();
  readonly #items: ItemReads;
  readonly #parts: Parts;

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#items = new ItemReads({ ...options, visited: (path) => options.roundRobin.visited(itemPlace(path)) });
    this.#parts = new Parts({ ...options, readItem: (path, kind, how) => this.read(path, kind, how) });
  }

  get(path: string): CachedRemote | undefined {
    return this.#options.rows.get(path);
  }

  shown(path: string, collection: string): CachedRemote | undefined {
    return this.#options.rows.shown(path, collection);
  }

  sweptAt(collection: string): Millis | undefined {
    return this.#options.sweeper.sweptAt(collection);
  }

  track(path: string, owner: Owner): void {
    const first = this.#options.rows.track(path, owner);
    this.#options.owned.add(path, owner.collection);
    // The item itself comes first: its parts are read only where it is there.
    if (first) this.#visit(path, owner);
    this.#visitParts(path, owner, first);
  }

  #visit(path: string, owner: Owner): void {
    const { kind, collection, key } = owner;
    const { roundRobin, sweeper, used, changed } = this.#options;
    used(kind);
    if (isListed(kind)) sweeper.add(owner);
    else roundRobin.add(roundOf[kind.mode]('drift'), placeFor(itemPlace(path), key), () => this.refresh(path, changed));
    const list = placeFor(listPlace(collection), key);
    if (isListedBelow(kind)) roundRobin.add('drift', list, () => sweeper.sweep(collection), sweeper.sweptAt(collection));
  }

  /** An owner may come to want one, or no longer. */
  #visitParts(path: string, { kind: { mode, parts = {} }, key }: Owner, first: boolean): void {
    const { rows, roundRobin, changed, wake } = this.#options;
    for (const [name, part] of Object.entries(parts)) {
      if (part.secret !== undefined || part.for === 'before' || (!first && part.ifWanted !== true)) continue;
      const tell = part.for === 'drift' ? changed : wake;
      const [place, visit] = [partPlace(path, name), () => this.refreshPart(path, name, tell)];
      if (!isPartWanted(rows.owners(path), name)) roundRobin.remove(place);
      else roundRobin.add(roundOf[mode](part.for), placeFor(place, key), visit, rows.partReadAt(path, name));
    }
  }

  untrack(path: string, leaving?: Pick<Owner, 'kind' | 'key'>): void {
    const { rows, roundRobin, sweeper, owned, awaited } = this.#options;
    const owners = rows.untrack(path, leaving);
    if (rows.owners(path).length > 0) return;
    awaited.end(path);
    roundRobin.remove(itemPlace(path));
    for (const { kind, collection } of owners) {
      const parts = Object.keys(kind.parts ?? {});
      for (const name of parts) roundRobin.remove(partPlace(path, name));
      this.#parts.forget(path, parts);
      if (rows.paths(collection).size > 0) continue;
      owned.remove(collection);
      sweeper.remove(collection);
      roundRobin.remove(listPlace(collection));
    }
    owned.forget(path);
  }

  owners(): Iterable<Owner> {
    return this.#options.rows.allOwners();
  }

  uses(kind: AnyKind): void {
    this.#options.used(kind);
  }

  requestSweep(owner: Owner): void {
    this.#options.used(owner.kind);
    this.#options.sweeper.requestFor(owner);
  }

  sweepSoon(): void {
    this.#options.sweeper.requestAll('timed');
  }

  put(path: string, row: Row, reply: Reply): void {
    this.#options.rows.written(path, row, reply.requestedAt, reply.answeredAt);
  }

  written(path: string, reply: Reply): void {
    this.#options.rows.written(path, undefined, reply.requestedAt, reply.answeredAt);
  }

  invalidate(path: string): void {
    this.#options.rows.invalidate(path, this.#options.clock.monotonic());
  }

  async read(path: string, kind: AnyKind, how: CallOptions): Promise<CachedRemote | undefined> {
    const known = this.#reading.get(path);
    if (known && known.startedAt > this.#options.rows.writtenAt(path)) return unlessAborted(known.done, how.intake ?? how.signal);
    const done = this.#items.read(path, kind, how);
    const reading: Reading = { startedAt: this.#options.clock.monotonic(), done };
    this.#reading.set(path, reading);
    const end = (): void => {
      if (this.#reading.get(path) === reading) this.#reading.delete(path);
    };
    done.then(end, end);
    return unlessAborted(done, how.intake ?? how.signal);
  }

  async readPart(path: string, name: string, how: CallOptions): Promise<void> {
    await this.#parts.read(path, name, how);
  }

  async readSecretPart(path: string, name: string, how: CallOptions): Promise<unknown> {
    return (await this.#parts.read(path, name, how)).value;
  }

  readonly renewed: RemoteCache['renewed'] = (path) => this.forgetSecretParts(path, this.#options.wake);

  look(path: string, how: CallOptions): Promise<Row | undefined> {
    return this.#items.look(path, how);
  }

  rereadParts(path: string, how: CallOptions, age: Millis): Promise<boolean> {
    return this.#parts.reread(path, how, age);
  }

  readonly partReadAt: RemoteCache['partReadAt'] = (path, name) => this.#options.rows.partReadAt(path, name);
  readonly writtenAt: RemoteCache['writtenAt'] = (path) => this.#options.rows.writtenAt(path);

  readNewParts(path: string, how: CallOptions, within: Millis): Promise<void> {
    return this.#parts.readNew(path, how, within);
  }

  readonly expect: RemoteCache['expect'] = (path, limit) => this.#options.awaited.expect(path, limit);
  readonly jobs: RemoteCache['jobs'] = (path) => this.#options.eventLog.jobs(path);
  readonly followed: RemoteCache['followed'] = (path) => this.#options.eventLog.followed(path);
  readonly lastNamed: RemoteCache['lastNamed'] = (path, actions) => this.#options.eventLog.lastNamed(path, actions);
  readonly lastJob: RemoteCache['lastJob'] = (path, job, madeAt) => this.#options.eventLog.lastJob(path, job, madeAt);
  readonly isOvertaken: RemoteCache['isOvertaken'] = (path, job, at) => this.#options.eventLog.isOvertaken(path, job, at);
  readonly lastEnd: RemoteCache['lastEnd'] = (path, actions) => this.#options.eventLog.lastEnd(path, actions);
  readonly actor: RemoteCache['actor'] = (path) => this.#options.eventLog.actor(path);
  readonly deletedByEvent: RemoteCache['deletedByEvent'] = (path) => this.#options.eventLog.wasDeleted(path);
  readonly birth: RemoteCache['birth'] = (path) => this.#options.eventLog.birth(path);
  readonly creators: RemoteCache['creators'] = (path, madeAt) => this.#options.eventLog.creators(path, madeAt);

  readonly eventsReadAt: RemoteCache['eventsReadAt'] = () => this.#options.eventLog.readAt;
  readonly eventsFailing: RemoteCache['eventsFailing'] = () => this.#options.eventLog.failing;

  /** Reads an item for nobody in particular; its owners are told when it changed, or whatever it shows (`always`). */
  async refresh(path: string, tell: Tell, always = false): Promise<number> {
    const { rows } = this.#options;
    const before = rows.fingerprint(path);
    const [owner] = rows.owners(path);
    if (owner === undefined) return 0;
    await this.read(path, owner.kind, this.#background(owner.kind));
    if (always || rows.fingerprint(path) !== before) tell(rows.owners(path));
    return 1;
  }

  /** Reads a part again; resolves with the requests that it took. */
  async refreshPart(path: string, name: string, tell: Tell): Promise<number> {
    const { rows } = this.#options;
    if (rows.get(path) === undefined) return 0;
    const { changed, calls } = await this.#parts.read(path, name, this.#background(this.#parts.kindOf(path, name)));
    if (changed) tell(rows.owners(path));
    return calls;
  }

  /** An event tells of the item: what its secret parts hold may be another, and its owners are told where that was read. */
  forgetSecretParts(path: string, tell: Tell): void {
    if (this.#parts.forgetSecrets(path)) tell(this.#options.rows.owners(path));
  }

  /** The parts that are compared, where they were read before. */
  driftParts(path: string): readonly string[] {
    const { rows } = this.#options;
    const owners = rows.owners(path);
    const isRead = (name: string): boolean => rows.partReadAt(path, name) !== undefined && isPartWanted(owners, name);
    const parts = owners.flatMap(({ kind }) => Object.entries(kind.parts ?? {}));
    return parts.flatMap(([name, part]) => (part.for === 'drift' && isRead(name) ? [name] : []));
  }

  /** They are read again before anything else that the rounds read. */
  driftPartsDue(path: string): void {
    for (const name of this.driftParts(path)) this.#options.roundRobin.due(partPlace(path, name));
  }

  #background(kind: AnyKind): CallOptions {
    return inBackground('wait', this.#options.signal, kind.kind);
  }
}

const roundOf: Readonly<Record<Mode, (usual: Round) => Round>> = {
  collection: (usual) => usual,
  singleton: (usual) => usual,
  connection: () => 'account',
  issued: (usual) => usual,
  operation: (usual) => usual,
};
