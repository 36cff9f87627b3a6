import { type AnyWant, collectionOf, itemOf } from '../../resource/index.ts';
import { bindRemote } from '../change/bind.ts';
import type { CollectionContext } from '../context.ts';
import { maxObjectsReached } from '../guard/object-quota.ts';
import { mayTakeByMark } from '../identity/by-mark.ts';
import { listing, stillThere } from '../identity/lookup.ts';
import { ambiguous } from '../identity/open-create.ts';
import { claimedBy } from '../identity/ownership.ts';
import type { Outcome } from '../model/outcome.ts';

/**
 * What it is to be made of is not there (any more), so that nothing can be made; but what bears its mark was, in a cluster before
 * this one. However old the listing is: what it shows of that time can only have gone since.
 */
export async function takeMarked(context: CollectionContext, want: AnyWant): Promise<Outcome | undefined> {
  const { kind } = context;
  if (kind.label === undefined) return undefined;
  const collection = collectionOf(kind, want);
  const found = (await listing(context, collection, -Infinity))
    .map((row) => ({ row, path: itemOf(kind, row, collection) }))
    .filter((one) => mayTakeByMark(context, one) && claimedBy(context, one.path) === undefined);
  const [own, ...more] = await stillThere(context, found);
  if (own === undefined) return undefined;
  return more.length > 0
    ? ambiguous(context, [own, ...more])
    : (maxObjectsReached(context) ?? bindRemote(context, { ...own, swept: true }, 'created'));
}
