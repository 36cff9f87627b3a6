import { kinds } from '../../../src/generated/kinds.ts';
import { type AnyKind, type Call, del, hasEnded, type Row } from '../../../src/resource/index.ts';
import type { LedgerObject } from '../../emulator/core/ledger.ts';

/** What was said to people stays said, whatever becomes of what it was about. */
const history = new Set(['ticket replies']);
const enders = kinds.filter(({ deletion }) => deletion?.ended !== undefined);

type Life = Pick<LedgerObject, 'collection' | 'diedAt' | 'row'>;

/** It can be read no more, or is over for its kind. */
export const isDead = ({ diedAt, row }: Omit<Life, 'collection'>): boolean =>
  diedAt !== undefined || enders.some((kind) => hasEnded(kind, row as Row));

/** It lives, and would be left over where nobody wants it. */
export const isStanding = (life: Life): boolean => !history.has(life.collection) && !isDead(life);

/** Parts of something else, which come and go with it: nodes of a cluster, their machines and the addresses of these. */
export function partsIn<Of extends Pick<LedgerObject, 'collection' | 'key' | 'row'>>(lives: readonly Of[]): ReadonlySet<Of> {
  const parts = lives.filter(isPart);
  const ids = new Set<unknown>(parts.map(({ key }) => key));
  const addresses = lives.filter(({ collection, row }) => collection === 'addresses' && ids.has((row as Row)['vm_id']));
  return new Set([...parts, ...addresses]);
}
const isPart = ({ collection, row }: Pick<LedgerObject, 'collection' | 'row'>): boolean =>
  collection === 'nodes' || kinds.some((kind) => String(kind.path).endsWith(`/${collection}`) && kind.isPart?.(row as Row) === true);

/** How it is taken away. */
export const endOf = ({ deletion }: AnyKind, path: string, { row }: Pick<Life, 'row'>): Call =>
  deletion?.call?.(row as Row, path) ?? del(path);

/** Made in the service's own time, such as the nodes of a pool: it goes in its own time, too. */
export const isOfTheService = ({ origin }: Pick<LedgerObject, 'origin'>): boolean => origin === 'timer';
