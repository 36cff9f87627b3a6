const steps = [300, 3600, 7200, 14_400, 28_800, 57_600, 86_400, 172_800, 345_600, 604_800, 1_209_600, 2_419_200];

/** Domain times: 0 stays (the default), anything else goes up to the next valid value (document 2, Seconds rule). */
export function roundedUp(seconds: number): number {
  return seconds === 0 ? 0 : (steps.find((step) => step >= seconds) ?? 2_419_200);
}

/** A record's TTL: 0 stays (not given), anything else becomes the nearest valid value. */
export function nearest(seconds: number): number {
  if (seconds === 0) return 0;
  return steps.reduce((best, step) => (Math.abs(step - seconds) < Math.abs(best - seconds) ? step : best));
}
