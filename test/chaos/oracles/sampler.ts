import { plural } from '../../../src/generate/names.ts';
import type { Millis } from '../../../src/lib/clock.ts';
import type { Condition, KubeObject, World } from '../../support/world/world.ts';
import type { Picture } from '../evidence/picture.ts';
import type { Manifest } from '../scenario/scenario.ts';

/** A status may run behind the truth so long without lying . */
const unknownFor: Millis = 120_000;

/** The account that the subject's status speaks of. */
interface Account {
  readonly picture: () => Pick<Picture, 'account' | 'parts'>;
  readonly isDead: (path: string) => boolean;
  /** How long the status may run behind. */
  readonly staleness: Millis;
}
/** The object came to say that it is Ready for this generation. */
export interface Claim {
  readonly at: Millis;
  readonly generation: number;
  readonly account: Pick<Picture, 'account' | 'parts'>;
}

/** Looks at the subject whenever something happened, for the oracle of truthful status (O8). */
export class Sampler {
  readonly #world: World;
  readonly problems = new Set<string>();
  #subject: Manifest | undefined;
  #last: KubeObject | undefined;
  #unknownSince: Millis | undefined;
  #account: Account | undefined;
  readonly #deadSince = new Map<string, Millis>();
  /** What the account held whenever the object said that it was Ready. */
  readonly claims: Claim[] = [];
  #fall: { readonly by: Millis; readonly since: string } | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  /** Without an account it looks only at the object. */
  start(subject: Manifest, account?: Account): void {
    this.#subject = subject;
    this.#account = account;
  }

  /** What was shown is no longer there to be compared with. */
  forget(): void {
    this.#last = undefined;
  }

  /** The remote is gone or broken now: Ready must leave True within this time. */
  expectFall(within: Millis): void {
    const ready = conditions(this.#last).find(({ type }) => type === 'Ready');
    if (ready?.status === 'True') this.#fall = { by: this.#world.clock.monotonic() + within, since: ready.lastTransitionTime };
  }

  look(): void {
    const subject = this.#subject;
    if (subject === undefined) return;
    const table = `cloudhosting.dev/${plural(subject.kind)}`;
    const object = this.#world.server.objects(table).find(({ metadata }) => metadata.name === subject.name) as unknown as
      | KubeObject
      | undefined;
    if (object === this.#last) return this.#still();
    if (object !== undefined && this.#last?.metadata.uid === object.metadata.uid) this.#compare(this.#last, object);
    if (isClaim(this.#last, object))
      this.claims.push({
        at: this.#world.clock.monotonic(),
        generation: object.metadata.generation,
        account: this.#account?.picture() ?? { account: [], parts: [] },
      });
    this.#last = object;
    this.#still();
  }

  #compare(before: KubeObject, now: KubeObject): void {
    const [was, is] = [observed(before), observed(now)];
    if (is < was && was < Infinity) this.problems.add(`observedGeneration went from ${was} to ${is}`);
    for (const condition of conditions(now)) {
      const known = conditions(before).find(({ type }) => type === condition.type);
      if (known !== undefined) this.#compareConditions(known, condition);
    }
  }

  #compareConditions(known: Condition, now: Condition): void {
    const moved = known.lastTransitionTime !== now.lastTransitionTime;
    if (moved && known.status === now.status) this.problems.add(`${now.type} has a new lastTransitionTime with the same status`);
    if (now.observedGeneration < known.observedGeneration) this.problems.add(`${now.type}.observedGeneration went back`);
  }

  #still(): void {
    this.#stillUnknown();
    this.#stillAlive();
    const fall = this.#fall;
    if (fall === undefined) return;
    const ready = conditions(this.#last).find(({ type }) => type === 'Ready');
    if (ready?.status !== 'True' || ready.lastTransitionTime !== fall.since) this.#fall = undefined;
    else if (this.#world.clock.monotonic() > fall.by) {
      this.problems.add('Ready is still True although the remote is gone or broken for longer than a sweep takes');
      this.#fall = undefined;
    }
  }

  /** Ready must not be said of a remote that died longer ago than a sweep takes. */
  #stillAlive(): void {
    const path = this.#last?.status?.['path'];
    const now = this.#world.clock.monotonic();
    if (typeof path !== 'string' || !saysReady(this.#last) || this.#account?.isDead(path) !== true) {
      this.#deadSince.clear();
      return;
    }
    const since = this.#deadSince.get(path) ?? now;
    this.#deadSince.set(path, since);
    if (now - since > this.#account.staleness)
      this.problems.add(`Ready is True although ${path} is gone for ${this.#account.staleness / 1000} s`);
  }

  #stillUnknown(): void {
    const unknown = conditions(this.#last).filter(({ status, reason }) => status === 'Unknown' && reason !== 'Paused');
    const now = this.#world.clock.monotonic();
    this.#unknownSince = unknown.length === 0 ? undefined : (this.#unknownSince ?? now);
    if (this.#unknownSince !== undefined && now - this.#unknownSince > unknownFor)
      this.problems.add('a condition is Unknown for more than two minutes');
  }
}

const readyFor = (object: KubeObject | undefined): number | undefined => {
  const ready = conditions(object).find(({ type }) => type === 'Ready');
  return ready?.status === 'True' ? ready.observedGeneration : undefined;
};
const saysReady = (object: KubeObject | undefined): boolean => readyFor(object) !== undefined;

function isClaim(before: KubeObject | undefined, now: KubeObject | undefined): now is KubeObject {
  return now !== undefined && readyFor(now) === now.metadata.generation && readyFor(before) !== now.metadata.generation;
}

const conditions = (object: KubeObject | undefined): readonly Condition[] => object?.status?.conditions ?? [];
/** A status that was wiped begins anew: nothing, or the schema's default. */
function observed({ status }: KubeObject): number {
  const generation = status?.['observedGeneration'];
  return typeof generation === 'number' && generation >= 0 ? generation : Infinity;
}
