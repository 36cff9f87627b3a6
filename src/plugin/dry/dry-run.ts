import { AccountReconciler } from '../../engine/account/account-reconciler.ts';
import type { Engine, EngineDependencies } from '../../engine/context.ts';
import { dispatch } from '../../engine/controller/dispatch.ts';
import { onWatchEvent } from '../../engine/controller/watch-handler.ts';
import { assemble } from '../../engine/engine.ts';
import { Memory } from '../../engine/memory/memory.ts';
import { accountKey } from '../../engine/model/account.ts';
import { keyOf, objectId } from '../../engine/model/object-id.ts';
import type { Outcome, StatusDraft } from '../../engine/model/outcome.ts';
import type { BoundRemote, UpdateStep } from '../../engine/model/step.ts';
import { canonical } from '../../engine/model/values.ts';
import type { ConfigMaps, Connector, Key, RemoteCache, Resource, Secrets } from '../../engine/ports/index.ts';
import { statusOf } from '../../engine/status/next-status.ts';
import { type Clock, type Millis, sleep } from '../../lib/clock.ts';
import type { Random } from '../../lib/random.ts';
import { kinds } from '../../generated/kinds.ts';
import { type AnyKind, hasRemote } from '../../resource/index.ts';
import { alone, unheard } from './ports/alone.ts';
import { questionIn } from './asked.ts';
import { capturing, Expected, WouldSend } from './ports/capture.ts';
import { catalogued } from './ports/catalogued.ts';
import { ClusterCopy } from './ports/cluster-copy.ts';
import { carryOut } from './carry-out.ts';
import { batches, goesOn, type Turned, type Turning, unturned, waitsForOthers } from './turned.ts';
import { PartsUnread, readParts, unreadOf } from './unread.ts';
import { UnsignedKey } from './ports/unsigned-key.ts';
import { due, writable } from './ports/writable.ts';

export interface DryRunOptions {
  readonly connector: Connector;
  /** What is looked at: nothing else of the account is read. */
  readonly looksAt: readonly AnyKind[];
  /** Absent: those of this release. */
  readonly kinds?: readonly AnyKind[];
  readonly secrets: Secrets;
  readonly configMaps: ConfigMaps;
  readonly clock: Clock;
  readonly random: Random;
  readonly clusterUid: string;
  readonly signal: AbortSignal;
}

/** More steps than any object takes one after another. */
const mostTurns = 500;
/** What waits for a sweep or for other reads is looked at so often. */
const lookEvery: Millis = 200;

const nothing = (): void => undefined;

/** The engine itself, over a copy of the cluster and behind ports that let reads pass and keep every change. */
export class DryRun {
  readonly #options: DryRunOptions;
  readonly #expected = new Expected();
  readonly #engine: Engine;
  readonly #accounts: AccountReconciler;
  readonly #copy: ClusterCopy;
  readonly #key = new UnsignedKey();
  readonly #turning = new Map<string, Turning>();
  readonly #woken = new Set<string>();

  constructor(options: DryRunOptions) {
    this.#options = options;
    this.#copy = new ClusterCopy((event) => onWatchEvent(this.#engine, event));
    // What is due later does not come by looking again at once.
    const wake: Engine['wake'] = (kind, key, { after = 0 } = {}) => void (after === 0 && this.#woken.add(objectId(kind, key)));
    this.#engine = assemble({ ...this.#ports(), kinds: options.kinds ?? kinds }, new Memory(), wake);
    this.#accounts = new AccountReconciler(this.#engine);
  }

  /** An object of the cluster, or what a manifest makes of it. */
  put(object: Resource): void {
    const isAccount = object.kind === this.#engine.registry.connection.kind;
    this.#key.know(object);
    this.#copy.put(due(isAccount ? writable(object) : object));
  }

  /** Opens the way to these accounts, which were put; those that have none say why in their outcome. */
  async connect(accounts: readonly Resource[], within: Millis): Promise<readonly Turned[]> {
    await this.#settle(accounts, this.#options.clock.monotonic() + within);
    return accounts.map((account) => this.#turned(account));
  }

  /** What the operator would do for these, which were put, once their accounts are connected. */
  async plan(targets: readonly Resource[], within: Millis): Promise<readonly Turned[]> {
    const others = targets.filter(({ kind }) => kind !== this.#engine.registry.connection.kind);
    await catalogued(this.#engine, others);
    await this.#settle(others, this.#options.clock.monotonic() + within);
    return targets.map((target) => this.#turned(target));
  }

  close(): void {
    this.#accounts.closeAll();
  }
  /** The account as the engine has connected it. */
  connected(account: Key): ReturnType<Engine['accounts']['get']> {
    return this.#engine.accounts.get(account);
  }
  /** As it would be by now. */
  now(object: Resource): Resource | undefined {
    return this.#copy.get(object.kind, keyOf(object));
  }

  /** Until each has come to an end; those that wait are looked at again when what they wait for has changed. */
  async #settle(objects: readonly Resource[], until: Millis): Promise<void> {
    let open = objects;
    while (open.length > 0) {
      this.#woken.clear();
      for (const some of batches(open)) await Promise.all(some.map((one) => this.#turns(one)));
      const quiet = objects.filter((one) => this.#state(one).outcome?.is === 'Quiet');
      open = objects.filter((one) => this.#isOpen(one));
      if (open.length > 0 || quiet.length === 0 || this.#options.clock.monotonic() > until) continue;
      await sleep(this.#options.clock, lookEvery, this.#options.signal);
      open = quiet;
    }
  }
  #isOpen(object: Resource): boolean {
    return waitsForOthers(this.#state(object).outcome) && this.#woken.has(objectId(object.kind, keyOf(object)));
  }

  async #turns(target: Resource): Promise<void> {
    const state = this.#state(target);
    for (let left = mostTurns; left > 0; left -= 1) {
      const object = this.#copy.get(target.kind, keyOf(target));
      if (object === undefined) return;
      state.outcome = await this.#turn(object, state);
      if (state.approval === undefined && this.#saidYes(object, state)) continue;
      if (state.outcome !== undefined && !goesOn(state.outcome)) return;
      if (state.outcome === undefined && !(await this.#goesOnAfterCall(object, state))) return;
    }
    throw new Error(`${target.kind} ${target.metadata.name} does not come to an end`);
  }

  #saidYes(object: Resource, state: Turning): boolean {
    const known = this.now(object) ?? object;
    const question = questionIn(state.outcome, known);
    if (question === undefined) return false;
    state.approval = question.asked;
    state.unasked = { calls: state.calls.length, steps: state.steps.length };
    this.#copy.put({ ...known, metadata: { ...known.metadata, annotations: { ...known.metadata.annotations, ...question.yes } } });
    return true;
  }

  /** One reconcile. Undefined: a call was captured. */
  async #turn(object: Resource, state: Turning): Promise<Outcome | undefined> {
    const { signal } = this.#options;
    const status: StatusDraft = {};
    try {
      const done = await dispatch({
        engine: this.#engine,
        accounts: this.#accounts,
        object,
        signals: { signal, intake: signal, onWait: nothing },
        status,
      });
      await this.#note(done);
      return done.outcome;
    } catch (error) {
      if (error instanceof PartsUnread) return this.#readParts(object, state, error);
      if (!(error instanceof WouldSend)) throw error;
      state.calls.push(error);
      return undefined;
    } finally {
      this.#engine.permitQueue.giveBack(object.metadata.uid);
    }
  }

  /** Then the same is decided on what is known by now. */
  async #readParts(object: Resource, state: Turning, unread: PartsUnread): Promise<Outcome> {
    const failed = await readParts(unread, { cache: this.#cacheOf(object), object, signal: this.#options.signal });
    state.unread = new Map([...state.unread, ...failed]);
    return { is: 'Again' };
  }
  #cacheOf(object: Resource): RemoteCache | undefined {
    const account = object.kind === this.#engine.registry.connection.kind ? keyOf(object) : accountKey(object);
    return this.connected(account)?.connection.cache;
  }

  async #note(done: Awaited<ReturnType<typeof dispatch>>): Promise<void> {
    const { object, outcome } = done;
    const known = this.#copy.get(object.kind, keyOf(object));
    if (outcome.is === 'Deleted' || known === undefined) return;
    const status = statusOf(done, this.#options.clock.now(), hasRemote(this.#engine.registry.kind(object.kind)));
    await this.#copy.patch(object.kind, keyOf(object), { type: 'json', ops: [{ op: 'add', path: '/status', value: status }] });
  }

  async #goesOnAfterCall(object: Resource, state: Turning): Promise<boolean> {
    const taken = await this.#nameTaken(object, state);
    if (taken === undefined) return this.#carriedOut(object, state);
    state.calls.pop();
    state.outcome = taken;
    return false;
  }

  /** Where the service itself refuses a second one of a name, the engine looks for the first only once it was refused. */
  async #nameTaken(object: Resource, state: Turning): Promise<Outcome | undefined> {
    const isUnique = this.#engine.registry.kind(object.kind).key?.enforced === 'unique';
    if (!isUnique || state.calls.at(-1)?.change.effect !== 'Create') return undefined;
    const begun = this.now(object);
    this.#copy.put(object);
    this.#expected.taken.add(object.metadata.uid);
    const outcome = await this.#turn(this.now(object) ?? object, state);
    if (outcome?.is === 'Stalled') return outcome;
    // So that another one of this name waits for it, as it would.
    if (begun !== undefined) this.#copy.put(begun);
    return undefined;
  }

  /** False: what comes after the call that was captured last cannot be told, or nothing does. */
  #carriedOut(object: Resource, { calls, steps }: Turning): boolean {
    const sent = calls.at(-1);
    if (sent === undefined) return false;
    // One call is for all fields that it carries, and is made once.
    const again = calls.slice(0, -1).some((before) => isSame(before, sent)) && sent.call.content === undefined;
    if (again) calls.pop();
    const [copy, expected, kind] = [this.#copy, this.#expected, this.#engine.registry.kind(object.kind)];
    return carryOut({ copy, expected, kind, object, again, cache: this.#cacheOf(object) }, sent, steps.at(-1));
  }

  #decided(object: Resource, step: UpdateStep, present: BoundRemote): void {
    const state = this.#state(object);
    const unread = unreadOf(this.#engine.registry.kind(object.kind), object, present).filter((part) => !state.unread.has(part));
    if (unread.length > 0) throw new PartsUnread(present.identity.path, unread);
    state.steps.push({ step, present, supposed: this.#expected.rows.has(present.identity.path) });
  }
  #state(object: Resource): Turning {
    const id = objectId(object.kind, keyOf(object));
    const known = this.#turning.get(id) ?? unturned();
    this.#turning.set(id, known);
    return known;
  }
  #turned(target: Resource): Turned {
    return { kind: this.#engine.registry.kind(target.kind), object: this.now(target) ?? target, ...this.#state(target) };
  }

  #ports(): EngineDependencies {
    const { connector, looksAt, kinds: _, ...given } = this.#options;
    return {
      ...given,
      ...alone,
      key: this.#key,
      objects: this.#copy,
      recorder: { event: (about, { reason }) => void (this.#state(about).adopted ||= reason === 'Adopted') },
      connector: capturing(connector, this.#expected, looksAt),
      monitor: { ...unheard, changing: (change) => (this.#expected.changing = change) },
      onStep: (object, step, present) => this.#decided(object, step, present),
    };
  }
}

const isSame = ({ call: one }: WouldSend, { call: other }: WouldSend): boolean => canonical(one) === canonical(other);
