import { kinds } from '../../../src/generated/kinds.ts';
import { asOperation } from '../../../src/resource/index.ts';
import type { LedgerObject } from '../../support/process/emulator-program.ts';
import { isCarried } from '../evidence/carried.ts';
import { isStanding } from '../evidence/standing.ts';
import type { Manifest } from './subject.ts';
import { isThrownAway } from '../evidence/told-once.ts';

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

/** More than one event of what is done once, beyond what was there before: it was sent again. */
export function doneAgain(
  objects: readonly LedgerObject[],
  before: ReadonlySet<string>,
  { kind: name, spec }: Manifest,
): readonly string[] {
  const operates = kinds.map(asOperation).find((kind) => kind?.kind === name)?.operates;
  const action = String(spec['action']);
  const target = kinds.find(({ kind }) => kind === operates?.[action]?.on);
  const jobs = target?.actions?.[action]?.jobs ?? [];
  const told = objects.filter((one) => one.collection === 'events' && jobs.includes(String(one.row['action'])) && !before.has(lifeOf(one)));
  return told.length > 1 ? [`${action} was done ${told.length} times`] : [];
}
