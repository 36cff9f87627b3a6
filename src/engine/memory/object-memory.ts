import { isDeepStrictEqual } from 'node:util';
import type { Millis } from '../../lib/clock.ts';
import { NewestShared } from '../../lib/newest-shared.ts';
import type { Row } from '../../resource/index.ts';
import type { Identity } from '../model/identity.ts';
import type { StatusDraft } from '../model/outcome.ts';
import type { Resource } from '../ports/index.ts';

/** What is remembered of one object. */
interface Remembered {
  /** Its person asked for a look at the remote itself (annotation `reconcile-at`). */
  lookAsked?: true | undefined;
  /** It holds a place under `access[].maxObjects` while its create is under way. */
  placeHeld?: true | undefined;
  /** Natural key of what is being made for it, from right before its intent is written until its create is over. */
  making?: Row | undefined;
  /** A person has released its held deletion, or its held new remote: what was held at that moment, and nothing later (README: deletion). */
  released?: true | undefined;
  /** An answered create whose identity is not written yet. */
  made?: { readonly identity: Identity; readonly row: Row } | undefined;
  /** Path under which the remote cache knows the object as an owner. */
  tracked?: string | undefined;
  createdAt?: Millis | undefined;
  /** What was to be shown when more was read first, until the next reconcile shows it. */
  unshown?: StatusDraft | undefined;
  /** When the first of a row of 404s by id was seen. */
  firstMissedAt?: Millis | undefined;
  /** Since when its deletion waits for whoever may come to have its place next. */
  nextAwaitedAt?: Millis | undefined;
  /** For what it waits, in words, and since when. */
  waitsFor?: { readonly what: string; readonly since: Millis } | undefined;
  /** Secrets and ConfigMaps that it waits for, each since when. */
  waitsForOutputs?: Map<string, Millis> | undefined;
  /** What status recalled last, and of which remote. */
  recalled?: { readonly of: string; readonly known: Row } | undefined;
  /** What another object, which had this remote before, recalled of it. `remote`: account and path. */
  inherited?: { readonly remote: string; readonly known: Row } | undefined;
  /** Of the resolved spec, as it was wanted last. */
  wanted?: string | undefined;
  referencesMoved?: true | undefined;
  /** Paths of which our own DELETE was answered. Another object of the same path (a bucket's is its name) must not inherit it. */
  deleted?: Set<string> | undefined;
  /** The call by which it was taken from what used it, so that it can be deleted. */
  freed?: string | undefined;
  /** Of the DELETE of this path: how often nobody said whether it was done, and what was answered last. */
  unanswered?: { readonly path: string; readonly times: number; readonly said: string } | undefined;
  told?: Set<string> | undefined;
  /** By field that is being put right, how much of it differed when that was sent last. */
  left?: Map<string, number> | undefined;
  /** Attempts that this process has noted on a target, and sent nothing of. */
  unsent?: Set<string> | undefined;
  /** What this process has written into `status.sending` and not sent yet. */
  noted?: string | undefined;
  /** What this process has written into `status.nextChangeAt` and sent nothing under. */
  nextChange?: string | undefined;
  /** What this process has written into `status.resetting`: to send it next, or to wait until what was sent cannot come about any more. */
  reset?: { readonly text: string; readonly is: 'send' | 'wait' } | undefined;
}
type Records = Map<string, Remembered>;

/** One field of all records. */
class Facet<Field extends keyof Remembered> {
  readonly #records: Records;
  readonly #field: Field;
  constructor(records: Records, field: Field) {
    this.#records = records;
    this.#field = field;
  }
  get(uid: string): Remembered[Field] {
    return this.#records.get(uid)?.[this.#field];
  }
  has(uid: string): boolean {
    return this.get(uid) !== undefined;
  }
  set(uid: string, value: NonNullable<Remembered[Field]>): void {
    const record = this.#records.get(uid) ?? {};
    record[this.#field] = value;
    this.#records.set(uid, record);
  }
  /** True when there was something. */
  delete(uid: string): boolean {
    const record = this.#records.get(uid);
    const had = record?.[this.#field] !== undefined;
    if (record !== undefined && had) record[this.#field] = undefined;
    return had;
  }
}

/**
 * What this process has seen of objects and need not outlive it: losing it costs time (a proof begins anew), never safety.
 * One record per uid, made when something is first noted and forgotten whole. All times are monotonic.
 */
export class ObjectMemory {
  readonly #records: Records = new Map();
  /** Others of its kind that asked for what it has with `spec.adopt`, and went while it was being deleted. By namespace, as who is paused there is never looked at. */
  readonly departed = new NewestShared<Resource>(16, 1000);
  readonly lookAsked = new Facet(this.#records, 'lookAsked');
  readonly placeHeld = new Facet(this.#records, 'placeHeld');
  readonly making = new Facet(this.#records, 'making');
  readonly unshown = new Facet(this.#records, 'unshown');
  readonly released = new Facet(this.#records, 'released');
  readonly made = new Facet(this.#records, 'made');
  readonly freed = new Facet(this.#records, 'freed');
  readonly unanswered = new Facet(this.#records, 'unanswered');
  readonly tracked = new Facet(this.#records, 'tracked');
  readonly createdAt = new Facet(this.#records, 'createdAt');
  readonly firstMissedAt = new Facet(this.#records, 'firstMissedAt');
  readonly nextAwaitedAt = new Facet(this.#records, 'nextAwaitedAt');
  readonly #recalled = new Facet(this.#records, 'recalled');
  readonly #inherited = new Facet(this.#records, 'inherited');
  readonly #waitsFor = new Facet(this.#records, 'waitsFor');
  readonly noted = new Facet(this.#records, 'noted');
  readonly nextChange = new Facet(this.#records, 'nextChange');
  readonly reset = new Facet(this.#records, 'reset');
  readonly #wanted = new Facet(this.#records, 'wanted');
  readonly #referencesMoved = new Facet(this.#records, 'referencesMoved');
  readonly #deleted = new Facet(this.#records, 'deleted');
  readonly #told = new Facet(this.#records, 'told');
  readonly #waitsForOutputs = new Facet(this.#records, 'waitsForOutputs');
  readonly #left = new Facet(this.#records, 'left');
  readonly #unsent = new Facet(this.#records, 'unsent');

  created(uid: string, now: Millis): void {
    this.createdAt.set(uid, now);
    this.firstMissedAt.delete(uid);
  }
  recalled(uid: string, recalled: NonNullable<Remembered['recalled']>): void {
    this.#recalled.set(uid, recalled);
  }
  inherits(uid: string, { account, path }: Pick<Identity, 'account' | 'path'>, known: Row): void {
    this.#inherited.set(uid, { remote: `${account}${path}`, known });
  }
  /** `remote`: value of annotation `remote`. */
  recalledOf(uid: string, remote: string): Row {
    const last = this.#recalled.get(uid);
    if (last?.of === remote) return last.known;
    const before = this.#inherited.get(uid);
    return before !== undefined && remote.startsWith(`${before.remote}#`) ? before.known : {};
  }
  /** Notes what the object waits for; answers for how long it does. */
  waitsFor(uid: string, what: string, now: Millis): Millis {
    const known = this.#waitsFor.get(uid);
    if (known?.what !== what) this.#waitsFor.set(uid, { what, since: now });
    return known?.what === what ? now - known.since : 0;
  }
  /** The same of one Secret or ConfigMap: several are waited for at the same time. */
  waitsForOutput(uid: string, target: string, now: Millis): Millis {
    const all = this.#waitsForOutputs.get(uid) ?? new Map<string, Millis>();
    const since = all.get(target) ?? now;
    this.#waitsForOutputs.set(uid, all.set(target, since));
    return now - since;
  }
  hasOutput(uid: string, target: string): void {
    this.#waitsForOutputs.get(uid)?.delete(target);
  }
  /** Notes one 404 by id; answers when the first of the row was seen. */
  missing(uid: string, now: Millis): Millis {
    const first = this.firstMissedAt.get(uid) ?? now;
    this.firstMissedAt.set(uid, first);
    return first;
  }
  present(uid: string): void {
    this.firstMissedAt.delete(uid);
  }
  /** Our DELETE of this remote was answered: one 404 now proves that it is gone. */
  deleted(uid: string, path: string): void {
    this.#deleted.set(uid, (this.#deleted.get(uid) ?? new Set()).add(path));
  }
  wasDeleted(uid: string, path: string): boolean {
    return this.#deleted.get(uid)?.has(path) === true;
  }
  /** The object is about to make one of this path again. */
  mayExistAgain(uid: string, path: string): void {
    this.#deleted.get(uid)?.delete(path);
  }
  /** True the first time that this is said of the object. */
  isNews(uid: string, text: string): boolean {
    const told = this.#told.get(uid) ?? new Set();
    if (told.has(text)) return false;
    this.#told.set(uid, told.add(text));
    return true;
  }
  /** Of this attempt of an operation nothing was sent. */
  unsent(uid: string, at: string): void {
    this.#unsent.set(uid, (this.#unsent.get(uid) ?? new Set()).add(at));
  }
  sends(uid: string, at: string): void {
    this.#unsent.get(uid)?.delete(at);
  }
  wasUnsent(uid: string, at: string): boolean {
    return this.#unsent.get(uid)?.has(at) === true;
  }
  /** Notes how much of a field differed when a correction of it was sent. */
  correcting(uid: string, field: string, differs: number): void {
    this.#left.set(uid, (this.#left.get(uid) ?? new Map<string, number>()).set(field, differs));
  }
  /** How much of a field differed when a correction of it was sent last, if anything differs since. */
  leftToCorrect(uid: string, field: string): number | undefined {
    return this.#left.get(uid)?.get(field);
  }
  /** Nothing differs any more. */
  settled(uid: string): void {
    this.#referencesMoved.delete(uid);
    this.#left.delete(uid);
  }
  /** Notes what is wanted now; true from when that came to be something else, because what the spec refers to did, until nothing differs. */
  referencesMoved(uid: string, want: string): boolean {
    const known = this.#wanted.get(uid);
    if (known !== undefined && known !== want) this.#referencesMoved.set(uid, true);
    if (known !== want) this.#wanted.set(uid, want);
    return this.#referencesMoved.has(uid);
  }
  /** One that wishes the same takes the place of the one before: it would be answered alike. */
  asked(of: string, gone: Resource): void {
    const { namespace: group } = gone.metadata;
    this.departed.add(of, { group, item: gone }, ({ spec }) => isDeepStrictEqual(spec, gone.spec));
  }
  forget(uid: string): void {
    this.#records.delete(uid);
    this.departed.delete(uid);
  }
  known(): Iterable<string> {
    return [...this.#records.keys(), ...this.departed.keys()];
  }
}
