import { accounts } from './accounts.ts';
import { changing } from './changing.ts';
import { creating } from './creating.ts';
import { deleting } from './deleting.ts';
import { following } from './following.ts';
import { gestures } from './gestures.ts';
import { identity } from './identity.ts';
import { kubernetes } from './kubernetes.ts';
import type { Mutant } from './mutant.ts';
import { operating } from './operating.ts';
import { recovering } from './recovering.ts';
import { referring } from './referring.ts';
import { remembering } from './remembering.ts';

export const mutants: readonly Mutant[] = [
  ...identity,
  ...recovering,
  ...creating,
  ...deleting,
  ...changing,
  ...gestures,
  ...accounts,
  ...following,
  ...referring,
  ...kubernetes,
  ...remembering,
  ...operating,
];
