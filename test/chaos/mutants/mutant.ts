/** One deliberate defect: a promise broken in one place. */
export interface Mutant {
  readonly id: string;
  /** Heading of src/engine/README.md under which stands what it breaks. */
  readonly promise: string;
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly what: string;
  readonly instead: string;
  /** Generated cases that are most likely to object: case ids, or `FAMILY KIND` for all of a family; tried in this order. */
  readonly hint: readonly string[];
  /** Why no case can show it with the kinds and locks of today: it is only checked to apply, and counts as skipped. */
  readonly unreachable?: string;
}

/** The file's text with the defect in it. Throws where the mutant no longer fits, so that none can rot. */
export function mutated(text: string, { id, file, what, instead }: Mutant): string {
  const parts = text.split(what);
  if (parts.length !== 2) throw new Error(`mutant ${id} does not apply: its text occurs ${parts.length - 1} times in ${file}`);
  return parts.join(instead);
}
