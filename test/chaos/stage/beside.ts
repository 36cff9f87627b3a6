import { confirmAnnotation } from '../../../src/engine/model/annotations.ts';
import { plural } from '../../../src/generate/names.ts';
import type { Millis } from '../../../src/lib/clock.ts';
import type { Row } from '../../../src/resource/index.ts';
import type { World } from '../../support/world/world.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Wire } from './wire.ts';

/** Of a stage. */
interface Playing {
  readonly scenario: Scenario;
  readonly world: World;
  readonly wire: Wire;
  patchSubject(change: object): Promise<void>;
}

/** So long a round of what is only shown takes. */
const seenWithin: Millis = 3_600_000;

/** As the provider: what the account holds besides. */
export async function hold({ scenario: { holds = {}, needs }, world }: Pick<Playing, 'scenario' | 'world'>): Promise<void> {
  if (Object.keys(holds).length === 0) return;
  const ids = needs.map(async ({ kind, name }) => [`$${name}`, Number((await world.get(kind, name)).status?.['id'])] as const);
  const known = new Map<unknown, number>(await Promise.all(ids));
  for (const [collection, row] of Object.entries(holds)) {
    const filled = Object.entries(row).map(([field, value]) => [field, known.get(value) ?? value]);
    world.emulator.control.edit({ collection, row: Object.fromEntries(filled) as Row });
  }
  // What only its rounds show has then been shown.
  await world.clock.advance(seenWithin);
}

/** As a person who has read what is lost by it, and who says it again where that was taken away before it counted. */
export function confirming(stage: Playing): () => void {
  let isWriting = false;
  return () => {
    const { kind, subject } = stage.scenario;
    if (kind.mode !== 'operation') return;
    const object = stage.world.server.objects(`cloudhosting.dev/${plural(kind.kind)}`).find((one) => one.metadata.name === subject.name);
    const { phase, challenge } = (object?.['status'] ?? {}) as { readonly phase?: string; readonly challenge?: string };
    if (phase !== 'AwaitingConfirmation' || challenge === undefined || isWriting) return;
    if (object?.metadata.annotations?.[confirmAnnotation] === challenge) return;
    isWriting = true;
    stage.wire.mark(`a person confirms ${challenge}`);
    void stage.patchSubject({ metadata: { annotations: { [confirmAnnotation]: challenge } } }).finally(() => {
      isWriting = false;
    });
  };
}
