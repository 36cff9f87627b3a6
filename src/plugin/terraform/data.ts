import type { ImportData } from '../output/account-shapes.ts';
import type { Brought } from './imported.ts';
import type { Items } from './items.ts';
import type { State } from './state.ts';

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
  const { lineage, serial, terraform, instances, others } = state;
  return {
    state: { lineage, serial, terraform, instances: instances.length, others },
    accounts: [...accounts],
    to: wishes.to,
    files: [...files],
    written: brought.flatMap((one) => ('manifest' in one ? [writtenOf(one)] : [])),
    left: [...gathered.left, ...unwritten(whole)],
    notes: [...gathered.notes],
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

function unwritten({ state, brought }: Whole): ImportData['left'] {
  const typeOf = new Map(state.instances.map(({ address, type }) => [address, type]));
  return brought.flatMap((one) =>
    'why' in one
      ? one.item.addresses.map((address) => ({
          address,
          type: typeOf.get(address) ?? '',
          why: `${one.item.kind} ${one.item.id}: ${one.why}`,
        }))
      : [],
  );
}
