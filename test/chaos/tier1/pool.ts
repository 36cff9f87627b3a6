import { auditPosition } from '../../controlplane/servers/audit-log.ts';
import type { ControlPlane } from '../../controlplane/control-plane.ts';
import { startControlPlane } from '../../controlplane/start.ts';
import type { Family } from './family.ts';
import { Lane } from './lane.ts';
import type { Subject } from './subject.ts';

const silent = (): void => undefined;

/** One of several that work side by side: it opens a lane as the family needs it, and keeps it as long as it serves. */
export class Slot {
  readonly #pool: Pool;
  #lane: Lane | undefined;
  #family: Family | undefined;
  /** Of this slot alone. */
  #own: ControlPlane | undefined;
  #prepared: string | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** A lane on which the subject can be made; anew, so that nothing of what went before plays a part. */
  async lane(family: Family, subject: Subject, anew = false): Promise<Lane> {
    const lane = this.#lane !== undefined && this.#serves(family) ? this.#lane : await this.#opened(family);
    const prepare = (): Promise<void> => lane.prepare(subject);
    if (anew || this.#prepared !== subject.kind) await (family.controlPlane?.expecting?.(lane, prepare) ?? prepare());
    this.#prepared = subject.kind;
    return lane;
  }

  async #opened(family: Family): Promise<Lane> {
    await this.drop();
    this.#family = family;
    if (family.controlPlane?.of === 'lane') this.#own = await this.#pool.start(family);
    const controlPlane = this.#own ?? (await this.#pool.shared(family));
    const open = (): Promise<Lane> => Lane.open(controlPlane, family);
    this.#lane = await (family.controlPlane?.spare?.(controlPlane, open) ?? open());
    return this.#lane;
  }

  /** The next life has a lane of its own. */
  async drop(): Promise<void> {
    const [lane, own] = [this.#lane, this.#own];
    this.#lane = undefined;
    this.#own = undefined;
    this.#prepared = undefined;
    await lane?.close();
    if (own !== undefined) await this.#pool.stop(own);
  }

  #serves({ leaseDuration, controlPlane }: Family): boolean {
    return this.#family?.leaseDuration === leaseDuration && this.#family.controlPlane === controlPlane;
  }
}

/** All that a run has started, and its end. */
export class Pool {
  readonly slots: readonly Slot[];
  /** Of requests that the API server forbade to an operator. */
  readonly forbidden: string[] = [];
  readonly #started = new Map<ControlPlane, Family>();
  readonly #shared = new Map<Family['controlPlane'], Promise<ControlPlane>>();

  constructor(jobs: number) {
    this.slots = Array.from({ length: jobs }, () => new Slot(this));
  }

  /** The one of all lanes of a family; families whose fault is not the control plane's have one together. */
  shared(family: Family): Promise<ControlPlane> {
    const one = this.#shared.get(family.controlPlane) ?? this.start(family);
    this.#shared.set(family.controlPlane, one);
    one.catch(() => this.#shared.delete(family.controlPlane));
    return one;
  }
  async start(family: Family): Promise<ControlPlane> {
    const controlPlane = await startControlPlane({ log: silent, ...family.controlPlane?.options });
    this.#started.set(controlPlane, family);
    return controlPlane;
  }
  async stop(controlPlane: ControlPlane): Promise<void> {
    const mayRefuse = this.#started.get(controlPlane)?.refusesAtStart === true;
    this.#started.delete(controlPlane);
    if (!mayRefuse) this.forbidden.push(...(await forbiddenIn(controlPlane)));
    await controlPlane.stop();
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.slots.map((slot) => slot.drop()));
    for (const controlPlane of this.#started.keys()) await this.stop(controlPlane);
  }
}

/** Every 403 that a ServiceAccount of ours was given, once per request. */
async function forbiddenIn(controlPlane: ControlPlane): Promise<readonly string[]> {
  if ((await auditPosition(controlPlane.coordinates.auditLog)) === 0) return [];
  const entries = await controlPlane.auditLog();
  const said = entries
    .filter(({ user, responseStatus }) => responseStatus?.code === 403 && user.username.startsWith('system:serviceaccount:operator-'))
    .map(({ verb, requestURI, responseStatus }) => `${verb} ${requestURI}: ${responseStatus?.message}`);
  return [...new Set(said)];
}
