import type { Millis } from '../../../src/lib/clock.ts';
import type { Condition, KubeObject, World } from '../../support/world.ts';
import type { Manifest } from '../scenario.ts';

/** A status may run behind the truth so long without lying (design 10: the bound of staleness). */
const unknownFor: Millis = 120_000;

/** Looks at the subject whenever something happened, for the oracle of truthful status (O8). */
export class Sampler {
  readonly #world: World;
  readonly problems = new Set<string>();
  #subject: Manifest | undefined;
  #last: KubeObject | undefined;
  #unknownSince: Millis | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  start(subject: Manifest): void {
    this.#subject = subject;
  }

  /** What was shown is no longer there to be compared with. */
  forget(): void {
    this.#last = undefined;
  }

  look(): void {
    const subject = this.#subject;
    if (subject === undefined) return;
    const table = `cloudhosting.dev/${subject.kind.toLowerCase()}s`;
    const object = this.#world.server.objects(table).find(({ metadata }) => metadata.name === subject.name) as unknown as
      | KubeObject
      | undefined;
    if (object === this.#last) return this.#stillUnknown();
    if (object !== undefined && this.#last?.metadata.uid === object.metadata.uid) this.#compare(this.#last, object);
    this.#last = object;
    this.#stillUnknown();
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

  #stillUnknown(): void {
    const unknown = conditions(this.#last).filter(({ status, reason }) => status === 'Unknown' && reason !== 'Paused');
    const now = this.#world.clock.monotonic();
    this.#unknownSince = unknown.length === 0 ? undefined : (this.#unknownSince ?? now);
    if (this.#unknownSince !== undefined && now - this.#unknownSince > unknownFor)
      this.problems.add('a condition is Unknown for more than two minutes');
  }
}

const conditions = (object: KubeObject | undefined): readonly Condition[] => object?.status?.conditions ?? [];
/** A status that was wiped begins anew: nothing, or the schema's default. */
function observed({ status }: KubeObject): number {
  const generation = status?.['observedGeneration'];
  return typeof generation === 'number' && generation >= 0 ? generation : Infinity;
}
