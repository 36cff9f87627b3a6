import type { How, Mirror, Owner, Reply, Seen } from '../engine/ports.ts';
import { CloudError } from '../engine/ports.ts';
import type { Clock, Millis } from '../lib/clock.ts';
import type { AnyKind, Row } from '../resource/index.ts';
import { get } from '../resource/index.ts';
import type { Expectations } from './expectations.ts';
import type { Journal } from './journal.ts';
import type { Lists } from './list.ts';
import { unlessAborted } from './list.ts';
import type { OwnedPaths } from './owned-paths.ts';
import { partPlace, Parts } from './parts.ts';
import type { Round, Rounds } from './rounds.ts';
import type { RowStore } from './row-store.ts';
import type { Sender } from './sender.ts';
import type { Sweeper } from './sweep.ts';
import { tenantOfSweeps } from './sweep.ts';

export interface MirrorOptions {
  readonly clock: Clock;
  readonly sender: Pick<Sender, 'permit' | 'isCrowded'>;
  readonly lists: Pick<Lists, 'list'>;
  readonly rows: RowStore;
  readonly owned: OwnedPaths;
  readonly sweeper: Sweeper;
  readonly rounds: Rounds;
  readonly journal: Journal;
  readonly expectations: Expectations;
  readonly signal: AbortSignal;
  /** A kind has an object in this account. */
  readonly used: (kind: AnyKind) => void;
  readonly wake: Tell;
  /** A round showed that something of theirs changed. */
  readonly changed: Tell;
}

type Tell = (owners: Iterable<Owner>) => void;

interface Reading {
  readonly startedAt: Millis;
  readonly done: Promise<Seen | undefined>;
}

/** The account's objects as last seen, kept fresh by answers, reads by id, sweeps and rounds. */
export class AccountMirror implements Mirror {
  readonly #options: MirrorOptions;
  readonly #reading = new Map<string, Reading>();
  readonly #parts: Parts;

  constructor(options: MirrorOptions) {
    this.#options = options;
    this.#parts = new Parts({ ...options, readItem: (path, how) => this.read(path, how) });
  }

  seen(path: string): Seen | undefined {
    return this.#options.rows.seen(path);
  }

  sweptAt(collection: string): Millis | undefined {
    return this.#options.sweeper.sweptAt(collection);
  }

  own(path: string, owner: Owner): void {
    const { rows, rounds, sweeper, owned } = this.#options;
    const first = rows.own(path, owner);
    owned.add(path, owner.collection);
    if (!first) return;
    const { kind, collection } = owner;
    this.#options.used(kind);
    if (kind.sweep.by !== 'item') sweeper.add(owner);
    const round = (usual: Round): Round => (kind.mode === 'connection' ? 'account' : usual);
    if (kind.sweep.by === 'item') rounds.add(round('drift'), itemPlace(path), () => this.refresh(path, this.#options.changed));
    if (kind.sweep.by === 'parent')
      rounds.add('drift', listPlace(collection), () => sweeper.sweep(collection), sweeper.sweptAt(collection));
    for (const [name, part] of Object.entries(kind.parts ?? {})) {
      rounds.add(
        round(part.for),
        partPlace(path, name),
        () => this.refreshPart(path, name, this.#options.changed),
        rows.partReadAt(path, name),
      );
    }
  }

  disown(path: string): void {
    const { rows, rounds, sweeper, owned, expectations } = this.#options;
    const owners = rows.disown(path);
    expectations.end(path);
    rounds.remove(itemPlace(path));
    for (const { kind, collection } of owners) {
      for (const name of Object.keys(kind.parts ?? {})) rounds.remove(partPlace(path, name));
      if (rows.paths(collection).size > 0) continue;
      owned.remove(collection);
      sweeper.remove(collection);
      rounds.remove(listPlace(collection));
    }
    owned.forget(path);
  }

  uses(kind: AnyKind): void {
    this.#options.used(kind);
  }

  wanted(owner: Owner): void {
    this.#options.used(owner.kind);
    this.#options.sweeper.wanted(owner);
  }

  note(path: string, row: Row, reply: Reply): void {
    this.#options.rows.written(path, row, reply.requestedAt, reply.answeredAt);
  }

  changed(path: string, reply: Reply): void {
    this.#options.rows.written(path, undefined, reply.requestedAt, reply.answeredAt);
  }

  drop(path: string): void {
    this.#options.rows.drop(path, this.#options.clock.monotonic());
  }

  async read(path: string, how: How): Promise<Seen | undefined> {
    const known = this.#reading.get(path);
    if (known && known.startedAt > this.#options.rows.writtenAt(path)) return unlessAborted(known.done, how.intake ?? how.signal);
    const done = this.#readItem(path, how);
    const reading: Reading = { startedAt: this.#options.clock.monotonic(), done };
    this.#reading.set(path, reading);
    const end = (): void => {
      if (this.#reading.get(path) === reading) this.#reading.delete(path);
    };
    done.then(end, end);
    return unlessAborted(done, how.intake ?? how.signal);
  }

  async readPart(path: string, name: string, how: How): Promise<void> {
    await this.#parts.read(path, name, how);
  }

  readNewParts(path: string, how: How, within: Millis): Promise<void> {
    return this.#parts.readNew(path, how, within);
  }

  expect(path: string, limit: Millis): void {
    this.#options.expectations.expect(path, limit);
  }

  jobs(path: string): ReturnType<Mirror['jobs']> {
    return this.#options.journal.jobs(path);
  }

  actor(path: string): ReturnType<Mirror['actor']> {
    return this.#options.journal.actor(path);
  }

  deletedByEvent(path: string): boolean {
    return this.#options.journal.wasDeleted(path);
  }

  creator(path: string): string | undefined {
    return this.#options.journal.creator(path);
  }

  /** Reads an item for nobody in particular; its owners are told when it changed, or whatever it shows (`always`). */
  async refresh(path: string, tell: Tell, always = false): Promise<number> {
    const { rows } = this.#options;
    const before = rows.fingerprint(path);
    await this.read(path, this.#background());
    if (always || rows.fingerprint(path) !== before) tell(rows.owners(path));
    return 1;
  }

  /** Reads a part again; resolves with the requests that it took. */
  async refreshPart(path: string, name: string, tell: Tell): Promise<number> {
    const { rows } = this.#options;
    if (rows.seen(path) === undefined) return 0;
    const { changed, calls } = await this.#parts.read(path, name, this.#background());
    if (changed) tell(rows.owners(path));
    return calls;
  }

  /** The parts that are compared, where they were read before. */
  driftParts(path: string): readonly string[] {
    const { rows } = this.#options;
    const parts = rows.owners(path).flatMap(({ kind }) => Object.entries(kind.parts ?? {}));
    return parts.flatMap(([name, part]) => (part.for === 'drift' && rows.partReadAt(path, name) !== undefined ? [name] : []));
  }

  #background(): How {
    return { lane: 'wait', tenant: tenantOfSweeps, signal: this.#options.signal };
  }

  async #readItem(path: string, { lane, tenant }: How): Promise<Seen | undefined> {
    const { sender, rows, rounds, signal, clock } = this.#options;
    const permit = await sender.permit(get(path), { lane, tenant, signal });
    const requestedAt = clock.monotonic();
    try {
      const reply = await permit.send(() => undefined);
      rounds.visited(itemPlace(path));
      const remote = reply.body as Row;
      rows.item(path, remote, reply.requestedAt);
      // Requested before our last change, it is not kept; that it is there is true all the same.
      return rows.seen(path) ?? { remote, readAt: reply.requestedAt, source: 'item' };
    } catch (error) {
      if (!(error instanceof CloudError) || error.fault !== 'NotFound') throw error;
      rows.vanished(path, requestedAt, 'item');
      return undefined;
    }
  }
}

const itemPlace = (path: string): string => `item ${path}`;
export const listPlace = (collection: string): string => `list ${collection}`;
