import type { StatusData } from '../output/shapes.ts';

const most = 5;
interface Row {
  readonly data: StatusData['accounts'][number];
}

/** Whoever may write an object may name any account in it: those that are not there come last, and hide none that is. */
export function fewNotThere<R extends Row>(rows: readonly R[]): { readonly shown: readonly R[]; readonly more: readonly string[] } {
  const isThere = ({ data }: Row): boolean => data.reason !== 'NotFound';
  const missing = rows.filter((row) => !isThere(row));
  const rest = missing.length - most;
  return {
    shown: [...rows.filter(isThere), ...missing.slice(0, most)],
    more: rest > 0 ? ['', `and ${rest} more that objects name and that are not there: -o json lists them all`] : [],
  };
}
