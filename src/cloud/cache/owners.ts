import type { Owner } from '../../engine/ports/index.ts';

const textOf = ({ kind: { kind }, key: { namespace, name } }: Owner): string => `${kind} ${namespace}/${name}`;

/** Each once, and none that is among the others. */
export function ownersWithout(owners: readonly Owner[], others: ReadonlySet<Owner>): ReadonlySet<Owner> {
  const left = new Set([...others].map(textOf));
  return new Set(left.size === 0 ? owners : owners.filter((owner) => !left.has(textOf(owner))));
}
