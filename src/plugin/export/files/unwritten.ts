import { idOf } from '../../orphans/remotes.ts';
import type { Session } from '../../session.ts';
import type { Exported } from '../exported.ts';
import type { Wishes } from '../wishes.ts';

/** Says on standard error what else nobody reads: of each that is named by its id, or was to be on standard output, why it is not there. `exit`: something that is named was not found, or is an object's already. */
export function tellUnwritten(session: Pick<Session, 'warn'>, all: Exported, { ids = new Set(), to }: Wishes): { readonly exit?: 4 | 1 } {
  const { manifests, unproven, skipped } = all;
  const claimed = skipped.filter(({ claimedBy }) => claimedBy !== undefined);
  const told = [...(to === '-' ? [...unproven, ...claimed] : []), ...(ids.size > 0 ? skipped : [])];
  for (const { kind, id, why } of told) session.warn(`${kind} ${id} is not written: ${why}`);
  const there = new Set([
    ...manifests.map(({ remote: { kind, row } }) => `${kind.kind} ${idOf(kind, row)}`),
    ...[...unproven, ...skipped].map(({ kind, id }) => `${kind} ${id}`),
  ]);
  const unfound = [...ids].filter((id) => !there.has(id));
  for (const id of unfound) session.warn(`${id} is not written: the account has none of this id, as far as its lists could be read`);
  if (unfound.length > 0) return { exit: 4 };
  return ids.size > 0 && skipped.some(({ object }) => object !== undefined) ? { exit: 1 } : {};
}
