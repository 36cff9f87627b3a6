import { type Body, canonicalAddress, type Notice } from '../../resource/index.ts';
import type { Database } from './remote.ts';

/** Who may connect: what is written, and what instances publish. */
export interface Allowed {
  readonly allowList?: readonly string[] | undefined;
  readonly allowFrom?: readonly string[] | undefined;
  readonly awaited?: readonly string[];
}

/** The one spelling: an address alone is the network that holds nothing else. */
const network = (text: string): string => canonicalAddress(text).replace(/^([^:]*)\/32$|^(.*:.*)\/128$/, '$1$2');
const networks = (list: readonly string[] | undefined): readonly string[] => (list ?? []).map(network);
const without = (list: readonly string[], others: readonly string[]): readonly string[] => list.filter((one) => !others.includes(one));

/** In whichever order and spelling. */
export const asNetworks = (list: unknown): readonly string[] =>
  Array.isArray(list) ? [...new Set(list.map((one) => network(String(one))))].toSorted() : [];

/** While an instance has no address yet, what is there beyond what is wanted may be the one it had: nothing of it is taken away. */
const takesAway = ({ awaited = [] }: Allowed): boolean => !awaited.includes('allowFrom');

/** Of what is there the part that `allowList` answers for: all that is not of `allowFrom`. */
export function written({ allow_list }: Database, want: Allowed): readonly string[] {
  const [there, mine] = [networks(allow_list), networks(want.allowList)];
  return takesAway(want) ? without(there, without(networks(want.allowFrom), mine)) : there.filter((one) => mine.includes(one));
}
/** The part that `allowFrom` answers for: all where there is no `allowList`. */
export function published({ allow_list }: Database, want: Allowed): readonly string[] {
  const [there, mine] = [networks(allow_list), networks(want.allowFrom)];
  return want.allowList === undefined && takesAway(want) ? there : there.filter((one) => mine.includes(one));
}

/** The call replaces the whole list. */
export function whole(want: Allowed, there: readonly string[]): Body {
  const wanted = asNetworks([...(want.allowList ?? []), ...(want.allowFrom ?? [])]);
  return { allow_list: takesAway(want) ? wanted : [...wanted, ...there.filter((one) => !wanted.includes(network(one)))] };
}

const everywhere: ReadonlySet<string> = new Set(['0.0.0.0/0', '::/0']);

/** It may be meant, and is said once all the same. */
export function opened({ id, allow_list }: Database): readonly Notice[] {
  const open = allow_list.map(network).filter((one) => everywhere.has(one));
  if (open.length === 0) return [];
  const message = `the database lets the whole internet connect, because its list of allowed addresses has ${open.join(' and ')}: name the networks that need it in spec.allowList, or instances in spec.allowFrom`;
  return [{ about: { entity: 'database', id }, reason: 'OpenToAll', warning: true, message }];
}
