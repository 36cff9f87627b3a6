import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Key } from '../contract/collection.ts';
import type { Cause } from './platform.ts';
import type { Change } from './stored-collection.ts';

/** One change of one object as a request, job, timer or seed made it. */
export interface LedgerChange {
  readonly collection: string;
  readonly key: Key;
  readonly kind: 'insert' | 'update' | 'remove';
}

/** One request. Times are the emulator's clock, milliseconds. */
export interface LedgerRequest {
  readonly seq: number;
  readonly at: number;
  /** Monotonic time of receipt, for comparisons when the wall clock is skewed. */
  readonly monotonic: number;
  /** Account and user, empty when anonymous. */
  readonly euuid: string;
  readonly username: string;
  readonly method: string;
  /** Neutral path template, empty when nothing matched. */
  readonly template: string;
  /** Neutral path, without version segment and query. */
  readonly path: string;
  readonly query: string;
  readonly filter: string;
  /** What the client calls itself. */
  readonly userAgent: string;
  /** The request's JSON as it was sent, in the provider's words; empty for bytes. */
  readonly body: string;
  /** 0 when no answer was given. */
  readonly status: number;
  readonly latency: number;
  /** Kind of the fault that hit it. */
  readonly fault?: string;
  readonly changes: readonly LedgerChange[];
}

/** The life of one object. */
export interface LedgerObject {
  readonly euuid: string;
  readonly collection: string;
  readonly key: Key;
  readonly bornAt: number;
  readonly bornBy: string;
  readonly origin: string;
  /** As it is, or as it was when it died. */
  row: object;
  readonly changes: { readonly at: number; readonly by: string; readonly origin: string; readonly fields: readonly string[] }[];
  diedAt?: number;
  diedBy?: string;
  diedOrigin?: string;
}

const defaultMemoryLimit = 100_000;

function changedFields(before: object, after: object): readonly string[] {
  const [was, now] = [before as Record<string, unknown>, after as Record<string, unknown>];
  return Object.keys(now).filter((name) => was[name] !== now[name] && JSON.stringify(was[name]) !== JSON.stringify(now[name]));
}

/** A file of this process, gone with it. */
function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cloud-emulator-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'requests.jsonl');
}

export function kindOf(change: Change): LedgerChange['kind'] {
  if (change.before === undefined) return 'insert';
  return change.after === undefined ? 'remove' : 'update';
}

/** Ground truth for tests: every request, and every object that ever lived. */
export class Ledger {
  #requests: LedgerRequest[] = [];
  readonly #objects = new Map<string, LedgerObject>();
  /** Finished lives of keys that were used again. */
  readonly #former: LedgerObject[] = [];
  readonly #now: () => number;
  #spillFile: string | undefined;
  #seq = 0;
  #spilledUpTo = 0;

  readonly #memoryLimit: number;

  constructor(now: () => number, spillFile?: string, memoryLimit = defaultMemoryLimit) {
    this.#now = now;
    this.#spillFile = spillFile;
    this.#memoryLimit = memoryLimit;
  }

  nextSeq(): number {
    return (this.#seq += 1);
  }

  /** Requests are added when they end; beyond 100,000 the oldest half goes to the spill file, one JSON per line. */
  add(request: LedgerRequest): void {
    this.#requests.push(request);
    if (this.#requests.length < this.#memoryLimit) return;
    const old = this.#requests.splice(0, this.#memoryLimit / 2);
    this.#spillFile ??= temporaryFile();
    // What is in the file before the first spill is of a ledger before the reset.
    const write = this.#spilledUpTo === 0 ? writeFileSync : appendFileSync;
    write(this.#spillFile, old.map((one) => `${JSON.stringify(one)}\n`).join(''));
    this.#spilledUpTo = Math.max(this.#spilledUpTo, ...old.slice(-1000).map((one) => one.seq));
  }

  #spilled(): readonly LedgerRequest[] {
    if (this.#spillFile === undefined) return [];
    const lines = readFileSync(this.#spillFile, 'utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as LedgerRequest);
  }

  /** In the order of their ends; `since` is exclusive. */
  requests(since = 0): readonly LedgerRequest[] {
    return [...(since < this.#spilledUpTo ? this.#spilled() : []), ...this.#requests].filter((request) => request.seq > since);
  }

  objects(): readonly LedgerObject[] {
    return [...this.#former, ...this.#objects.values()];
  }

  note(cause: Cause, change: Change): void {
    if (change.definition.unlisted === true) return;
    const euuid = change.definition.scope === 'platform' ? '' : cause.euuid;
    const id = `${euuid}/${change.definition.name}/${change.key}`;
    const by = cause.actor?.username ?? '';
    if (change.before === undefined) this.#born(id, { euuid, by, cause, change });
    const object = this.#objects.get(id);
    if (object === undefined) return;
    if (change.after === undefined) Object.assign(object, { diedAt: this.#now(), diedBy: by, diedOrigin: cause.origin });
    else this.#changed(object, { by, cause, change });
  }

  #born(id: string, { euuid, by, cause, change }: { euuid: string; by: string; cause: Cause; change: Change }): void {
    const earlier = this.#objects.get(id);
    if (earlier !== undefined) this.#former.push(earlier);
    this.#objects.set(id, {
      euuid,
      collection: change.definition.name,
      key: change.key,
      bornAt: this.#now(),
      bornBy: by,
      origin: cause.origin,
      row: change.after ?? {},
      changes: [],
    });
  }

  #changed(object: LedgerObject, { by, cause, change }: { by: string; cause: Cause; change: Change }): void {
    const { before, after } = change;
    if (before === undefined || after === undefined) return;
    object.row = after;
    object.changes.push({ at: this.#now(), by, origin: cause.origin, fields: changedFields(before, after) });
  }
}
