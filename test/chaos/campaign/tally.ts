/** What became of a family's cases. */
export interface Tally {
  readonly planned: number;
  readonly executed: number;
  readonly violated: number;
  /** Of all processes together. */
  readonly seconds: number;
}
/** By family, in the plan's order. */
export type Tallies = Readonly<Record<string, Tally>>;
/** Counts by two names: by family and kind, or by family and reason. */
export type Grid = Readonly<Record<string, Readonly<Record<string, number>>>>;

export const none: Tally = { planned: 0, executed: 0, violated: 0, seconds: 0 };

export const added = (a: Tally = none, b: Tally = none): Tally => ({
  planned: a.planned + b.planned,
  executed: a.executed + b.executed,
  violated: a.violated + b.violated,
  seconds: a.seconds + b.seconds,
});

export const together = <T>(
  a: Readonly<Record<string, T>>,
  b: Readonly<Record<string, T>>,
  sum: (a: T | undefined, b: T | undefined) => T,
) => Object.fromEntries([...new Set([...Object.keys(a), ...Object.keys(b)])].map((name) => [name, sum(a[name], b[name])]));

const plus = (a = 0, b = 0): number => a + b;
export const gridOf = (a: Grid, b: Grid): Grid => together(a, b, (x = {}, y = {}) => together(x, y, plus));

export const total = (tallies: Tallies): Tally => Object.values(tallies).reduce(added, none);

export const line = (name: string, { planned, executed, violated, seconds }: Tally): string =>
  `${name.padEnd(4)} ${String(planned).padStart(6)} planned ${String(executed).padStart(6)} executed ${String(violated).padStart(4)} violated ${seconds.toFixed(0).padStart(6)} s`;
