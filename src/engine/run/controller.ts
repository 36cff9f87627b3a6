import { breathe } from '../../lib/breathe.ts';
import { tokenEvery } from '../account/account-token.ts';
import { naming, objectName } from '../account/accounts.ts';
import { accountOf, isServed } from '../account/served.ts';
import { annotation, hasFinalizer, intentAnnotation, isDeleting, isPaused, remoteAnnotation } from './annotations.ts';
import type { Connections } from '../account/connect.ts';
import { parseObjectId } from '../resolve/links.ts';
import { minutes, seconds } from '../../resource/index.ts';
import type { Outcome } from '../outcome.ts';
import { type Key, KubeError, type Resource } from '../ports.ts';
import type { WorkQueue } from './queue.ts';
import { reconcile, type Reconciled } from './reconcile.ts';
import { isHarmless, type Requeue, requeueOf, StatusWriter } from '../status/record.ts';
import { Repeats } from './repeats.ts';
import { type Rest, Rests } from './rests.ts';
import { type Engine, keyOf, type Notes } from './turn.ts';
import { releaseFinalizer } from '../create/writes.ts';

/** Turns at once, besides those that wait for a rate window: these hold up nobody. */
const workers = 1000;
/** Bounds memory when thousands wait. */
const most = 10_000;
/** Turns that begin before timers and sockets have theirs: some 20 ms of work. */
const inOneGo = 16;

/** Works through the queue: one turn per key at a time, one status write per turn, and the next look as the outcome says. */
export class Controller {
  readonly #engine: Engine;
  readonly #queue: WorkQueue;
  readonly #connections: Connections;
  readonly #writer: StatusWriter;
  readonly #repeats = new Repeats();
  readonly #stopping = new AbortController();
  readonly #intake = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #rests = new Rests(() => this.#free());
  #begun = 0;
  #free: () => void = () => undefined;
  constructor(engine: Engine, queue: WorkQueue, connections: Connections) {
    this.#engine = engine;
    this.#queue = queue;
    this.#connections = connections;
    this.#writer = new StatusWriter(engine);
  }

  /** Resolves when the queue is closed and every turn has ended. */
  async run(): Promise<void> {
    for (;;) {
      const id = await this.#queue.next();
      if (id === undefined) break;
      const turn = this.#turn(id).finally(() => {
        this.#running.delete(turn);
        this.#queue.done(id);
        this.#free();
      });
      this.#running.add(turn);
      await this.#breathe();
      while (this.#isFull()) await new Promise<void>((free) => (this.#free = free));
    }
    await Promise.allSettled(this.#running);
  }

  #isFull(): boolean {
    return this.#running.size - this.#rests.count >= workers || this.#running.size >= most;
  }

  /** Turns of known rows wait for nothing: thousands would run in one go, and an edit could not even be heard of meanwhile. */
  async #breathe(): Promise<void> {
    this.#begun += 1;
    if (this.#begun % inOneGo === 0) await breathe();
  }

  /** Ends the intake; turns in flight get `grace` to write down what they did, then their calls are cut (design: SIGTERM). */
  async stop(grace: number): Promise<void> {
    this.#queue.close();
    this.#intake.abort(new Error('the operator is stopping'));
    const cut = this.#engine.clock.after(grace, () => this.#stopping.abort(new Error('the operator is stopping')));
    await Promise.allSettled(this.#running);
    cut.cancel();
    this.#stopping.abort(new Error('the operator has stopped'));
  }

  async #turn(id: string): Promise<void> {
    const { kind, key } = parseObjectId(id);
    const { engine } = this;
    const started = engine.clock.monotonic();
    const object = engine.objects.get(kind, key);
    if (object === undefined) {
      engine.links.set(id, new Set());
      this.#repeats.end(id);
      this.#writer.forget(id);
      return this.#queue.forget(id);
    }
    const notes: Notes = {};
    const { onWait, end } = this.#rests.begin();
    try {
      const done = await this.#once(object, notes, onWait);
      await this.#finish(id, done, { kind, key, started });
    } catch (error) {
      this.#failed(id, error, { kind, key, started });
    } finally {
      end();
      engine.tickets.giveBack(object.metadata.uid);
    }
  }

  get engine(): Engine {
    return this.#engine;
  }

  async #once(object: Resource, notes: Notes, onWait: Rest['onWait']): Promise<Done> {
    const { engine } = this;
    const signals = { signal: this.#stopping.signal, intake: this.#intake.signal, onWait };
    const quiet: Done = { outcome: { is: 'Quiet', recheckAfter: seconds(30) }, health: undefined, object, notes };
    if (!engine.leadership.held() || engine.crds.mismatched.has(object.kind)) return quiet;
    if (!isServed(engine, object)) return quiet;
    if (isPaused(object)) return { outcome: { is: 'Paused' }, health: undefined, object, notes };
    if (object.kind === engine.registry.connection.kind) {
      const done = await this.#connections.reconcile(object, signals, notes);
      return { ...done, object: engine.objects.get(object.kind, keyOf(object)) ?? object, notes };
    }
    const account = accountOf(engine, object);
    if ('outcome' in account) return this.#without(object, account.outcome, notes);
    const turn = {
      engine,
      kind: engine.registry.kind(object.kind),
      object,
      name: objectName(naming(engine), object),
      account: account.account,
      ...signals,
      notes,
    };
    const done = await reconcile(turn);
    return { ...done, object: turn.object, notes };
  }

  /** What was never created needs no account to go. */
  async #without(object: Resource, outcome: Outcome, notes: Notes): Promise<Done> {
    const { engine } = this;
    const never =
      annotation(object, remoteAnnotation) === undefined &&
      annotation(object, intentAnnotation) === undefined &&
      object.status?.['path'] === undefined &&
      object.status?.['intent'] === undefined &&
      !engine.evidence.born.has(object.metadata.uid);
    if (!isDeleting(object) || !hasFinalizer(object) || !never) return { outcome, health: undefined, object, notes };
    await releaseFinalizer({ engine, kind: engine.registry.kind(object.kind), object, signal: this.#stopping.signal });
    return { outcome: { is: 'Deleted' }, health: undefined, object, notes };
  }

  async #finish(id: string, done: Done, { kind, started }: Timing): Promise<void> {
    const { engine } = this;
    if (done.outcome.is !== 'Again' || Object.keys(done.notes).length > 0) await this.#writer.write(done, this.#stopping.signal);
    const requeue = this.#requeue(kind, done.outcome);
    const error = done.outcome.is === 'Retrying' || done.outcome.is === 'Stalled';
    engine.monitor.reconciled(
      kind,
      error ? 'error' : requeue.is === 'none' ? 'success' : 'requeue_after',
      engine.clock.monotonic() - started,
    );
    this.#again(id, done.outcome, requeue);
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

  /** Tokens are read every minute and other Secrets every five: nothing else would tell that they changed (design 3.6). */
  #requeue(kind: string, outcome: Outcome): Requeue {
    const requeue = requeueOf(outcome, this.#engine);
    if (outcome.is === 'Deleted' || outcome.is === 'Paused') return requeue;
    if (kind === this.#engine.registry.connection.kind) return atMost(requeue, tokenEvery);
    const publishes = this.#engine.registry.kind(kind).publishes !== undefined;
    const blocked = publishes && outcome.is === 'Stalled' && outcome.reason === 'AlreadyExists';
    if (requeue.is !== 'none' && !blocked) return requeue;
    const secrets = publishes || this.#engine.registry.sites(kind).some(({ what }) => what.is === 'secret');
    return secrets ? { is: 'after', delay: minutes(5) } : requeue;
  }

  #failed(id: string, error: unknown, { kind, key, started }: Timing): void {
    const { engine } = this;
    engine.monitor.reconciled(kind, 'error', engine.clock.monotonic() - started);
    if (this.#stopping.signal.aborted) return;
    if (!(error instanceof KubeError)) engine.monitor.panic(kind, key, error);
    else
      engine.log.warn('a write to Kubernetes failed and is tried again', {
        kind,
        namespace: key.namespace,
        name: key.name,
        fault: error.fault,
        message: error.message,
      });
    const soon = isHarmless(error) ? this.#repeats.conflict(id) : undefined;
    if (soon === undefined) this.#queue.retry(id);
    else this.#queue.add(id, { after: soon });
  }
}

const atMost = (requeue: Requeue, longest: number): Requeue =>
  requeue.is === 'backoff'
    ? { ...requeue, atMost: longest }
    : { is: 'after', delay: requeue.is === 'after' ? Math.min(requeue.delay, longest) : longest };

type Done = Reconciled & { readonly object: Resource; readonly notes: Notes };

interface Timing {
  readonly kind: string;
  readonly key: Key;
  readonly started: number;
}
