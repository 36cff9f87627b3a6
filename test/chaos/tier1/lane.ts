import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Millis } from '../../../src/lib/clock.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import type { ControlPlane } from '../../controlplane/control-plane.ts';
import type { LedgerObject } from '../../support/process/emulator-program.ts';
import { plantedArgs } from '../../support/samples/planted.ts';
import { isReady, Stage } from '../../support/process/stage.ts';
import { type AccountPicture, doneAgain, keysOf, pictureOf } from './account-picture.ts';
import { longest } from './patience.ts';
import { PatientCluster } from './patient-cluster.ts';
import { callText, type Step, writes } from './recorded-step.ts';
import { auditFile, Replica } from './replica.ts';
import type { Manifest, Subject } from './subject.ts';
import { Team } from './team.ts';
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
  /** Nothing tells whether it was sent, so that it may not have been done. */
  readonly isOpen?: boolean;
}

/** Scaled like the bounds of the emulator, which commits at once: a case takes seconds. */
const bounds = ['--commit-bound=1s', '--list-lag=1s'];
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
  readonly #team: Team;
  #pods = 0;

  private constructor(stage: Stage, controlPlane: ControlPlane | Cluster, options: LaneOptions) {
    this.stage = stage;
    this.controlPlane = controlPlane;
    this.options = options;
    this.#team = new Team(stage);
  }

  static async open(controlPlane: ControlPlane | Cluster, options: LaneOptions): Promise<Lane> {
    const cluster = new PatientCluster(controlPlane.coordinates);
    const stage = await Stage.open({ cluster, emulator: ['--speed', '50', ...plantedArgs], start: false });
    const lane = new Lane(stage, controlPlane, options);
    try {
      lane.#replicas.push(await lane.openReplica());
      await started(lane.primary);
      // A clean end leaves the compiled code behind, for all the starts to come.
      await lane.primary.end('SIGTERM');
      await started(lane.primary);
      return lane;
    } catch (error) {
      await lane.close();
      throw error;
    }
  }

  /** Of all its replicas. */
  get auditLog(): string {
    return join(this.stage.folder, auditFile);
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

  /** See {@link Team.prepare}. */
  prepare(subject: Subject): Promise<void> {
    return this.#withLog(this.#team.prepare(subject));
  }

  /** Until the operator has nothing left to say. */
  silence(): Promise<void> {
    return this.#traffic.silence();
  }

  create(subject: Manifest, strike?: Strike): Promise<Performed> {
    return this.#perform(
      () => this.#team.create(subject),
      () => this.#team.made(subject),
      strike,
      subject,
    );
  }
  update(subject: Manifest, spec: object, strike?: Strike): Promise<Performed> {
    return this.#perform(
      () => this.#team.replace(subject, spec),
      () => this.#team.until(subject, isReady),
      strike,
    );
  }
  delete(subject: Manifest, strike?: Strike): Promise<Performed> {
    return this.#perform(
      () => this.#team.delete(subject),
      () => this.#team.until(subject, (object) => object === undefined),
      strike,
    );
  }

  /** `once`: what must not be done twice by it. */
  async #perform(
    begin: () => Promise<unknown>,
    done: () => Promise<unknown>,
    strike: Strike | undefined,
    once?: Manifest,
  ): Promise<Performed> {
    await strike?.prelude?.(this);
    const before = keysOf(await this.#objects());
    const fallen = this.#traffic.arm(strike?.step, () => strike?.fall(this) === true);
    await begin().catch((error: unknown) => {
      strike?.epilogue?.(this);
      throw error;
    });
    const ended = this.#withLog(done());
    // Its rejection is awaited below, whatever happens first.
    ended.catch(() => undefined);
    const struck = await Promise.race([fallen.then(() => true), ended.then(() => this.#traffic.silence()).then(() => false)]);
    // A step that comes only now would end a process that nobody starts again.
    if (!struck) this.#traffic.disarm();
    const wrong = struck ? await strike?.aftermath(this) : [];
    const isOpen = (await ended.finally(() => strike?.epilogue?.(this))) === 'open';
    await this.#traffic.silence();
    const surprises = this.primary.surprises.splice(0).map((code) => `the operator ended with ${code}`);
    const objects = await this.#objects();
    return {
      calls: this.#traffic.disarm(),
      picture: pictureOf(objects, before),
      struck,
      isOpen,
      wrong: [...(wrong ?? []), ...surprises, ...(once === undefined ? [] : doneAgain(objects, before, once))],
    };
  }

  async #withLog<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      const log = await this.primary.program.lines();
      throw new Error(`${String(error)}\n${log.slice(-60).join('\n')}`, { cause: error });
    }
  }
  #objects(): Promise<readonly LedgerObject[]> {
    return this.stage.emulator.everything();
  }
}

/** Resolves when the replica's process leads and works. */
export async function started(replica: Replica, script?: string): Promise<void> {
  const program = await replica.start(script);
  await program.line((line) => line.includes('"working"'), longest);
}
