import type { Millis } from '../../../src/lib/clock.ts';
import { shownTime } from '../../../src/lib/utc-time.ts';
import type { Call, Row } from '../../../src/resource/index.ts';
import type { ActAs } from '../../emulator/core/control.ts';
import type { LedgerObject } from '../../emulator/core/ledger.ts';
import type { Condition, KubeObject, World } from '../../support/world/world.ts';
import type { Violation } from '../oracles/oracle.ts';
import type { Reference } from '../run/reference.ts';
import type { Manifest } from '../scenario/scenario.ts';
import { isReady } from '../stage/readiness.ts';
import { Stage } from '../stage/stage.ts';
import { endOf, isDead } from '../evidence/standing.ts';
import { changesSomething } from '../stage/step.ts';
import { isPassage, type Passage } from '../stage/wire.ts';
import { collectionOf, comesLater, createCallOf } from './recorded.ts';

export const minute: Millis = 60_000;
const colleague = 'colleague';

export interface Setting {
  /** Of what the sample refers to nothing is there yet. */
  readonly bare?: true;
  /** A second operator stands by. */
  readonly standby?: true;
  /** The account names no installation. */
  readonly unnamed?: true;
}

export interface Planting {
  /** A label in place of the one that the operator would give. */
  readonly label?: string;
  /** Of what the operator would send, these fields are left out. */
  readonly without?: readonly string[];
  readonly tags?: readonly string[];
  /** Who makes it, in place of the colleague. */
  readonly username?: string;
  /** Nobody waits until the event of it is old. */
  readonly fresh?: true;
}

const partsIn = (path: string): number => path.replace(/^\/v4(?:beta)?|\?.*$/g, '').split('/').length;

/** `vm` of `/v4/vm/instances`. */
const areaOf = (path: string): string | undefined => path.replace(/^\/v4(?:beta)?/, '').split('/')[1];

/** A world in which a situation plays, with hands for those who act in it and eyes on the ledgers of both sides. */
export class Scene {
  readonly stage: Stage;
  readonly reference: Reference;
  readonly violations: Violation[] = [];
  readonly #before: ReadonlySet<LedgerObject>;
  readonly #planted = new Set<LedgerObject>();

  private constructor(stage: Stage, reference: Reference) {
    this.stage = stage;
    this.reference = reference;
    this.#before = new Set(stage.world.emulator.control.objects());
    stage.wire.begin();
  }
  static async open(reference: Reference, { bare, standby, unnamed }: Setting): Promise<Scene> {
    const { scenario } = reference;
    return new Scene(await Stage.open(bare ? { ...scenario, needs: [] } : scenario, { standby, unnamed }), reference);
  }

  get world(): World {
    return this.stage.world;
  }
  get subject(): Manifest {
    return this.reference.scenario.subject;
  }

  /** Who acts in the account beside the operator; what belongs to a profile only its own user can touch. */
  get actor(): string {
    return createCallOf(this.reference)?.path.startsWith('/v4/profile/') === true ? 'admin' : colleague;
  }

  /** Notes a violation unless `holds`. */
  check(oracle: string, holds: boolean, message: () => string): void {
    if (!holds) this.violations.push({ oracle, message: message() });
  }

  async apply(change: Row = {}, name = this.subject.name, namespace?: string): Promise<void> {
    await this.world.provide(this.subject, namespace);
    const lifecycle = { ...(this.subject.spec['lifecycle'] as Row), ...(change['lifecycle'] as Row | undefined) };
    if (name === this.subject.name && namespace === undefined) this.stage.sampler.start(this.subject);
    this.stage.wire.mark(`${this.subject.kind} ${name} is applied in ${namespace ?? 'team-a'}`);
    await this.world.apply(this.subject.kind, name, { ...this.subject.spec, ...change, lifecycle }, namespace);
  }
  find(name = this.subject.name, namespace?: string): Promise<KubeObject | undefined> {
    return this.world.find(this.subject.kind, name, namespace);
  }
  async annotate(annotations: Readonly<Record<string, string | null>>, name = this.subject.name): Promise<void> {
    const named = Object.entries(annotations).map(([key, value]) => [`cloudhosting.dev/${key}`, value]);
    await this.world.patch(this.subject.kind, name, { metadata: { annotations: Object.fromEntries(named) as Row } });
  }
  delete(name = this.subject.name): Promise<unknown> {
    return this.world.delete(this.subject.kind, name);
  }
  patchAccount(change: object): Promise<unknown> {
    return this.world.patch('CloudAccount', 'default', change);
  }

  async until(done: () => boolean | Promise<boolean>, limit: Millis): Promise<boolean> {
    try {
      await this.world.clock.runUntil(done, limit);
      return true;
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('not so within')) return false;
      throw error;
    }
  }
  pass(span: Millis): Promise<void> {
    return this.world.clock.advance(span);
  }
  /** So many days from now, as people write a time. */
  inDays(days: number): string {
    return shownTime(this.world.clock.now() + days * 24 * 60 * minute);
  }
  /** Waits for Ready and calls it a violation when that does not come. */
  async ready(name = this.subject.name, limit: Millis = 30 * minute): Promise<void> {
    const done = await this.until(async () => isReady(await this.find(name)), limit);
    if (done) return;
    const { reason, message } = (await this.condition('Ready', name)) ?? {};
    this.check('O4 converges and stays', false, () => `${name} is not Ready within ${limit / minute} minutes: ${reason}: ${message}`);
  }
  /** Applied and Ready for so long that none of what made it is news any more; its remote. */
  async atRest(change: Row = {}): Promise<LedgerObject> {
    await this.apply(change);
    await this.ready();
    await this.pass(3 * minute);
    const [mine] = this.alive();
    if (mine === undefined) throw new Error('there is no remote');
    return mine;
  }
  async gone(name = this.subject.name, limit: Millis = 30 * minute): Promise<void> {
    const done = await this.until(async () => (await this.find(name)) === undefined, limit);
    if (!done) this.check('O4 converges and stays', false, () => `${name} is not gone ${limit / minute} minutes after its deletion`);
  }
  async condition(type: string, name = this.subject.name): Promise<Condition | undefined> {
    return (await this.find(name))?.status?.conditions?.find((one) => one.type === type);
  }
  async expectReason(reasons: readonly string[], name = this.subject.name): Promise<void> {
    const synced = await this.condition('Synced', name);
    this.check(
      'O8 truthful status',
      reasons.includes(synced?.reason ?? ''),
      () => `Synced says ${synced?.reason}: ${synced?.message}; it should say ${reasons.join(' or ')}`,
    );
  }

  /** What the operator made of the subject's kind since the scene began, dead or alive. */
  made(): readonly LedgerObject[] {
    return this.#lives().filter((life) => !this.#planted.has(life));
  }
  alive(): readonly LedgerObject[] {
    return this.#lives().filter((life) => !isDead(life));
  }
  #lives(): readonly LedgerObject[] {
    const collection = collectionOf(this.reference);
    const lives = this.world.emulator.control.objects().filter((life) => life.collection === collection && !this.#before.has(life));
    return lives.filter((life) => !this.#isMadeAlong(life));
  }
  /** By a call that makes something else, such as the first pools of a cluster. */
  #isMadeAlong({ origin }: LedgerObject): boolean {
    const [, seq] = /^request (\d+)$/.exec(origin) ?? [];
    const create = createCallOf(this.reference);
    const call =
      seq === undefined ? undefined : this.world.emulator.control.requests(Number(seq) - 1).find((one) => one.seq === Number(seq));
    if (create === undefined || call?.method !== 'POST' || call.username !== 'admin') return false;
    return partsIn(call.path) !== partsIn(create.path) || areaOf(call.path) !== areaOf(create.path);
  }
  expectMade(most: number, why: string): void {
    const made = this.made().length;
    this.check('O1 no duplicate', made === most, () => `${made} were made, ${most} should have been: ${why}`);
  }
  expectAlive(life: LedgerObject | undefined, why: string): void {
    this.check('O5 no wrong victim', life !== undefined && !isDead(life), () => `${life?.collection} ${life?.key} died: ${why}`);
  }
  expectDead(life: LedgerObject | undefined, why: string): void {
    this.check('O2 no orphan', life !== undefined && isDead(life), () => `${life?.collection} ${life?.key} is left: ${why}`);
  }
  /** Calls of operators that change something, from here on. */
  watchChanges(): () => readonly Passage[] {
    const from = this.stage.wire.record.length;
    return () => this.passages(from).filter(({ server, request }) => server === 'cloud' && changesSomething(request));
  }
  passages(from = 0): readonly Passage[] {
    return this.stage.wire.record.slice(from).filter(isPassage);
  }
  expectNoChange(changes: () => readonly Passage[], why: string): void {
    const [first] = changes();
    this.check('O5 no wrong victim', first === undefined, () => `${first?.shape} was sent: ${why}`);
  }

  /** Out of the operator's sight; throws unless it is done. */
  async outside(act: Omit<ActAs, 'username'> & { readonly username?: string }): Promise<void> {
    const { status, body } = await this.world.emulator.control.actAs({ username: this.actor, ...act });
    this.stage.wire.mark(`${this.actor}: ${act.method} ${act.path} -> ${status}`);
    if (status >= 300) throw new Error(`${act.method} ${act.path}: ${status} ${String(body)}`);
  }
  /** The colleague makes what the operator would have made. */
  async plant({ label, without = [], tags = [], username, fresh }: Planting = {}): Promise<LedgerObject> {
    const call = createCallOf(this.reference);
    if (call === undefined) throw new Error('the recorded create made nothing');
    const known = new Set(this.#lives());
    const body = { ...plantedBody(call.body, { without, tags }), ...(label !== undefined && { label }) };
    await this.outside({ method: 'POST', path: call.path, body, ...(username !== undefined && { username }) });
    if (comesLater(this.reference)) await this.pass(4 * minute);
    const planted = this.#lives().find((life) => !known.has(life));
    if (planted === undefined) throw new Error('nothing was planted');
    this.#planted.add(planted);
    if (fresh !== true) await this.pass(3 * minute);
    return planted;
  }
  /** The call by which the operator takes it away. */
  endOf(life: LedgerObject): Call {
    return endOf(this.reference.scenario.kind, this.pathOf(life), life);
  }
  /** Neutral item path of a life of the subject's kind. */
  pathOf({ key }: LedgerObject): string {
    const { path = '', id = '' } = (JSON.parse(this.reference.evidence.status) ?? {}) as { path?: string; id?: string };
    return path.slice(0, path.length - id.length) + String(key);
  }
}

function plantedBody(sent: Row, { without, tags }: Required<Pick<Planting, 'without' | 'tags'>>): Row {
  const body = Object.fromEntries(Object.entries(sent).filter(([field]) => !without.includes(field)));
  const own = ((sent['tags'] ?? []) as string[]).filter((tag) => !tag.startsWith('co-'));
  return sent['tags'] === undefined ? body : { ...body, tags: [...own, ...tags] };
}
