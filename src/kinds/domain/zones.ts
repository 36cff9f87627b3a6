/** Who has a zone has a say in all names in it. */
export function besideOf(own: string, theirs: string): string | undefined {
  const [mine, other] = [own.toLowerCase(), theirs.toLowerCase()];
  if (isWithin(mine, other)) return 'a zone above it';
  return isWithin(other, mine) ? 'a zone below it' : undefined;
}

/** Nobody owns a top-level domain. */
function isWithin(inner: string, outer: string): boolean {
  const zone = outer.replace(/^[*][.]/, '');
  return inner !== outer && inner.endsWith(`.${zone}`) && zone.includes('.');
}
