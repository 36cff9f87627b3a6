import type { Engine } from '../context.ts';
import { type Account, accountKey } from '../model/account.ts';
import { annotation, intentAnnotation, remoteAnnotation } from '../model/annotations.ts';
import { KubeError, type Resource } from '../ports/index.ts';
import { objectsOf } from './dependants.ts';
import { isChosen } from './served.ts';

/** Something was signed for it. */
const hasIdentity = (object: Resource): boolean =>
  annotation(object, remoteAnnotation) !== undefined ||
  annotation(object, intentAnnotation) !== undefined ||
  object.status?.['path'] !== undefined;

type Known = Parameters<typeof objectsOf>[0] & Pick<Engine, 'installationUse' | 'clock'>;

/** What an account's status tells of its installation. */
export function shownInstallation(engine: Known, { key, installation }: Account, { metadata }: Resource): object {
  const inUse = objectsOf(engine, key).some(hasIdentity) || engine.installationUse.hasJustBegun(metadata.uid, engine.clock.monotonic());
  return { installation, installationInUse: inUse ? true : undefined };
}

/** Tells on its Secret whether the key has signed anything of the accounts that this release serves: then it must not be deleted. */
export class KeyLabel {
  readonly #engine: Engine;
  #shown: boolean | undefined;
  constructor(engine: Engine) {
    this.#engine = engine;
  }
  /** Not a reason to stop: what could not be written is tried again by the next look at an account. */
  async show(signal: AbortSignal): Promise<void> {
    const inUse = this.#isUsed();
    if (inUse === this.#shown) return;
    try {
      await this.#engine.keyUse.show(inUse, signal);
      this.#shown = inUse;
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      this.#engine.log.warn("the Secret of the operator's key cannot be labelled yet; it is tried again", { message: error.message });
    }
  }
  /** Of each account that the selector names, also where its lease is not held right now: the key has signed all the same. */
  #isUsed(): boolean {
    const { registry, objects } = this.#engine;
    const isOurs = (object: Resource): boolean => isChosen(this.#engine, objects.get(registry.connection.kind, accountKey(object)));
    return registry.kinds.some(({ kind }) => [...objects.all(kind)].some((object) => hasIdentity(object) && isOurs(object)));
  }
}
