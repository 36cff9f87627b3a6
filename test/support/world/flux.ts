import type { Millis } from '../../../src/lib/clock.ts';
import type { World } from './world.ts';

const group = 'cloudhosting.dev';

/**
 * What kustomize-controller does to whoever writes with kubectl: it takes over every field of a manager whose name begins
 * with `kubectl`, and removes what Git does not have, at each reconcile; here every second.
 */
export class Flux {
  readonly #world: World;
  readonly #written = new Map<string, { readonly kind: string; readonly name: string; readonly annotation: string }>();
  constructor(world: World, every: Millis = 1000) {
    this.#world = world;
    const again = (): void => {
      void this.#strip();
      world.clock.after(every, again);
    };
    world.clock.after(every, again);
  }
  /** As `kubectl annotate` does. */
  async kubectl(kind: string, name: string, annotation: string, value: string): Promise<void> {
    this.#written.set(`${kind} ${name} ${annotation}`, { kind, name, annotation });
    await this.#world.patch(kind, name, { metadata: { annotations: { [`${group}/${annotation}`]: value } } });
  }
  async #strip(): Promise<void> {
    const written = [...this.#written.values()];
    this.#written.clear();
    for (const { kind, name, annotation } of written)
      if ((await this.#world.find(kind, name)) !== undefined)
        await this.#world.patch(kind, name, { metadata: { annotations: { [`${group}/${annotation}`]: null } } });
  }
}
