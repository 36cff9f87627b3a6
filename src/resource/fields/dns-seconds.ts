/** The spans that the service keeps for domains and records; 0 stands for its default. */
const kept = [0, 300, 3600, 7200, 14_400, 28_800, 57_600, 86_400, 172_800, 345_600, 604_800, 1_209_600, 2_419_200];
const longest = 2_419_200;

/** Whether `stored` is what the service makes of `wanted` in a domain, where it rounds up what is none of the kept ones. */
export const isRoundedUp = (wanted: number, stored: number): boolean => stored === above(wanted);

/**
 * The same for a record. The documents say that it is rounded to the nearest, clients of the service that it is rounded up: either is
 * taken for what was asked.
 */
export function isRounded(wanted: number, stored: number): boolean {
  if (stored === above(wanted)) return true;
  const below = kept.findLast((span) => span <= wanted) ?? 0;
  return stored === below && wanted - below <= above(wanted) - wanted;
}

const above = (wanted: number): number => kept.find((span) => span >= wanted) ?? longest;
