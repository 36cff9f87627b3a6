import type { Millis } from '../lib/clock.ts';
import type { Random } from '../lib/random.ts';
import { between } from '../lib/random.ts';

/** `min(600 s, 4 s * 2^n) * U(0.5, 1)` (design 3.7). */
export const backoff = (attempt: number, random: Random): Millis => Math.min(600_000, 4000 * 2 ** attempt) * between(random, 0.5, 1);
