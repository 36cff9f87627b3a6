import type { Millis } from '../../../src/lib/clock.ts';

/** That an operation may take, whatever happens meanwhile, on a machine that has many times the work it can do. */
export const longest: Millis = 180_000;
/** Between two looks. */
export const pace: Millis = 250;
