/** `a, b and 2 more`: at most so many of them by name. */
export const fewOf = (names: readonly string[], most: number): string =>
  `${names.slice(0, most).join(', ')}${names.length > most ? ` and ${names.length - most} more` : ''}`;
