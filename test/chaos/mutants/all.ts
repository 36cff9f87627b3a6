import { accounts } from './accounts.ts';
import { changing } from './changing.ts';
import { creating } from './creating.ts';
import { deleting } from './deleting.ts';
import { following } from './following.ts';
import { identity } from './identity.ts';
import { kubernetes } from './kubernetes.ts';
import type { Mutant } from './mutant.ts';

export const mutants: readonly Mutant[] = [...identity, ...creating, ...deleting, ...changing, ...accounts, ...following, ...kubernetes];
