/** `a, b and 2 more`: at most so many of them by name. */
export const fewOf = (names: readonly string[], most: number): string =>
  `${names.slice(0, most).join(', ')}${names.length > most ? ` and ${names.length - most} more` : ''}`;

/** The first of these texts, so many and so long at most, and how many more there are: of thousands nobody reads the rest. */
export function firstOf(texts: readonly string[], { most, size }: { readonly most: number; readonly size: number }): readonly string[] {
  let [shown, left] = [0, size];
  for (const text of texts) {
    left -= text.length;
    if (shown === most || (left < 0 && shown > 0)) break;
    shown += 1;
  }
  return shown === texts.length ? texts : [...texts.slice(0, shown), `and ${texts.length - shown} more`];
}
