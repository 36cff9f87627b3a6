import type { Millis } from '../../../src/lib/clock.ts';
import type { AnyKind, Row } from '../../../src/resource/index.ts';
import { accountsOf } from './chaos-accounts.ts';
import type { LedgerObject } from '../../emulator/core/ledger.ts';
import { ImageSource } from '../../support/world/image-source.ts';
import { planted } from '../../support/samples/planted.ts';
import { type KubeObject, type RunningOperator, World } from '../../support/world/world.ts';
import { chartGrants, operatorToken, operatorUser } from './chart-rights.ts';
import { confirming, hold } from './beside.ts';
import { leaseDuration, leasePath, restartAfter, usualLease } from './lease.ts';
import { isSettled } from './readiness.ts';
import { pictureOf } from '../evidence/picture.ts';
import { lifeAt, staleness } from './remote.ts';
import { asked, hasEnded } from '../scenario/operation.ts';
import type { Manifest, Scenario } from '../scenario/scenario.ts';
import { tokenCanary } from '../scenario/scenario.ts';
import { PublishedKeys } from '../oracles/published-keys.ts';
import { Sampler } from '../oracles/sampler.ts';
import { Wire } from './wire.ts';

const pollInterval = { pollIntervalSeconds: 60 };
/** Always the same, because derived labels are made with it. */
export const theKey = Buffer.alloc(32, 'key').toString('base64');

interface Opening {
  readonly standby?: boolean | undefined;
  readonly unnamed?: boolean | undefined;
  /** Served by the operator; all when absent. */
  readonly kinds?: readonly AnyKind[];
}

/** A world in which one scenario plays, with the wire that strikes and the sampler that watches. */
export class Stage {
  readonly scenario: Scenario;
  readonly world: World;
  readonly wire: Wire;
  readonly sampler: Sampler;
  readonly publishedKeys: PublishedKeys;
  readonly operators: RunningOperator[] = [];
  /** Who stood still until another could lead, and when it went on. */
  readonly resumed: { readonly by: string; readonly at: Millis }[] = [];
  readonly #lives = new Map<string, LedgerObject>();
  readonly #confirm = confirming(this);
  readonly #look = (): void => {
    this.sampler.look();
    this.publishedKeys.look();
    this.#confirm();
  };
  /** The subject is deleted on the way, so that its end is to be gone. */
  endsGone = false;
  /** What lived in the account when the operation began. */
  before: ReadonlySet<LedgerObject> = new Set();

  private constructor(scenario: Scenario, world: World, wire: Wire) {
    this.scenario = scenario;
    this.world = world;
    this.wire = wire;
    this.sampler = new Sampler(world);
    this.publishedKeys = new PublishedKeys(world, scenario);
    wire.onEnd = this.#look;
  }

  /** Everything that the scenario needs is there and ready, and nothing was struck so far. */
  static async open(scenario: Scenario, { standby = false, unnamed = false, kinds }: Opening = {}): Promise<Stage> {
    const { corner } = scenario;
    const hold: { wire?: Wire } = {};
    const world = await World.create({
      ...(kinds && { kinds }),
      sources: { 'https://images.example.com': new ImageSource() },
      leaseDuration: standby ? usualLease : leaseDuration,
      emulator: { accounts: accountsOf(corner), knobs: { ...planted, ...corner.knobs }, speed: 5 },
      between: (server, backend, operator) => hold.wire?.between(server, backend, operator) ?? backend,
    });
    hold.wire = new Wire(
      () => world.clock.monotonic(),
      (request) => world.emulator.rateClass(request),
    );
    world.server.addUser(operatorToken, operatorUser);
    world.server.setGrants(chartGrants);
    await world.secret('cloud-operator-key', { key: theKey }, 'cloud-operator');
    const stage = new Stage(scenario, world, hold.wire);
    await stage.#prepare(unnamed);
    if (standby) stage.launch();
    if (standby) await world.clock.advance(5_000);
    return stage;
  }

  launch(): RunningOperator {
    const operator = this.world.launch(operatorToken);
    this.operators.push(operator);
    this.wire.mark(`${operator.identity} starts`);
    return operator;
  }
  /** As kill -9: the process does nothing more; another one starts soon. */
  kill(operator: RunningOperator): void {
    if (!operator.process.alive) return;
    this.wire.mark(`${operator.identity} is killed`);
    operator.kill();
    void this.world.server.as('admin', 'DELETE', leasePath);
    this.world.clock.after(restartAfter, () => void this.launch());
  }

  /** Another team, with its own way to the same account. */
  async secondNamespace(name: string, token = tokenCanary): Promise<void> {
    await this.world.namespace(name);
    await this.world.account(pollInterval, name, token);
  }

  /** Does what the scenario is about; it is not awaited here. */
  async act(): Promise<void> {
    const { operation, subject } = this.scenario;
    this.before = new Set(this.world.emulator.control.objects());
    this.wire.begin();
    this.sampler.start(subject, {
      picture: () => pictureOf(this),
      isDead: (path) => this.#isDead(path),
      staleness,
    });
    if (operation.is === 'create') await this.apply(subject);
    else await asked(this.world, operation, subject);
  }

  /** As SIGTERM, and the orchestrator's restart when the process has ended. */
  terminate(operator: RunningOperator): void {
    if (!operator.process.alive) return;
    this.wire.mark(`${operator.identity} is asked to stop`);
    const end = (): void => this.kill(operator);
    void operator.operator.stop().then(end, end);
  }
  /** As SIGSTOP: nothing runs, nothing is received; after `span` it goes on as if nothing had been. */
  freeze(operator: RunningOperator, span: Millis): void {
    const goOn = this.#stopped(operator);
    this.world.clock.after(span, () => {
      operator.process.thaw();
      goOn();
    });
  }
  /** The same until the very moment when another one leads; and what has come into its sockets is read before its timers fire. */
  freezeUntilReplaced(operator: RunningOperator): void {
    const goOn = this.#stopped(operator);
    this.wire.onLeaseTaken = (by) => {
      if (by === operator.identity) return;
      this.wire.onLeaseTaken = () => undefined;
      goOn();
      this.world.clock.after(1, () => operator.process.thaw());
    };
  }
  #stopped(operator: RunningOperator): () => void {
    this.wire.mark(`${operator.identity} is stopped`);
    const thaw = this.wire.freeze(operator);
    operator.process.freeze();
    return () => {
      this.wire.mark(`${operator.identity} goes on`);
      this.resumed.push({ by: operator.identity, at: this.world.clock.monotonic() });
      thaw();
    };
  }

  /** As a user; throws when admission refuses it. */
  async edit(spec: Row): Promise<void> {
    const { kind, name } = this.scenario.subject;
    await this.world.apply(kind, name, spec);
  }

  subject(): Promise<KubeObject | undefined> {
    const { kind, name } = this.scenario.subject;
    return this.world.find(kind, name);
  }
  /** The operation has come to its end: gone, or ready for its newest generation. */
  async isDone(): Promise<boolean> {
    const object = await this.subject();
    return this.endsGone ? object === undefined : hasEnded(this.scenario.operation, object);
  }
  /** Time passes until the operation is done; false when it is not within the limit. */
  async finish(limit: Millis): Promise<boolean> {
    return this.#until(() => this.isDone(), limit);
  }
  /** Time passes until the operator has come to a verdict on the newest spec: as wanted, or a person must act. */
  async settled(limit: Millis): Promise<boolean> {
    return this.#until(async () => isSettled(await this.subject()), limit);
  }
  async pass(span: Millis): Promise<void> {
    const end = this.world.clock.monotonic() + span;
    await this.#until(() => this.world.clock.monotonic() >= end, span);
  }
  /** As an administrator; what the object no longer has cannot be taken from it. */
  async patchSubject(change: object, subresource?: string): Promise<void> {
    const { kind, name } = this.scenario.subject;
    const path = this.world.path(kind, undefined, name) + (subresource === undefined ? '' : `/${subresource}`);
    await this.world.server.as('admin', 'PATCH', path, change);
  }
  async deleteSubject(): Promise<void> {
    const { kind, name } = this.scenario.subject;
    await this.world.server.as('admin', 'DELETE', this.world.path(kind, undefined, name));
  }
  async remove(limit: Millis): Promise<boolean> {
    const { kind, name } = this.scenario.subject;
    this.wire.mark(`${kind} ${name} is deleted`);
    await this.world.delete(kind, name);
    return this.#until(async () => (await this.subject()) === undefined, limit);
  }

  async #prepare(unnamed: boolean): Promise<void> {
    const { needs, operation, subject } = this.scenario;
    const { world } = this;
    if (this.scenario.kind.mode === 'connection') await world.secret('cloud-token', { token: tokenCanary });
    else await world.account(unnamed ? { ...pollInterval, installation: undefined } : pollInterval, undefined, tokenCanary);
    this.launch();
    for (const need of needs) await this.apply(need);
    for (const { kind, name } of needs) await world.ready(kind, name);
    await hold(this);
    if (operation.is !== 'create') {
      await this.apply(subject);
      await world.ready(subject.kind, subject.name);
    }
    // What the preparation woke comes to rest, so that the recorded steps are the operation's own.
    await world.clock.advance(130_000);
  }

  /** As a user; with the Secrets and ConfigMaps that it names. */
  async apply({ kind, name, spec, labels, ...named }: Manifest): Promise<void> {
    await this.world.provide(named);
    await this.world.apply(kind, name, spec);
    if (labels !== undefined) await this.world.patch(kind, name, { metadata: { labels } });
  }

  #isDead(path: string): boolean {
    const known = this.#lives.get(path);
    // What is made anew under a name, such as a bucket, stands where the other stood.
    const life = known === undefined || known.diedAt !== undefined ? lifeAt(this, path) : known;
    if (life !== undefined) this.#lives.set(path, life);
    return life?.diedAt !== undefined;
  }

  async #until(done: () => boolean | Promise<boolean>, limit: Millis): Promise<boolean> {
    const { clock } = this.world;
    const end = clock.monotonic() + limit;
    let timer = clock.after(limit, () => undefined);
    await clock
      .runUntil(async () => {
        this.#look();
        return clock.monotonic() >= end || (await done());
      }, limit + 1)
      .catch((error: unknown) => {
        if (!(error instanceof Error) || !error.message.startsWith('not so within')) throw error;
      });
    timer.cancel();
    return done();
  }
}
