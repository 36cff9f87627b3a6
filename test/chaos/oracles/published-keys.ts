import type { Row } from '../../../src/resource/index.ts';
import type { World } from '../../support/world/world.ts';
import type { Manifest, Scenario } from '../scenario/scenario.ts';
import { toldBy } from '../evidence/told-once.ts';

/** Looks whether the Secrets of an object ever hold what the operator itself has voided while the object stays (O18). */
export class PublishedKeys {
  readonly #world: World;
  readonly #subject: Manifest;
  readonly #watches: boolean;
  readonly voided = new Set<string>();

  /** A kind that resets what it has voids the old one before it can publish the new one. */
  constructor(world: World, { kind, subject, operation }: Scenario) {
    this.#world = world;
    this.#subject = subject;
    this.#watches = operation.is === 'update' && operation.rotates === true && kind.rotation?.reset === undefined;
  }

  look(): void {
    if (!this.#watches || !this.#stays()) return;
    const secrets = this.#world.server.objects('/secrets').map((secret) => JSON.stringify((secret as unknown as Row)['data'] ?? {}));
    for (const life of this.#world.emulator.control.objects()) {
      if (life.diedAt === undefined || life.diedBy === 'colleague' || life.diedOrigin?.startsWith('request') !== true) continue;
      const shown = toldBy(life).map((told) => Buffer.from(told).toString('base64'));
      if (shown.some((text) => secrets.some((data) => data.includes(text))))
        this.voided.add(`a Secret still holds what ${life.collection} ${String(life.key)} told, which ${life.diedBy} deleted`);
    }
  }

  #stays(): boolean {
    const { kind, name } = this.#subject;
    const object = this.#world.server.objects(`cloudhosting.dev/${kind.toLowerCase()}s`).find(({ metadata }) => metadata.name === name);
    return object !== undefined && object.metadata.deletionTimestamp === undefined;
  }
}
