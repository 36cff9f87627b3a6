import type { Row } from '../../resource/index.ts';
import type { Engine } from '../context.ts';
import { proofOf } from '../identity/proof.ts';
import { naming, objectName } from '../model/account.ts';
import { hasStatusOfAnother } from '../model/annotations.ts';
import type { Resource } from '../ports/index.ts';

/** As the watch tells it; see watch-handler.ts. */
interface Change {
  readonly before: Resource | undefined;
  readonly now: Resource | undefined;
  readonly ours: boolean;
}

/**
 * What was applied to a remote out of Secrets, and which `rotate` was done, stands in the status of its object alone. Where that goes, or somebody takes it away, this
 * process remembers it for whoever has the remote next. Only of what was surely this object's, because anybody may write a path.
 */
export function noteApplied(engine: Engine, { before, now, ours }: Change): void {
  if (before === undefined || !tells(before) || hasStatusOfAnother(before) || !isLost(before, now, ours)) return;
  const proof = proofOf({ key: engine.key, name: objectName(naming(engine), before) }, before);
  if (proof.is !== 'ours' || engine.objectMemory.wasDeleted(before.metadata.uid, proof.identity.path)) return;
  engine.appliedBefore.note(proof.identity, before);
}

const tells = ({ status = {} }: Resource): boolean => status['applied'] !== undefined || status['rotated'] !== undefined;

/** A write of this operator takes away only what it has taken out of the account, but may be the first to show that somebody emptied all. */
function isLost(before: Resource, now: Resource | undefined, ours: boolean): boolean {
  if (now?.metadata.uid !== before.metadata.uid) return true;
  const left = appliedIn(now);
  return Object.keys(appliedIn(before)).some((field) => left[field] === undefined) && (!ours || now.status?.['path'] === undefined);
}
const appliedIn = ({ status }: Resource): Row => (status?.['applied'] ?? {}) as Row;
