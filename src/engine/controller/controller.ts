import { breathe } from '../../lib/breathe.ts';
import { isReadByName } from '../../resource/index.ts';
import type { AccountReconciler } from '../account/account-reconciler.ts';
import type { Engine } from '../context.ts';
import { accountKey } from '../model/account.ts';
import { isDeleting, lookAskedBy } from '../model/annotations.ts';
import { keyOf, parseObjectId } from '../model/object-id.ts';
import type { Outcome, Reason, StatusDraft } from '../model/outcome.ts';
import { givesOut } from '../outputs/targets.ts';
import { dataEvery, hasMovedOn, type Key, KubeError, type Resource, tokenEvery } from '../ports/index.ts';
import { type Requeue, requeueOf } from '../status/requeue-table.ts';
import { StatusWriter } from '../status/status-writer.ts';
import { dispatch, type Done } from './dispatch.ts';
import { forgetObject } from './forget-object.ts';
import { RepeatLimit } from './repeat-limit.ts';
import type { WorkQueue } from './work-queue.ts';
import { type WorkerSlot, WorkerSlots } from './worker-slots.ts';

/** Reconciles at once, besides those that wait for a rate window: these hold up nobody. */
const workers = 1000;

/** Reconciles that begin before timers and sockets have theirs: some 20 ms of work. */
const inOneGo = 16;

/** Works through the queue: one reconcile per key at a time, one status write per reconcile, and the next look as the outcome says. */
export class Controller {
  readonly #engine: Engine;
  readonly #queue: WorkQueue;
  readonly #accounts: AccountReconciler;
  readonly #writer: StatusWriter;
  readonly #repeats = new RepeatLimit();
  readonly #stopping = new AbortController();
  readonly #intake = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #rests = new WorkerSlots(() => this.#free());
  #begun = 0;
  #free: () => void = () => undefined;
  constructor(engine: Engine, queue: WorkQueue, accounts: AccountReconciler) {
    this.#engine = engine;
    this.#queue = queue;
    this.#accounts = accounts;
    this.#writer = engine.memory.keep('status writes', 'id', new StatusWriter(engine));
    engine.memory.keep('repeats', 'id', this.#repeats);
  }

  /** Resolves when the queue is closed and every reconcile has ended. */
  async run(): Promise<void> {
    for (;;) {
      const id = await this.#queue.next();
      if (id === undefined) break;
      const running = this.#reconcile(id).finally(() => {
        this.#running.delete(running);
        this.#queue.done(id);
        this.#free();
      });
      this.#running.add(running);
      await this.#breathe();
      while (this.#isFull()) await new Promise<void>((free) => (this.#free = free));
    }
    await Promise.allSettled(this.#running);
  }

  #isFull(): boolean {
    return this.#running.size - this.#rests.count >= workers;
  }

  /** Reconciles of known rows wait for nothing: thousands would run in one go, and an edit could not even be heard of meanwhile. */
  async #breathe(): Promise<void> {
    this.#begun += 1;
    if (this.#begun % inOneGo === 0) await breathe();
  }

  /** Ends the intake; reconciles in flight get `grace` to write down what they did, then their calls are cut (SIGTERM). */
  async stop(grace: number): Promise<void> {
    this.#queue.close();
    this.#intake.abort(new Error('the operator is stopping'));
    const cut = this.#engine.clock.after(grace, () => this.#stopping.abort(new Error('the operator is stopping')));
    await Promise.allSettled(this.#running);
    cut.cancel();
    this.#stopping.abort(new Error('the operator has stopped'));
  }

  async #reconcile(id: string): Promise<void> {
    const { kind, key } = parseObjectId(id);
    const { engine } = this;
    const started = engine.clock.monotonic();
    const object = engine.objects.get(kind, key);
    if (object === undefined) {
      if (kind === engine.registry.connection.kind) this.#accounts.forget(key);
      return;
    }
    const { uid } = object.metadata;
    const status: StatusDraft = { ...engine.objectMemory.unshown.get(uid) };
    engine.objectMemory.unshown.delete(uid);
    const { onWait, end } = this.#rests.begin();
    try {
      const account = kind === engine.registry.connection.kind ? key : accountKey(object);
      const work = async (): Promise<void> =>
        this.#finish(id, handled(object, await this.#dispatch(object, status, onWait)), { kind, key, started });
      await engine.accountLeases.during(account, work);
    } catch (error) {
      this.#failed(id, error, { kind, key, started });
    } finally {
      end();
      engine.permitQueue.giveBack(uid);
      this.#forgetGone(id, object);
    }
  }

  /** It went while it was worked on, which may have noted something since. */
  #forgetGone(id: string, object: Resource): void {
    const now = this.#engine.objects.get(object.kind, keyOf(object));
    if (now?.metadata.uid !== object.metadata.uid) forgetObject(this.#engine, object, now === undefined ? id : undefined);
  }

  get engine(): Engine {
    return this.#engine;
  }

  #dispatch(object: Resource, status: StatusDraft, onWait: WorkerSlot['onWait']): Promise<Done> {
    const signals = { signal: this.#stopping.signal, intake: this.#intake.signal, onWait };
    return dispatch({ engine: this.#engine, accounts: this.#accounts, object, signals, status });
  }

  async #finish(id: string, done: Done, { kind, started }: Timing): Promise<void> {
    const { engine } = this;
    await this.#show(done);
    const requeue = this.#requeue(kind, done);
    const error = done.outcome.is === 'Retrying' || done.outcome.is === 'Stalled';
    engine.monitor.reconciled(
      kind,
      error ? 'error' : requeue.is === 'none' ? 'success' : 'requeue_after',
      engine.clock.monotonic() - started,
    );
    this.#again(id, done.outcome, requeue);
  }

  /** One write for both where the next reconcile follows at once, and this one did nothing that must be noted. */
  async #show(done: Done): Promise<void> {
    const { outcome, object, status } = done;
    const isEmpty = Object.keys(status).length === 0;
    if (outcome.is === 'Again' && isEmpty) return;
    if (outcome.is === 'Again' && outcome.onlyRead === true) this.#engine.objectMemory.unshown.set(object.metadata.uid, status);
    else await this.#writer.write(done, this.#stopping.signal);
  }

  #again(id: string, outcome: Outcome, requeue: Requeue): void {
    if (requeue.is === 'backoff') return void this.#queue.retry(id, requeue.atLeast, requeue.atMost);
    // A step that is followed by the next is no end: a call that fails must not find its back-off cut by the read before it.
    if (outcome.is !== 'Again') {
      this.#queue.forget(id);
      this.#repeats.end(id);
    }
    if (requeue.is !== 'after') return;
    const delay = outcome.is === 'Again' ? this.#repeats.step(id) : requeue.delay;
    this.#queue.add(id, delay > 0 ? { after: delay } : { urgent: true });
  }

  /** Tokens are read every minute and other Secrets and ConfigMaps every five: nothing else would tell that they changed (README: secrets). */
  #requeue(kind: string, { outcome, object }: Done): Requeue {
    const requeue = requeueOf(outcome, this.#engine);
    if (outcome.is === 'Deleted' || outcome.is === 'Paused') return requeue;
    if (kind === this.#engine.registry.connection.kind) return atMost(requeue, tokenEvery);
    const publishes = givesOut(this.#engine.registry.kind(kind), object);
    const reads = this.#engine.registry.sites(kind).some(isReadByName);
    if (!publishes && !reads) return requeue;
    // What a deletion sends holds nothing out of a Secret.
    const waits = waitsForSecret(outcome, { publishes, reads: reads && !isDeleting(object) });
    return requeue.is === 'none' || waits ? { is: 'after', delay: dataEvery } : requeue;
  }

  #failed(id: string, error: unknown, { kind, key, started }: Timing): void {
    const { engine } = this;
    engine.monitor.reconciled(kind, 'error', engine.clock.monotonic() - started);
    if (this.#stopping.signal.aborted) return;
    if (!(error instanceof KubeError)) engine.monitor.panic(kind, key, error);
    else
      engine.log.warn('a request to Kubernetes failed and is tried again', {
        kind,
        namespace: key.namespace,
        name: key.name,
        fault: error.fault,
        message: error.message,
      });
    const soon = hasMovedOn(error) ? this.#repeats.conflict(id) : undefined;
    if (soon === undefined) this.#queue.retry(id);
    else this.#queue.add(id, { after: soon });
  }
}

/** By the annotation as it stood when the work began: one that came meanwhile is for the next. */
function handled(object: Resource, done: Done): Done {
  const asked = lookAskedBy(object);
  const isOver = !['Again', 'Quiet', 'Paused', 'Deleted'].includes(done.outcome.is);
  return asked === undefined || !isOver ? done : { ...done, status: { ...done.status, lastHandledReconcileAt: asked } };
}

/** What a Secret holds, lacks, or that one is not to be written, may be the reason. */
const waitsForSecret = (outcome: Outcome, { publishes, reads }: { readonly publishes: boolean; readonly reads: boolean }): boolean =>
  outcome.is === 'Stalled' && ((publishes && unwritten.has(outcome.reason)) || (reads && refused.has(outcome.reason)));
const unwritten: ReadonlySet<Reason> = new Set(['AlreadyExists', 'Forbidden', 'Rejected', 'RemoteFailed']);
const refused: ReadonlySet<Reason> = new Set(['Rejected', 'Forbidden', 'QuotaExceeded', 'InvalidSpec']);

const atMost = (requeue: Requeue, longest: number): Requeue =>
  requeue.is === 'backoff'
    ? { ...requeue, atMost: longest }
    : { is: 'after', delay: requeue.is === 'after' ? Math.min(requeue.delay, longest) : longest };

interface Timing {
  readonly kind: string;
  readonly key: Key;
  readonly started: number;
}
