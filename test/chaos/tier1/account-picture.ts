import type { LedgerObject } from '../../support/emulator-program.ts';
import { isCarried } from '../carried.ts';
import { isStanding } from '../standing.ts';
import { isThrownAway } from '../told-once.ts';

/** How many things of each collection the account holds that are not over, and how many were ever made since a point in time. */
export interface AccountPicture {
  readonly alive: Readonly<Record<string, number>>;
  readonly born: Readonly<Record<string, number>>;
}

/** The log of the account, and tags that came with what carried them, are kept as long as the service likes. */
const isLasting = (life: LedgerObject): boolean => life.collection === 'events' || isCarried(life);

const counted = (objects: readonly LedgerObject[]): Readonly<Record<string, number>> => {
  const counts = new Map<string, number>();
  for (const { collection } of objects) counts.set(collection, (counts.get(collection) ?? 0) + 1);
  return Object.fromEntries([...counts].toSorted(([a], [b]) => a.localeCompare(b)));
};

/** Keys of what there was before: whatever is not among them was born since. */
export const keysOf = (objects: readonly LedgerObject[]): ReadonlySet<string> => new Set(objects.map(lifeOf));
const lifeOf = ({ collection, key, bornAt }: LedgerObject): string => `${collection}/${key}@${bornAt}`;

export function pictureOf(objects: readonly LedgerObject[], before: ReadonlySet<string>): AccountPicture {
  const seen = objects.filter((life) => !isLasting(life));
  return {
    alive: counted(seen.filter(isStanding)),
    born: counted(seen.filter((object) => !before.has(lifeOf(object)) && !isThrownAway(object))),
  };
}
