/**
 * For a shell, which then sees nothing in it but text; what every shell takes as it is stays so. POSIX shells, fish and PowerShell read it
 * alike, but for what has a quote and `active` in it: no quoting of that is the same in all of them, and PowerShell's is left out.
 */
export function shellWord(text: string): string {
  if (plain.test(text)) return text;
  if (quotes.test(text) && !active.test(text)) return `"${text}"`;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const plain = /^[\w./:@-]+$/;
/** PowerShell takes typographic quotes for its own. */
const quotes = /['\u2018-\u201B]/;
/** In double quotes, in some shell. */
const active = /["$`\\!\u201C-\u201E]/;
