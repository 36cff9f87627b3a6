/** One measured number beside what it may be. */
export interface Figure {
  readonly name: string;
  /** Custom resources that there were. */
  readonly objects: number;
  readonly value: number;
  readonly unit: string;
  /** The most that it may be; absent where nothing is promised and the figure is only told. */
  readonly limit?: number;
  /** Where value and limit come from, for a person. */
  readonly formula: string;
}

/** The figure keeps its limit, or has none; what is no number was not measured. */
export const isOk = ({ value, limit }: Figure): boolean => Number.isFinite(value) && (limit === undefined || value <= limit);

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const mean = (values: readonly number[]): number => (values.length === 0 ? Number.NaN : sum(values) / values.length);

/** The value that 99 of 100 do not exceed, by nearest rank: the greatest, of fewer than 100. */
export function p99(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * 0.99) - 1)] ?? Number.NaN;
}
