import type { Context } from '../../contract/context.ts';
import { sortedTags } from '../../contract/fields.ts';
import { refusal } from '../../contract/refusal.ts';

/** The tags to store. Only unrestricted users may add or change tags (document 1, Authentication 5). */
export function tagsFor(
  ctx: Pick<Context, 'actor'>,
  sent: readonly string[] | null | undefined,
  before: readonly string[] = [],
): readonly string[] {
  if (sent === undefined) return before;
  const wanted = sortedTags(sent);
  const same = wanted.length === before.length && wanted.every((tag, index) => tag === before[index]);
  if (!same && ctx.actor?.grants !== undefined) throw refusal(403, 'Unauthorized', 'tags');
  return wanted;
}
