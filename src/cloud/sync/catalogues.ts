import { type CallOptions, CloudError, type Fault } from '../../engine/ports/index.ts';
import type { Clock, Millis, Timer } from '../../lib/clock.ts';
import { type AnyKind, get, type Row, segment } from '../../resource/index.ts';
import type { Log } from '../../telemetry/log.ts';
import { unlessAborted } from '../cache/shared-lists.ts';
import { pageOf } from '../http/pages.ts';
import { inBackground } from '../requests/background.ts';
import type { Sender } from '../requests/sender.ts';

export interface CataloguesOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly sender: Pick<Sender, 'send'>;
  readonly signal: AbortSignal;
  readonly kinds: readonly AnyKind[];
}

const every: Millis = 3_600_000;
/** What was not there when it was asked for by its id is not asked for again for so long. */
const believed: Millis = 600_000;
const remembered = 1000;
/** Not there, or not readable as one: then the list is all that is known. */
const refusals: ReadonlySet<Fault> = new Set(['NotFound', 'Rejected', 'Forbidden', 'Malformed']);

/** What the service offers, as far as fields of the kinds are looked up in it. Read every hour. */
export class Catalogues {
  readonly #options: CataloguesOptions;
  readonly #paths: ReadonlySet<string>;
  readonly #rows: Record<string, readonly Row[]> = {};
  /** Paths of items that are not there, and until when that is believed. */
  readonly #absent = new Map<string, Millis>();
  readonly #looked: ReadonlyMap<string, PromiseWithResolvers<void>>;
  readonly #asking = new Map<string, Promise<boolean>>();
  #timer: Timer | undefined;

  constructor(options: CataloguesOptions) {
    this.#options = options;
    const rules = options.kinds.flatMap(({ fields }) => Object.values(fields));
    this.#paths = new Set(rules.flatMap(({ catalogue }) => catalogue?.path ?? []));
    this.#looked = new Map([...this.#paths].map((path) => [path, Promise.withResolvers()]));
  }

  /** Undefined until it was read; empty where one page does not hold it. */
  get(path: string): readonly Row[] | undefined {
    return this.#rows[path];
  }

  /** Resolves after the first look at it, whatever came of that; at once where no field is looked up there. */
  read(path: string): Promise<void> {
    return this.#looked.get(path)?.promise ?? Promise.resolve();
  }

  /** Resolves with whether the service has it; true also where it is listed by now. Rejects as every read does. */
  async offers(path: string, id: string, how: CallOptions): Promise<boolean> {
    if (this.get(path)?.some((row) => String(row['id']) === id) === true) return true;
    const item = `${path}/${segment(id)}`;
    if ((this.#absent.get(item) ?? -Infinity) > this.#options.clock.monotonic()) return false;
    const asked = this.#asking.get(item) ?? this.#ask(path, id).finally(() => this.#asking.delete(item));
    this.#asking.set(item, asked);
    return unlessAborted(asked, how.intake ?? how.signal);
  }

  async #ask(path: string, id: string): Promise<boolean> {
    const item = `${path}/${segment(id)}`;
    const row = await this.#item(item);
    const known = this.get(path) ?? [];
    if (row !== undefined && String(row['id']) === id) {
      // A list that is not known whole stays so.
      if (known.length > 0) this.#rows[path] = [...known, row];
      return true;
    }
    if (this.#absent.size >= remembered) this.#absent.clear();
    this.#absent.set(item, this.#options.clock.monotonic() + believed);
    return false;
  }

  async #item(item: string): Promise<Row | undefined> {
    const { sender, signal } = this.#options;
    try {
      return (await sender.send(get(item), inBackground('wait', signal))).body as Row;
    } catch (error) {
      if (error instanceof CloudError && refusals.has(error.fault)) return undefined;
      throw error;
    }
  }

  start(): void {
    void this.#readAll();
    this.#again();
  }

  close(): void {
    this.#timer?.cancel();
  }

  #again(): void {
    const { clock, signal } = this.#options;
    if (signal.aborted) return;
    this.#timer = clock.after(every, () => {
      this.#again();
      void this.#readAll();
    });
  }

  async #readAll(): Promise<void> {
    for (const path of this.#paths) {
      const rows = await this.#page(path);
      if (rows) this.#rows[path] = rows;
      this.#looked.get(path)?.resolve();
    }
  }

  /** What cannot be read keeps its last value; a scope may be missing. */
  async #page(path: string): Promise<readonly Row[] | undefined> {
    const { sender, signal, log } = this.#options;
    const request = get(`${path}?page=1&page_size=500`);
    try {
      const { data, pages } = pageOf(await sender.send(request, inBackground('sweep', signal)), path);
      return pages > 1 ? [] : data;
    } catch (error) {
      log.debug('a catalogue could not be read', { path: request.path, error: String(error) });
      return undefined;
    }
  }
}
