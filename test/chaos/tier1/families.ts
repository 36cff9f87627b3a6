import type { Family } from './family.ts';
import { cutOffFamilies } from './families/cut-off.ts';
import { frozen } from './families/frozen.ts';
import { killed } from './families/killed.ts';
import { expired, restarted } from './families/restarted.ts';
import { staleFamilies } from './families/stale.ts';
import { terminated } from './families/terminated.ts';
import { upgraded } from './families/upgraded.ts';

/** The families of this tier, in the order in which they are run. */
export const families: readonly Family[] = [killed, terminated, frozen, ...cutOffFamilies, restarted, expired, ...staleFamilies, upgraded];
