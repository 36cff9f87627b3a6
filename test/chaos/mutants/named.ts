import { mutants } from './all.ts';

/** Ids of the cases that are to kill a mutant; other hints name a family and a kind. */
export const namedCases: ReadonlySet<string> = new Set(
  mutants.flatMap(({ hint, unreachable }) => (unreachable === undefined ? hint.filter((one) => !one.includes(' ')) : [])),
);

/** Mutants whose case is no longer planned, each with what to do: what would kill them is then played by nobody. */
export function unplannedHints(planned: readonly string[]): readonly string[] {
  const known = new Set(planned);
  return mutants.flatMap(({ id, hint }) =>
    hint
      .filter((one) => namedCases.has(one) && !known.has(one))
      .map((one) => `mutant ${id} names ${one}, which is not planned: find out why it is gone, or name another case`),
  );
}
