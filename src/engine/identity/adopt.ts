import type { AnyWant, Row } from '../../resource/index.ts';
import { admission } from '../account/accounts.ts';
import { take } from '../create/create.ts';
import { claimedBy, hasForeignTag, isOwn } from './identify.ts';
import { type Found, listing } from './lookup.ts';
import { maxObjectsReached } from '../create/max-objects.ts';
import type { Outcome } from '../outcome.ts';
import { collectionOf, itemOf } from '../converge/plan.ts';
import { how, type Turn } from '../run/turn.ts';

interface Adopt {
  readonly id?: string | number;
  readonly match?: Row;
  readonly force?: boolean;
}
export const adoptOf = (spec: Row): Adopt | undefined => spec['adopt'] as Adopt | undefined;

/**
 * `spec.adopt`: a one-time wish for exactly one existing remote. What matches nothing is never created instead (design 4.7).
 * Who may not adopt gets one answer for whatever the account has, because it must not tell what others have there.
 */
export async function adopt(turn: Turn, want: AnyWant, wish: Adopt): Promise<Outcome> {
  const { namespace } = turn.object.metadata;
  const found = await find(turn, want, wish);
  const own = found.filter(({ row, path }) => claimedBy(turn, path) === undefined && isOwn(turn, row, want));
  const mayAdopt = admission(turn.account, turn.kind, namespace)?.adopt === 'Any';
  const [only, ...more] = mayAdopt ? found : own;
  if (only === undefined && !mayAdopt)
    return {
      is: 'Stalled',
      reason: 'Forbidden',
      message: `the account does not let namespace ${namespace} adopt anything. Its owner can set access[].adopt: Any there`,
    };
  if (only === undefined)
    return {
      is: 'Stalled',
      reason: 'RemoteMissing',
      message: `spec.adopt ${wishText(wish)} matches nothing in the account. Correct it, or remove spec.adopt to have a new one made`,
    };
  if (more.length > 0)
    return {
      is: 'Stalled',
      reason: 'Ambiguous',
      message: `spec.adopt ${wishText(wish)} matches ${[only, ...more].map(({ path }) => path).join(', ')}. Name exactly one with spec.adopt: {id: ...}`,
    };
  return own.includes(only) ? take(turn, only, 'created') : judge(turn, wish, only);
}

async function judge(turn: Turn, wish: Adopt, found: Found): Promise<Outcome> {
  const claimed = claimedBy(turn, found.path);
  if (claimed !== undefined)
    return {
      is: 'Stalled',
      reason: 'AlreadyClaimed',
      message: `${found.path} belongs to ${claimed} already; one remote has one object. Delete one of the two`,
    };
  if (hasForeignTag(turn, found.row) && wish.force !== true)
    return {
      is: 'Stalled',
      reason: 'AlreadyClaimed',
      message: `${found.path} carries the tag of another installation of this operator, which may manage it. If that one is gone, set spec.adopt.force: true`,
    };
  return maxObjectsReached(turn) ?? takeOver(turn, found);
}

const takeOver = (turn: Turn, found: Found): Promise<Outcome> =>
  take(turn, found, 'adopted').finally(() => turn.engine.evidence.making.delete(turn.object.metadata.uid));

async function find(turn: Turn, want: AnyWant, { id, match }: Adopt): Promise<readonly Found[]> {
  const collection = collectionOf(turn.kind, want);
  if (id !== undefined) {
    const path =
      turn.kind.item === undefined ? itemOf(turn.kind, { id }, collection) : turn.kind.item({ id, ...turn.kind.key.of(want) }, collection);
    const seen = await turn.account.connection.mirror.read(path, how(turn, 'create'));
    const other = seen !== undefined && turn.kind.id !== undefined && ![turn.kind.id(seen.remote), path].map(String).includes(String(id));
    return seen === undefined || other ? [] : [{ row: seen.remote, path }];
  }
  const rows = await listing(turn, collection, turn.engine.clock.monotonic() - 5000);
  return rows.filter((row) => hasAll(row, match)).map((row) => ({ row, path: itemOf(turn.kind, row, collection) }));
}

/** A match is text in the spec, whatever the API shows. */
const hasAll = (row: Row, match: Row = {}): boolean => Object.entries(match).every(([name, text]) => String(row[name]) === String(text));

const wishText = ({ id, match }: Adopt): string => (id === undefined ? JSON.stringify({ match }) : JSON.stringify({ id }));
