/** Who has a zone has a say in all names in it. */
export function besideOf(own: string, theirs: string): string | undefined {
  const [mine, other] = [own.toLowerCase(), theirs.toLowerCase()];
  if (mine === other) return undefined;
  if (isZoneWithin(mine, other)) return 'a zone above it';
  return isZoneWithin(other, mine) ? 'a zone below it' : undefined;
}
/** Nobody owns a top-level domain. */
const isZoneWithin = (inner: string, outer: string): boolean => {
  const zone = outer.replace(/^[*][.]/, '');
  return zone.includes('.') && (inner === zone || inner.endsWith(`.${zone}`));
};
