/** The texts of a list that are most like one that is not in it, the best first. */
export function closest(text: string, among: readonly string[], most = 3): readonly string[] {
  const ranked = [...new Set(among)].map((one) => ({ one, edits: distance(text.toLowerCase(), one.toLowerCase()) }));
  return ranked
    .toSorted((a, b) => a.edits - b.edits || (a.one < b.one ? -1 : 1))
    .slice(0, most)
    .map(({ one }) => one);
}

/** Those of the closest that somebody who typed the text may well have meant. */
export const alike = (text: string, among: readonly string[]): readonly string[] =>
  closest(text, among).filter(
    (one) => distance(text.toLowerCase(), one.toLowerCase()) <= Math.max(1, Math.min(3, Math.floor(text.length / 2))),
  );

/** Levenshtein's: how many letters must be put in, taken out or changed. */
export function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 0; i < from.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j += 1)
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (from[i] === to[j] ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? 0;
}
