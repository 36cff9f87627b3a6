import { getPublicSuffix } from 'tldts-icann';

/** Of a zone that admits other namespaces. */
export const sharedNames =
  'Each of them may write any name in the zone, also beside and below the records of the others (an NS record hands a name and all below it to other name servers): share a zone only with namespaces that trust each other, and give each of the others a zone of its own.';

/** Who has a zone has a say in all names in it. Whom it admits has records there, as others have, and no say in what is cut out of it. */
export function besideOf(own: string, theirs: string): string | undefined {
  const [mine, other] = [own.toLowerCase(), theirs.toLowerCase()];
  if (isWithin(mine, other)) return 'a zone above it';
  return isWithin(other, mine) ? 'a zone below it' : undefined;
}

/** Who had this zone would keep all others from the names in it. */
export const ofAll = (domain: string): string | undefined =>
  isPublicSuffix(apex(domain.toLowerCase()))
    ? `spec.domain ${domain} is a public suffix: anybody registers names right below it, and with this zone they would all be in it`
    : undefined;

/** Nobody owns a public suffix. */
function isWithin(inner: string, outer: string): boolean {
  const zone = apex(outer);
  return inner !== outer && inner.endsWith(`.${zone}`) && !isPublicSuffix(zone);
}
/** In which the names are for which it answers. */
const apex = (zone: string): string => zone.replace(/^[*][.]/, '');
/**
 * By the list of the registries, such as `co.uk`, or because all names right below are, as in `kobe.jp`. What hosters give names
 * below (`github.io`) is theirs to have a zone for.
 */
const isPublicSuffix = (zone: string): boolean => [zone, `any.${zone}`].some((name) => getPublicSuffix(name) === name);
