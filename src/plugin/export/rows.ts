import { type AnyKind, isListed, readRemote, type Row } from '../../resource/index.ts';
import type { AccountReader } from '../account/account-reader.ts';
import type { Remote } from '../dry/standing.ts';

/** The row with all that its fields are compared by: read for itself where its list tells less, and with its parts. */
export async function wholeRow(account: AccountReader, { kind, row, path }: Remote): Promise<Row> {
  const isWhole = isListed(kind) && !(kind.sweep?.by === 'list' && kind.sweep.itemTellsMore === true);
  const whole = isWhole ? row : await account.record(path);
  const parts = await Promise.all(
    partsOf(kind, whole).map(async ([name, part]) => {
      const at = part.path(path, whole);
      return [name, part.paged ? await account.rows(at) : await account.record(at)] as const;
    }),
  );
  return { ...whole, ...Object.fromEntries(parts) };
}

/** Those that are there at all. What is read only where an object wants it is left out: no field could be told by it. */
const partsOf = (kind: AnyKind, row: Row) => {
  const compared = new Set(Object.values(kind.fields).flatMap(({ part }) => part ?? []));
  const read = readRemote(kind, row);
  const isThere = ({ when }: NonNullable<AnyKind['parts']>[string]): boolean =>
    when === undefined || 'malformed' in read || when(read.remote, row);
  return Object.entries(kind.parts ?? {}).filter(([name, part]) => compared.has(name) && part.ifWanted !== true && isThere(part));
};
