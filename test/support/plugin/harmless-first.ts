/** Verbs that tell what can be done, one line for each way. */
const advising = /^(?:status|why|tree|doctor)\b/;

/**
 * Whoever types the first line of several is to lose nothing by it: look, then keep or get back, and what deletes comes last.
 * The first line that stands below one that deletes, and does not delete itself; undefined: there is none.
 */
export function belowDeleting(line: string, out: string): string | undefined {
  if (!advising.test(line)) return undefined;
  let block = { indent: -1, isDeleting: false };
  for (const told of out.split('\n')) {
    const indent = /^ *(?=kubectl )/.exec(told)?.[0].length ?? -1;
    if (indent !== block.indent) block = { indent, isDeleting: false };
    if (indent === -1) continue;
    if (block.isDeleting && !deletes(told)) return told.trim();
    block.isDeleting ||= deletes(told);
  }
  return undefined;
}

const deletes = (line: string): boolean =>
  /^ *kubectl (?:\S+ )*delete /.test(line) ||
  /"onDelete":"Delete"/.test(line) ||
  (/"protect":false/.test(line) && !line.includes('"onDelete":"Retain"')) ||
  (/^ *kubectl cloud release\b/.test(line) && !/ --(?:list|keep)\b/.test(line));
