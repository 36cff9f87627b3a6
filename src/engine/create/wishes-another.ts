import { lastSegment } from '../../lib/last-segment.ts';
import { isOfCollection, type ReconcileContext } from '../context.ts';
import { mayAdopt } from '../guard/recovery.ts';
import type { Found } from '../identity/lookup.ts';
import { claimedBy } from '../identity/ownership.ts';
import { remotesBefore } from '../model/annotations.ts';
import type { Identity } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import { retiringOf } from '../model/replacing.ts';
import { type Adopt, namesPath, openWish, spentAdoption, wishText } from '../model/step.ts';
import type { Resolved } from '../resolve/resolve.ts';
import { findWished } from './adopt.ts';
import { namesAnother } from './fate-of-wish.ts';

/**
 * An object keeps what it has. Where its spec names something else that is there, the rest of the spec may be about that, so nothing is
 * changed: of two objects whose names Git exchanged each would be given what is the other's. Who may not adopt is not told what is there.
 */
export async function wishesAnother(context: ReconcileContext, resolved: Resolved, identity: Identity): Promise<Outcome | undefined> {
  const { want, unresolved } = resolved;
  const wish = otherWish(context, identity);
  // Where it is not known what it is in, nothing is sent anyway.
  if (!isOfCollection(context) || wish === undefined || unresolved.includes(context.kind.parent?.ref ?? '')) return undefined;
  // What was made in place of an adopted one has that one's wish still.
  const isFirst = remotesBefore(context.object) === 0;
  if (!mayAdopt(context)) return isFirst ? undecided(context, identity, wishText(wish)) : undefined;
  const found = await findWished(context, want, wish);
  return 'outcome' in found ? found.outcome : judged(context, identity, { named: found[0], isFirst });
}

function otherWish(context: ReconcileContext, identity: Identity): Adopt | undefined {
  const wish = isOfCollection(context) && namesAnother(context, identity) ? openWish(context.object) : undefined;
  return wish === undefined || wasRenewed(context, wish) ? undefined : wish;
}

/** It was taken over, and a rotation has put another one in its place: the wish is over, also where the old one stays for long. */
function wasRenewed(context: ReconcileContext, { id }: Adopt): boolean {
  if (id === undefined || !retiringOf(context).some(({ path }) => namesPath(context.kind, id, path))) return false;
  context.status['adoptionSpent'] = spentAdoption(context.object);
  return true;
}

interface Wished {
  readonly named: Found | undefined;
  readonly isFirst: boolean;
}
function judged(context: ReconcileContext, identity: Identity, { named, isFirst }: Wished): Outcome | undefined {
  if (named === undefined) return undefined;
  const owner = claimedBy(context, named.path);
  if (owner === undefined) return isFirst ? undecided(context, identity, named.path) : undefined;
  return undecided(context, identity, `${named.path}, which belongs to ${owner}`);
}

const undecided = ({ object }: ReconcileContext, { path }: Identity, named: string): Outcome => ({
  is: 'Stalled',
  reason: 'InvalidSpec',
  message: `spec.adopt names ${named}, and this object has ${path}, which it keeps. Nothing is changed, because it is not known which of the two the spec is about. To go on with ${path} write spec.adopt: {id: ${String(object.status?.['id'] ?? lastSegment(decodeURIComponent(path)))}}, or take spec.adopt out. To have the other one, delete this object with spec.lifecycle.onDelete: Retain, which leaves ${path} in the account, and apply it anew`,
});
