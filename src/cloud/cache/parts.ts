import type { CallOptions, Owner, CachedRemote } from '../../engine/ports/index.ts';
import { CloudError } from '../../engine/ports/index.ts';
import type { Clock, Millis } from '../../lib/clock.ts';
import type { AnyKind, Part, Row } from '../../resource/index.ts';
import { get } from '../../resource/index.ts';
import type { SharedLists } from './shared-lists.ts';
import type { RoundRobin } from './round-robin.ts';
import type { RowStore } from './row-store.ts';
import type { Sender } from '../requests/sender.ts';

export interface PartsOptions {
  readonly clock: Clock;
  readonly sender: Pick<Sender, 'permit' | 'isCrowded'>;
  readonly lists: Pick<SharedLists, 'list'>;
  readonly rows: RowStore;
  readonly roundRobin: RoundRobin;
  readonly wake: (owners: Iterable<Owner>) => void;
  readonly readItem: (path: string, kind: AnyKind, how: CallOptions) => Promise<CachedRemote | undefined>;
}

interface Answer {
  readonly value: unknown;
  readonly requestedAt: Millis;
  readonly calls: number;
}

export const partPlace = (path: string, name: string): string => `part ${path} ${name}`;

/** Reads what an item has below it and its kind wants beside it. */
export class Parts {
  readonly #options: PartsOptions;

  constructor(options: PartsOptions) {
    this.#options = options;
  }

  async read(path: string, name: string, how: CallOptions): Promise<{ changed: boolean; calls: number }> {
    const { rows, roundRobin, readItem } = this.#options;
    const { part, kind } = this.#part(path, name);
    // From here on: the rounds must not read it a second time meanwhile.
    roundRobin.visited(partPlace(path, name));
    const seen = rows.get(path) ?? (await readItem(path, kind, how));
    if (seen === undefined) throw new CloudError('NotFound', `GET ${path}: gone, so ${name} cannot be read`);
    const at = part.path(path, seen.remote);
    const { value, requestedAt, calls } = part.paged ? await this.#page(at, how, rows.writtenAt(path)) : await this.#record(at, how);
    roundRobin.visited(partPlace(path, name));
    return { changed: rows.part(path, name, value, requestedAt), calls };
  }

  async readNew(path: string, how: CallOptions, within: Millis): Promise<void> {
    const { rows, clock, wake } = this.#options;
    const all = rows.owners(path).flatMap(({ kind }) => Object.keys(kind.parts ?? {}));
    const names = [...new Set(all)].filter((name) => rows.partReadAt(path, name) === undefined && !this.#isCrowded(path, name));
    if (names.length === 0) return;
    let late = false;
    const reads = names.map(async (name) => {
      const { changed } = await this.read(path, name, how).catch(() => ({ changed: false }));
      if (changed && late) wake(rows.owners(path));
    });
    const over = Promise.withResolvers<void>();
    const timer = clock.after(within, over.resolve);
    await Promise.race([Promise.all(reads), over.promise]);
    timer.cancel();
    late = true;
  }

  /** Others wait for the window that this part is read in. */
  #isCrowded(path: string, name: string): boolean {
    const { rows, sender } = this.#options;
    const seen = rows.get(path);
    if (seen === undefined) return true;
    const { part } = this.#part(path, name);
    return sender.isCrowded(get(`${part.path(path, seen.remote)}${part.paged ? '?page=1' : ''}`));
  }

  kindOf(path: string, name: string): AnyKind {
    return this.#part(path, name).kind;
  }

  #part(path: string, name: string): { readonly part: Part<Row>; readonly kind: AnyKind } {
    for (const { kind } of this.#options.rows.owners(path)) {
      const part = kind.parts?.[name];
      if (part) return { part, kind };
    }
    throw new CloudError('Abandoned', `nobody owns ${path}, so nobody says where its ${name} are read`);
  }

  /** A listing that was requested in the very instant of our change may be older than it. */
  async #page(at: string, how: CallOptions, writtenAt: Millis): Promise<Answer> {
    const notBefore = Math.max(this.#options.clock.monotonic(), writtenAt + Number.EPSILON * Math.max(1, writtenAt));
    const { rows, complete, requestedAt, calls } = await this.#options.lists.list(at, { ...how, notBefore });
    // What it lacks would be taken for what is not there.
    if (!complete) throw new CloudError('Malformed', `GET ${at}: the list cannot be read whole; it is tried again`);
    return { value: rows, requestedAt, calls };
  }

  async #record(path: string, how: CallOptions): Promise<Answer> {
    const permit = await this.#options.sender.permit(get(path), how);
    const { body, requestedAt } = await permit.send(() => undefined);
    return { value: body, requestedAt, calls: 1 };
  }
}
