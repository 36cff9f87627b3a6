/** The spans that the service keeps for domains and records; 0 stands for its default. */
const kept = [0, 300, 3600, 7200, 14_400, 28_800, 57_600, 86_400, 172_800, 345_600, 604_800, 1_209_600, 2_419_200];

/**
 * Whether `stored` is what the service makes of `wanted`. Any other value than the kept ones is rounded: for domains
 * up, for records to the nearest, say the documents; so either neighbour is taken for what was asked.
 */
export function isRounded(wanted: number, stored: number): boolean {
  if (wanted === stored) return true;
  if (kept.includes(wanted)) return false;
  return stored === kept.findLast((span) => span < wanted) || stored === kept.find((span) => span > wanted);
}
