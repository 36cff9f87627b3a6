import { type AnyWant, collectionOf } from '../../resource/index.ts';
import { bindRemote } from '../change/bind.ts';
import type { CollectionContext } from '../context.ts';
import { maxObjectsReached } from '../guard/object-quota.ts';
import { markedIn, mayTakeByMark } from '../identity/by-mark.ts';
import { called } from '../identity/called.ts';
import { type Found, stillThere } from '../identity/lookup.ts';
import { ambiguous } from '../identity/open-create.ts';
import type { Outcome } from '../model/outcome.ts';

/** What bears its mark and nobody has. However old the listing is: what it shows of that time can only have gone since. */
async function markedFor(context: CollectionContext, want: AnyWant): Promise<readonly Found[]> {
  const { kind } = context;
  if (kind.label === undefined) return [];
  const marked = await markedIn(context, collectionOf(kind, want), -Infinity);
  return stillThere(
    context,
    marked.filter((one) => mayTakeByMark(context, one)),
  );
}

/** What it is to be made of is not there (any more), so that nothing can be made; but what bears its mark was, in a cluster before this one. */
export async function takeMarked(context: CollectionContext, want: AnyWant): Promise<Outcome | undefined> {
  const [own, ...more] = await markedFor(context, want);
  if (own === undefined) return undefined;
  return more.length > 0
    ? ambiguous(context, [own, ...more])
    : (maxObjectsReached(context) ?? bindRemote(context, { ...own, swept: true }, 'created'));
}

/**
 * An old backup names what is gone, while what was made since for an object of its name lives: who is asked about the loss must know.
 * What is there, and what annotation `recreate` comes to then.
 */
export async function madeSince(context: CollectionContext, want: AnyWant): Promise<string | undefined> {
  const [own, ...more] = await markedFor(context, want);
  if (own === undefined) return undefined;
  return more.length > 0
    ? `${called(context, [own, ...more])} bear the mark of this object, and it cannot be told which of them it is to have: to be asked that,`
    : `${own.path} bears the mark of this object, and is taken in place of a new one: to have that,`;
}
