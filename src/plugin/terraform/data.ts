import type { ImportData } from '../output/account-shapes.ts';
import type { Brought } from './imported.ts';
import type { Items } from './items.ts';
import type { State } from './state/state.ts';

interface Whole {
  readonly state: State;
  readonly gathered: Items;
  readonly brought: readonly Brought[];
  readonly wishes: { readonly to: string };
  readonly accounts: ImportData['accounts'];
  readonly files: readonly string[];
}

/** What an import came to. */
export function dataOf(whole: Whole): ImportData {
  const { state, gathered, brought, wishes, accounts, files } = whole;
  const { lineage, serial, terraform, instances, others, isShown } = state;
  return {
    state: { lineage, serial, terraform, instances: instances.length, others, ...(isShown && { isShown }) },
    accounts: [...accounts],
    to: wishes.to,
    files: [...files],
    written: brought.flatMap((one) => ('manifest' in one ? [writtenOf(one)] : [])),
    left: [...gathered.left, ...brought.flatMap((one) => leftOf(whole, one))],
    notes: [...gathered.notes, ...brought.flatMap((one) => leftAloneBy(whole, one))],
    secrets: [...gathered.secrets],
    rotate: [...gathered.rotate],
    needed: brought.flatMap((one) => ('manifest' in one ? one.secrets : [])),
  };
}

const writtenOf = ({
  item,
  name,
  namespace,
  proven,
  differs,
}: Extract<Brought, { readonly manifest: string }>): ImportData['written'][number] => ({
  addresses: item.addresses,
  kind: item.kind,
  id: item.id,
  name,
  namespace,
  proven,
  ...(differs !== undefined && { differs }),
});

/** Of what is not written, or not all. */
function leftOf({ state }: Whole, one: Brought): ImportData['left'] {
  const { addresses, kind, id, stays } = one.item;
  const why = 'why' in one ? `${kind} ${id}: ${one.why}` : stays;
  return why === undefined ? [] : addresses.map((address) => ({ address, type: typeOf(state, address), why }));
}
function leftAloneBy({ state }: Whole, one: Brought): ImportData['notes'] {
  const { item, name } = one;
  const [address = ''] = item.addresses;
  if ('why' in one) return [];
  return [one.follower?.why ?? [], one.kept ?? []]
    .flat()
    .map((why) => ({ address, type: typeOf(state, address), why: `${item.kind} ${name}: ${why}` }));
}
const typeOf = ({ instances }: State, address: string): string => instances.find((one) => one.address === address)?.type ?? '';
