import type { CallOptions, Owner, CachedRemote } from '../../engine/ports/index.ts';
import { CloudError } from '../../engine/ports/index.ts';
import type { Clock, Millis } from '../../lib/clock.ts';
import { type AnyKind, get, hasPart, holdsScope, type Part, type Row } from '../../resource/index.ts';
import { NamedInParts } from './named-in-parts.ts';
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
  /** Of the token that is in use. */
  readonly scopes: () => readonly string[];
  readonly wake: (owners: Iterable<Owner>) => void;
  readonly readItem: (path: string, kind: AnyKind, how: CallOptions) => Promise<CachedRemote | undefined>;
}

/** Of a part that is read only where something is compared with it: whether anybody does. */
export const isPartWanted = (owners: readonly Owner[], name: string): boolean =>
  owners.some(({ kind, wants = [] }) => kind.parts?.[name]?.ifWanted !== true || wants.includes(name));

interface Answer {
  readonly value: unknown;
  readonly requestedAt: Millis;
  readonly calls: number;
  /** What is not there yet need not be asked for before. */
  readonly notBefore?: Millis;
}
interface Taken {
  readonly value: unknown;
  readonly changed: boolean;
  readonly calls: number;
}
type AnyPart = Part<Row>;

/** A service that says in an hour may be wrong, and somebody waits. */
const notYetAtMost: Millis = 120_000;
const stillFails: Millis = 1000;
const nothing: Taken = { value: undefined, changed: false, calls: 0 };

export const partPlace = (path: string, name: string): string => `part ${path} ${name}`;

/** Reads what an item has below it and its kind wants beside it. */
export class Parts {
  readonly #options: PartsOptions;
  readonly #named = new NamedInParts();
  /** By place, the read that failed last. */
  readonly #failed = new Map<string, { readonly at: Millis; readonly error: unknown }>();

  constructor(options: PartsOptions) {
    this.#options = options;
  }

  /** `value`: what was read; of a secret part nothing else has it. `isLook`: that it is there is all that is asked of a secret one. */
  async read(path: string, name: string, how: CallOptions, isLook = false): Promise<Taken> {
    const { rows, roundRobin, readItem, clock } = this.#options;
    const { part, kind } = this.#part(path, name);
    // From here on: the rounds must not read it a second time meanwhile.
    roundRobin.visited(partPlace(path, name));
    const seen = rows.get(path) ?? (await readItem(path, kind, how));
    if (seen === undefined) throw new CloudError('NotFound', `GET ${path}: gone, so ${name} cannot be read`);
    if (!hasPart(kind, seen.remote, name)) return nothing;
    if (rows.partNotBefore(path, name) > clock.monotonic()) return { ...nothing, value: null };
    const at = part.path(path, seen.remote);
    this.#mayRead(part, at);
    const { value, requestedAt, calls, notBefore } = await this.#once(partPlace(path, name), () =>
      this.#answer(part, at, how, rows.writtenAt(path)),
    );
    roundRobin.visited(partPlace(path, name));
    const kept = keptOf(part, at, value);
    const changed = rows.part(path, name, kept, { requestedAt, notBefore, isLook: isLook && kept === undefined });
    if (changed) this.#readNamed(path, name, kept);
    // What is there only while this says so need not wait for its round.
    const appeared = changed ? this.#names(path, ({ when }) => when !== undefined).filter((one) => !rows.isPartKnown(path, one)) : [];
    for (const one of appeared) roundRobin.due(partPlace(path, one));
    return { value, calls, changed };
  }

  /** Two of one reconcile want it, and the second would hear what the first has just heard. */
  async #once(place: string, answer: () => Promise<Answer>): Promise<Answer> {
    const { clock } = this.#options;
    const last = this.#failed.get(place);
    if (last !== undefined && clock.monotonic() - last.at < stillFails) throw last.error;
    this.#failed.delete(place);
    try {
      return await answer();
    } catch (error) {
      this.#failed.set(place, { at: clock.monotonic(), error });
      throw error;
    }
  }

  /** What came into the part, or left it. */
  #readNamed(path: string, name: string, value: unknown): void {
    // After a start everything is read anyway.
    const whole = this.#options.rows.writtenAt(path) > -Infinity;
    this.#readAgain(this.#named.read(partPlace(path, name), value, whole));
  }

  /** Nobody owns the item any more. */
  forget(path: string, names: readonly string[]): void {
    for (const name of names) {
      this.#failed.delete(partPlace(path, name));
      this.#readAgain(this.#named.forget(partPlace(path, name)));
    }
  }

  /** What is only shown of these, because it may have changed. */
  #readAgain(paths: readonly string[]): void {
    for (const path of paths) {
      for (const { kind } of this.#options.rows.owners(path)) {
        const shown = Object.entries(kind.parts ?? {}).filter(([, part]) => part.for === 'status');
        for (const [name] of shown) this.#options.roundRobin.due(partPlace(path, name));
      }
    }
  }

  async readNew(path: string, how: CallOptions, within: Millis): Promise<void> {
    const { rows, clock, wake } = this.#options;
    const isNew = (name: string): boolean =>
      !rows.isPartKnown(path, name) && isPartWanted(rows.owners(path), name) && !this.#isCrowded(path, name);
    const names = this.#names(
      path,
      (part) => part.for !== 'before' && (part.secret === undefined || part.rereadWhileProgressing === true),
    ).filter(isNew);
    if (names.length === 0) return;
    let late = false;
    const reads = names.map(async (name) => {
      const { changed } = await this.#look(path, name, how);
      if (changed && late) wake(rows.owners(path));
    });
    const over = Promise.withResolvers<void>();
    const timer = clock.after(within, over.resolve);
    await Promise.race([Promise.all(reads), over.promise]);
    timer.cancel();
    late = true;
  }

  /**
   * Those that a look at an item under way takes along, where they are so old. True when one was read. A secret one that is
   * there is left to who gives it out.
   */
  async reread(path: string, how: CallOptions, age: Millis): Promise<boolean> {
    const { rows, clock } = this.#options;
    const now = clock.monotonic();
    const isOld = (name: string): boolean => now - (rows.partReadAt(path, name) ?? -Infinity) >= age;
    const names = this.#names(path, ({ rereadWhileProgressing: again }) => again === true).filter(
      (name) => !rows.isPartHidden(path, name) && isOld(name) && rows.partNotBefore(path, name) <= now,
    );
    const read = await Promise.all(names.map((name) => this.#look(path, name, how)));
    return read.some(({ calls }) => calls > 0);
  }

  /** Something of the item changed, so that what was read of its secret parts may be old; true when that was anything. */
  forgetSecrets(path: string): boolean {
    const names = this.#names(path, ({ secret }) => secret !== undefined);
    return names.filter((name) => this.#options.rows.forgetPart(path, name)).length > 0;
  }

  /** An answer to a secret part that cannot be used is told by who gives it out; it is no longer one that is not there yet. */
  async #look(path: string, name: string, how: CallOptions): Promise<Taken> {
    const { rows, clock } = this.#options;
    const requestedAt = clock.monotonic();
    try {
      return await this.read(path, name, how, true);
    } catch (error) {
      const isAnswer = error instanceof CloudError && (error.fault === 'Malformed' || error.fault === 'Forbidden');
      if (isAnswer && this.#names(path, ({ secret }) => secret !== undefined).includes(name))
        rows.part(path, name, undefined, { requestedAt, isLook: true });
      return nothing;
    }
  }

  kindOf(path: string, name: string): AnyKind {
    return this.#part(path, name).kind;
  }

  /** Others wait for the window that this part is read in, or it is not there. */
  #isCrowded(path: string, name: string): boolean {
    const { rows, sender } = this.#options;
    const seen = rows.get(path);
    const { part, kind } = this.#part(path, name);
    if (seen === undefined || !hasPart(kind, seen.remote, name)) return true;
    return sender.isCrowded(get(`${part.path(path, seen.remote)}${part.paged ? '?page=1' : ''}`));
  }

  #names(path: string, which: (part: AnyPart) => boolean): readonly string[] {
    const all = this.#options.rows.owners(path).flatMap(({ kind }) => Object.entries(kind.parts ?? {}));
    return [...new Set(all.flatMap(([name, part]) => (which(part) ? [name] : [])))];
  }

  #part(path: string, name: string): { readonly part: AnyPart; readonly kind: AnyKind } {
    for (const { kind } of this.#options.rows.owners(path)) {
      const part = kind.parts?.[name];
      if (part) return { part, kind };
    }
    throw new CloudError('Abandoned', `nobody owns ${path}, so nobody says where its ${name} are read`);
  }

  /** What is known to be refused is not asked for. */
  #mayRead({ scopes = [] }: AnyPart, at: string): void {
    const missing = scopes.filter((scope) => !holdsScope(this.#options.scopes(), scope));
    if (missing.length > 0) throw new CloudError('Forbidden', `GET ${at}: not sent, as the token lacks ${missing.join(', ')}`, { scopes });
  }

  async #answer(part: AnyPart, at: string, how: CallOptions, writtenAt: Millis): Promise<Answer> {
    const asked = this.#options.clock.monotonic();
    try {
      return part.paged ? await this.#page(at, how, writtenAt) : await this.#record(part, at, how);
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      const { status, byApi, retryAfter = 0 } = error;
      if (byApi && part.notYet?.some((one) => one === status) === true)
        return { value: null, requestedAt: asked, calls: 1, notBefore: asked + Math.min(retryAfter, notYetAtMost) };
      if (error.fault === 'Forbidden' && part.scopes !== undefined)
        throw new CloudError('Forbidden', error.message, { status, reasons: error.reasons, cause: error, scopes: part.scopes });
      throw error;
    }
  }

  /** A listing that was requested in the very instant of our change may be older than it. */
  async #page(at: string, how: CallOptions, writtenAt: Millis): Promise<Answer> {
    const notBefore = Math.max(this.#options.clock.monotonic(), writtenAt + Number.EPSILON * Math.max(1, writtenAt));
    const { rows, complete, requestedAt, calls } = await this.#options.lists.list(at, { ...how, notBefore, isShown: true });
    // What it lacks would be taken for what is not there.
    if (!complete) throw new CloudError('Malformed', `GET ${at}: the list cannot be read whole; it is tried again`);
    return { value: rows, requestedAt, calls };
  }

  async #record({ file }: AnyPart, path: string, how: CallOptions): Promise<Answer> {
    const permit = await this.#options.sender.permit({ ...get(path), ...(file && { answers: file }) }, how);
    const { body, requestedAt } = await permit.send(() => undefined);
    return { value: body, requestedAt, calls: 1 };
  }
}

/** What is remembered of an answer: of a secret one nothing, and nothing that cannot be read where no round would read it again. */
function keptOf({ secret, schema, for: use }: Part<Row>, at: string, value: unknown): unknown {
  if (value === null || (secret === undefined && use !== 'before')) return value;
  const then = secret === undefined ? 'it is read again' : 'what was given out of it before stays';
  // Without what is wrong with it, which may show what must not be shown.
  if (!schema.safeParse(value).success) throw new CloudError('Malformed', `GET ${at}: its answer cannot be read; ${then}`);
  return secret === undefined ? value : undefined;
}
