import { Counter, Histogram, type Registry } from 'prom-client';
import type { Clock, Millis } from '../lib/clock.ts';
import { RecentMap } from '../lib/recent-map.ts';

interface Name {
  readonly namespace: string;
  readonly name: string;
}
/** As much of a custom resource as tells how long somebody waited for it. */
export interface WatchedObject {
  readonly metadata: Name & { readonly uid: string; readonly generation: number; readonly creationTimestamp: string };
  readonly status?: Readonly<Record<string, unknown>>;
}
/** As much of a change of an account as is counted. */
export interface CountedChange {
  readonly kind: string;
  readonly uid: string;
  readonly effect: string;
  readonly cause: string;
}

const buckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];
/** What takes longer is asked about by alerts, and not measured. */
const remembered: Millis = 6 * 3_600_000;
const most = 20_000;

/** What was changed in accounts, and how long people waited for it: the questions of users, not of the process. */
export class ChangeMetrics {
  readonly #clock: Clock;
  readonly #changes: Counter<'kind' | 'effect' | 'cause'>;
  readonly #editToCall: Histogram<'kind'>;
  readonly #createToReady: Histogram<'kind'>;
  readonly #changeToSeen: Histogram<'kind'>;
  readonly #jobEndToReady: Histogram<'kind'>;
  /** uid -> when an edit was heard of for which nothing was sent yet. */
  readonly #edited: RecentMap<string, Millis>;
  /** uids of those that were heard of before anybody had looked at them. */
  readonly #born: RecentMap<string, true>;
  /** Objects that are not ready, or are being worked at -> when the last job on the remote was done, if one was. */
  readonly #underWay: RecentMap<string, { doneAt?: Millis }>;

  constructor(registry: Registry, clock: Clock) {
    const registers = [registry];
    this.#clock = clock;
    this.#edited = new RecentMap(clock, remembered, most);
    this.#born = new RecentMap(clock, remembered, most);
    this.#underWay = new RecentMap(clock, remembered, most);
    this.#changes = new Counter({
      name: 'cloud_operator_changes_total',
      help: 'Changes of accounts that were accepted, by what they did and why: edit, drift that is set back, duplicate that is removed.',
      labelNames: ['kind', 'effect', 'cause'],
      registers,
    });
    const histogram = (name: string, help: string): Histogram<'kind'> =>
      new Histogram({ name: `cloud_operator_${name}_seconds`, help, labelNames: ['kind'], buckets, registers });
    this.#editToCall = histogram(
      'edit_to_call',
      'From an edit of a spec to the first call that changes the account for it; approvals included.',
    );
    this.#createToReady = histogram('create_to_ready', 'From the creation of an object to its first Ready.');
    this.#changeToSeen = histogram('change_to_seen', "From somebody else's change, as the account's events tell it, to its notice.");
    this.#jobEndToReady = histogram(
      'job_end_to_ready',
      'From the end of the last job on a cloud resource, as the service tells it, to an object that is Ready with nothing under way.',
    );
  }

  /** An object appeared, changed or went, as the watch tells it. */
  watched(kind: string, was: WatchedObject | undefined, is: WatchedObject | undefined): void {
    if (is === undefined) return this.#forget(kind, was);
    const ready = conditionOf(is, 'Ready');
    if (was === undefined && ready === undefined) this.#born.set(is.metadata.uid, true);
    if (was !== undefined && is.metadata.generation > was.metadata.generation) this.#edited.set(is.metadata.uid, this.#clock.monotonic());
    if (ready?.['status'] === 'True') this.#isReady(kind, is);
    this.#followJobs(kind, is);
  }

  #followJobs(kind: string, is: WatchedObject): void {
    const id = idOf(kind, is.metadata);
    if (isUnderWay(is)) return this.#underWay.set(id, this.#underWay.use(id) ?? {});
    const doneAt = this.#underWay.take(id)?.doneAt;
    if (doneAt !== undefined) this.#jobEndToReady.observe({ kind }, seconds(this.#clock.monotonic() - doneAt));
  }

  /** A job on the object's remote was done so long ago. */
  jobEnded(kind: string, key: Name, ago: Millis): void {
    const id = idOf(kind, key);
    if (this.#underWay.use(id) !== undefined) this.#underWay.set(id, { doneAt: this.#clock.monotonic() - Math.max(0, ago) });
  }

  #isReady(kind: string, { metadata }: WatchedObject): void {
    if (this.#born.take(metadata.uid) === undefined) return;
    this.#createToReady.observe({ kind }, seconds(this.#clock.now() - Date.parse(metadata.creationTimestamp)));
  }

  #forget(kind: string, was: WatchedObject | undefined): void {
    if (was === undefined) return;
    this.#edited.take(was.metadata.uid);
    this.#born.take(was.metadata.uid);
    this.#underWay.take(idOf(kind, was.metadata));
  }

  /** A call is about to be sent. */
  changing({ kind, uid, cause }: CountedChange): void {
    const since = cause === 'edit' ? this.#edited.take(uid) : undefined;
    if (since !== undefined) this.#editToCall.observe({ kind }, seconds(this.#clock.monotonic() - since));
  }

  accepted({ kind, effect, cause }: CountedChange): void {
    this.#changes.inc({ kind, effect, cause });
  }

  driftSeen(kind: string, after: Millis): void {
    this.#changeToSeen.observe({ kind }, seconds(after));
  }
}

const isUnderWay = (object: WatchedObject): boolean =>
  conditionOf(object, 'Ready')?.['status'] !== 'True' || conditionOf(object, 'Reconciling')?.['status'] === 'True';
const idOf = (kind: string, { namespace, name }: Name): string => `${kind}/${namespace}/${name}`;
const seconds = (span: Millis): number => Math.max(0, span) / 1000;

function conditionOf({ status }: WatchedObject, type: string): Readonly<Record<string, unknown>> | undefined {
  const conditions = status?.['conditions'];
  return Array.isArray(conditions) ? (conditions as Readonly<Record<string, unknown>>[]).find((one) => one['type'] === type) : undefined;
}
