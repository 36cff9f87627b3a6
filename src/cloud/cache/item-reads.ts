import type { CallOptions, CachedRemote } from '../../engine/ports/index.ts';
import { CloudError } from '../../engine/ports/index.ts';
import type { Clock, Millis } from '../../lib/clock.ts';
import { type AnyKind, collectionOfItem, get, isReadFromList, itemOf, type Row } from '../../resource/index.ts';
import type { Sender } from '../requests/sender.ts';
import type { RowStore } from './row-store.ts';
import type { SharedLists } from './shared-lists.ts';

export interface ItemReadsOptions {
  readonly clock: Clock;
  readonly sender: Pick<Sender, 'permit'>;
  readonly lists: Pick<SharedLists, 'list'>;
  readonly rows: RowStore;
  readonly signal: AbortSignal;
  readonly visited: (path: string) => void;
}

/** Reads one remote: by its id, or as a row of its listing. */
export class ItemReads {
  readonly #options: ItemReadsOptions;

  constructor(options: ItemReadsOptions) {
    this.#options = options;
  }

  /** Undefined: it is not there. */
  read(path: string, kind: AnyKind, how: CallOptions): Promise<CachedRemote | undefined> {
    return isReadFromList(kind) ? this.#readFromList(path, kind, how) : this.#readItem(path, kind, how);
  }

  /** For who asks alone. */
  async look(path: string, how: CallOptions): Promise<Row | undefined> {
    const permit = await this.#options.sender.permit(get(path), how);
    try {
      return (await permit.send(() => undefined)).body as Row;
    } catch (error) {
      if (!(error instanceof CloudError) || error.fault !== 'NotFound') throw error;
      return undefined;
    }
  }

  async #readItem(path: string, kind: AnyKind, { lane, tenant }: CallOptions): Promise<CachedRemote | undefined> {
    const { sender, rows, visited, signal, clock } = this.#options;
    const permit = await sender.permit(get(path), { lane, tenant, caller: kind.kind, signal });
    const requestedAt = clock.monotonic();
    try {
      const reply = await permit.send(() => undefined);
      visited(path);
      const remote = reply.body as Row;
      rows.item(path, remote, reply.requestedAt);
      // Requested before our last change, it is not kept; that it is there is true all the same.
      return rows.get(path) ?? { remote, readAt: reply.requestedAt, source: 'item' };
    } catch (error) {
      return this.#absent(error, path, requestedAt);
    }
  }

  #absent(error: unknown, path: string, requestedAt: Millis): undefined {
    if (!(error instanceof CloudError) || error.fault !== 'NotFound') throw error;
    this.#options.rows.vanished(path, requestedAt, 'item');
  }

  /** Its row in a listing that was requested since; what a listing tells counts less than our own last answer (README: How the cache stays fresh). */
  async #readFromList(path: string, kind: AnyKind, { lane, tenant }: CallOptions): Promise<CachedRemote | undefined> {
    const { lists, rows, clock, signal } = this.#options;
    const collection = collectionOfItem(kind, path);
    const notBefore = clock.monotonic();
    const listing = await lists
      .list(collection, { lane, tenant, caller: kind.kind, signal, notBefore })
      .catch((error: unknown) => this.#absent(kind.parent === undefined ? sayingNothing(error, collection) : error, path, notBefore));
    if (listing === undefined) return undefined;
    const row = listing.rows.find((one) => itemOf(kind, one, collection) === path);
    if (row !== undefined) rows.swept(path, JSON.stringify(row), listing.requestedAt);
    else if (listing.complete) return this.#unlisted(path, kind, { lane, tenant, caller: kind.kind, signal }, listing.requestedAt);
    else throw new CloudError('Unavailable', `GET ${collection}: the list changed while it was read, so what it lacks proves nothing`);
    return rows.get(path) ?? { remote: row, readAt: listing.requestedAt, source: 'sweep' };
  }

  /** A listing may lag for longer than anybody knows of; what is shown by its id is there. */
  async #unlisted(path: string, { sweep }: AnyKind, how: CallOptions, listedAt: Millis): Promise<CachedRemote | undefined> {
    const { rows, clock } = this.#options;
    const readAt = clock.monotonic();
    const isAsked = sweep?.by === 'list' && sweep.itemFromList === 'orById';
    const remote = isAsked ? await this.look(path, how).catch(unknownMethod) : undefined;
    if (remote === undefined) rows.vanished(path, listedAt, 'sweep');
    else rows.item(path, remote, readAt);
    return rows.get(path) ?? (remote && { remote, readAt, source: 'item' });
  }
}

/** The list of a parent goes with it; one that is the account's own is always there, so that its 404 tells nothing of what is in it. */
const sayingNothing = (error: unknown, collection: string): unknown =>
  error instanceof CloudError && error.fault === 'NotFound'
    ? new CloudError('Unavailable', `GET ${collection}: 404, which says nothing of what is in it`, { cause: error })
    : error;

/** The service may have no read of one; then its listing is all that is known. */
function unknownMethod(error: unknown): undefined {
  if (!(error instanceof CloudError) || error.status !== 405) throw error;
}
