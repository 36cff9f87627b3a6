import type { Millis } from './clock.ts';
import { between } from './random.ts';
import type { Random } from './random.ts';

const FIRST: Millis = 4_000;
const LONGEST: Millis = 600_000;

/** Delay after `failures` failures in a row before this one: `min(600 s, 4 s * 2^n) * U(0.5, 1)`. */
export const backoff = (failures: number, random: Random): Millis => Math.min(LONGEST, FIRST * 2 ** failures) * between(random, 0.5, 1);
