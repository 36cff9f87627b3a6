/** Uniform in [0, 1), like `Math.random`. Injected, so that a test can repeat a run. */
export type Random = () => number;

export const systemRandom: Random = () => Math.random();

/** Uniform in [low, high). */
export const between = (random: Random, low: number, high: number): number => low + (high - low) * random();
