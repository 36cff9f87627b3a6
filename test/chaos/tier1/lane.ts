import { randomBytes } from 'node:crypto';
import { sleep, systemClock, type Millis } from '../../../src/lib/clock.ts';
import { Cluster } from '../../controlplane/cluster.ts';
import type { ControlPlane } from '../../controlplane/control-plane.ts';
import type { LedgerObject } from '../../support/emulator-program.ts';
import { isReady, Stage } from '../../support/stage.ts';
import { type AccountPicture, keysOf, pictureOf } from './account-picture.ts';
import { callText, type Step, writes } from './recorded-step.ts';
import { Replica } from './replica.ts';
import { type Manifest, type Subject, subjects } from './subject.ts';
import { type Call, Traffic } from './traffic.ts';

/** What happens at a step. */
export interface Strike {
  readonly step: Step;
  /** Before the operation begins. */
  readonly prelude?: (lane: Lane) => Promise<void>;
  /** At once, when the step comes; true: the operator's request, or its answer, is lost there. */
  readonly fall: (lane: Lane) => boolean;
  /** All that follows until the operator is left in peace; answers what was not as it must be. */
  readonly aftermath: (lane: Lane) => Promise<readonly string[]>;
  /** At the end in any case, also when the step never came. */
  readonly epilogue?: (lane: Lane) => void;
}
/** What an operation came to. */
export interface Performed {
  readonly calls: readonly Call[];
  readonly picture: AccountPicture;
  /** False when the step never came. */
  readonly struck: boolean;
  readonly wrong: readonly string[];
}

/** Scaled like the bounds of the emulator, which commits at once: a case takes seconds. */
const bounds = ['--commit-bound=1s', '--list-lag=1s'];
/** Longest that an operation may take, whatever happens meanwhile. */
const limit: Millis = 90_000;

export interface LaneOptions {
  readonly leaseDuration: Millis;
}

/** A release, an account and a replica with a crossing on each side, on which one kind after the other is made, changed and deleted. */
export class Lane {
  readonly stage: Stage;
  readonly controlPlane: ControlPlane | Cluster;
  readonly options: LaneOptions;
  /** Writes by replicas that are not the primary, in order. */
  readonly strays: string[] = [];
  readonly #traffic = new Traffic();
  readonly #replicas: Replica[] = [];
  #pods = 0;
  #accounts = 0;

  private constructor(stage: Stage, controlPlane: ControlPlane | Cluster, options: LaneOptions) {
    this.stage = stage;
    this.controlPlane = controlPlane;
    this.options = options;
  }

  static async open(controlPlane: ControlPlane | Cluster, options: LaneOptions): Promise<Lane> {
    const cluster = new Cluster(controlPlane.coordinates);
    const stage = await Stage.open({ cluster, emulator: ['--speed', '50'], start: false });
    const lane = new Lane(stage, controlPlane, options);
    try {
      lane.#replicas.push(await lane.openReplica());
      await started(lane.primary);
      return lane;
    } catch (error) {
      await lane.close();
      throw error;
    }
  }

  /** Ends the lane's processes. Its objects stay; who ends the control plane ends them. */
  async close(): Promise<void> {
    await Promise.all(this.#replicas.map((replica) => replica.close()));
    await this.stage.abandon();
  }

  /** The replica on which steps are counted and faults fall. */
  get primary(): Replica {
    const [primary] = this.#replicas;
    if (primary === undefined) throw new Error('the lane has no replica');
    return primary;
  }

  /** A pod of its own name, not started. */
  async openReplica(): Promise<Replica> {
    const { cluster, installed, folder, emulator } = this.stage;
    const replica: Replica = await Replica.open({
      name: `operator-${(this.#pods += 1)}-${randomBytes(2).toString('hex')}`,
      cluster,
      installed,
      folder,
      apiUrl: emulator.ready.url,
      flags: [...bounds, `--lease-duration=${this.options.leaseDuration / 1_000}s`],
      guard: (passage, point) => {
        if (replica === this.primary) return this.#traffic.guard(passage, point);
        if (point === 'before' && writes(passage)) this.strays.push(callText(passage));
        return false;
      },
    });
    return replica;
  }
  /** From now on it is the primary; the one before is nobody's any more but the caller's. */
  promote(replica: Replica): void {
    this.strays.splice(0);
    this.#replicas[0] = replica;
  }

  /** What the subject needs, and nothing of what the one before needed; in an account of another name, which remembers no deletions. */
  async prepare({ kind, name, needs, secrets }: Subject): Promise<void> {
    await this.#empty();
    await this.#secret('cloud', { token: 'token-admin' });
    for (const [secret, data] of Object.entries(secrets)) await this.#secret(secret, data);
    this.#accounts += 1;
    if (kind !== 'CloudAccount') {
      const spec = { endpoint: 'default', tokenSecretRef: { name: 'cloud', key: 'token' } };
      await this.#apply({ kind: 'CloudAccount', name: this.#account, spec });
    }
    for (const need of needs.filter((one) => one.name !== name || one.kind !== kind)) {
      await this.#apply(need);
      await this.#until(need, isReady);
    }
  }

  /** Until the operator has nothing left to say. */
  silence(): Promise<void> {
    return this.#traffic.silence();
  }

  create(subject: Manifest, strike?: Strike): Promise<Performed> {
    return this.#perform(
      () => this.#apply(subject),
      () => this.#until(subject, isReady),
      strike,
    );
  }
  update(subject: Manifest, spec: object, strike?: Strike): Promise<Performed> {
    return this.#perform(
      () => this.#replace(subject, spec),
      () => this.#until(subject, isReady),
      strike,
    );
  }
  delete(subject: Manifest, strike?: Strike): Promise<Performed> {
    return this.#perform(
      () => this.#must(this.stage.cluster.request('DELETE', this.stage.path(subject.kind, subject.name))),
      () => this.#until(subject, (object) => object === undefined),
      strike,
    );
  }

  async #perform(begin: () => Promise<unknown>, done: () => Promise<unknown>, strike: Strike | undefined): Promise<Performed> {
    await strike?.prelude?.(this);
    const before = keysOf(await this.#objects());
    const fallen = this.#traffic.arm(strike?.step, () => strike?.fall(this) === true);
    await begin();
    const ended = done();
    // Its rejection is awaited below, whatever happens first.
    ended.catch(() => undefined);
    const struck = await Promise.race([fallen.then(() => true), ended.then(() => this.#traffic.silence()).then(() => false)]);
    const wrong = struck ? await strike?.aftermath(this) : [];
    await ended.finally(() => strike?.epilogue?.(this));
    await this.#traffic.silence();
    const surprises = this.primary.surprises.splice(0).map((code) => `the operator ended with ${code}`);
    return {
      calls: this.#traffic.disarm(),
      picture: pictureOf(await this.#objects(), before),
      struck,
      wrong: [...(wrong ?? []), ...surprises],
    };
  }

  /** A server that is away for a while is asked again. */
  async #until({ kind, name }: Manifest, done: (object: Awaited<ReturnType<Stage['find']>>) => boolean): Promise<void> {
    const end = systemClock.monotonic() + limit;
    for (;;) {
      const left = end - systemClock.monotonic();
      try {
        await this.stage.until([kind, name], done, left);
        return;
      } catch (error) {
        if (!isNetwork(error) || left < 0) throw await this.#withLog(error);
        await sleep(systemClock, 200);
      }
    }
  }
  async #withLog(error: unknown): Promise<Error> {
    const log = await this.primary.program.lines();
    return new Error(`${String(error)}\n${log.slice(-60).join('\n')}`);
  }
  #objects(): Promise<readonly LedgerObject[]> {
    return this.stage.emulator.everything();
  }
  /** Deletes everything in the team's namespace; requests of our own, because kubectl takes seconds of a busy machine. */
  async #empty(): Promise<void> {
    const { cluster } = this.stage;
    const paths = subjects.map(({ kind }) => this.stage.path(kind));
    await Promise.all(paths.map((path) => this.#must(cluster.request('DELETE', path))));
    const end = systemClock.monotonic() + limit;
    for (;;) {
      const lists = await Promise.all(paths.map((path) => cluster.request<{ items?: readonly object[] }>('GET', path)));
      if (lists.every(({ body }) => body.items?.length === 0)) return;
      if (systemClock.monotonic() > end)
        throw await this.#withLog(`objects were not deleted: ${JSON.stringify(lists.map(({ body }) => body))}`);
      await sleep(systemClock, 100);
    }
  }
  async #secret(name: string, stringData: Readonly<Record<string, string>>): Promise<void> {
    const path = `/api/v1/namespaces/${this.stage.namespace}/secrets`;
    const { status } = await this.stage.cluster.request('POST', path, { body: { metadata: { name }, stringData } });
    if (status >= 300 && status !== 409) throw new Error(`Secret ${name}: ${status}`);
  }
  get #account(): string {
    return `account-${this.#accounts}`;
  }
  #spec(kind: string, spec: object): object {
    return kind === 'CloudAccount' ? spec : { ...spec, accountRef: { name: this.#account } };
  }
  async #apply({ kind, name, spec }: Manifest): Promise<void> {
    const body = this.stage.manifest(kind, name, this.#spec(kind, spec));
    await this.#must(this.stage.cluster.request('POST', this.stage.path(kind), { body }));
  }
  async #replace({ kind, name }: Manifest, spec: object): Promise<void> {
    const object = await this.stage.find(kind, name);
    const body = { ...object, spec: this.#spec(kind, spec) };
    await this.#must(this.stage.cluster.request('PUT', this.stage.path(kind, name), { body }));
  }
  async #must(answer: Promise<{ readonly status: number; readonly body: Record<string, unknown> }>): Promise<void> {
    const { status, body } = await answer;
    if (status >= 300) throw new Error(`${status}: ${String(body['message'])}`);
  }
}

/** Resolves when the replica's process leads and works. */
export async function started(replica: Replica, script?: string): Promise<void> {
  const program = await replica.start(script);
  await program.line((line) => line.includes('"working"'), 60_000);
}

const isNetwork = (error: unknown): boolean => /ECONN|socket|other side closed|EPIPE/i.test((error as Error).message);
