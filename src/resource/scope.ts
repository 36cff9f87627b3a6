/** Held by the wild card, by itself, or by the write scope of the same area. */
export const holdsScope = (held: readonly string[], wanted: string): boolean =>
  held.includes('*') || held.includes(wanted) || held.includes(wanted.replace(/:read_only$/, ':read_write'));
