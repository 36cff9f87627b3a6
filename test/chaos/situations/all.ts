import { accounts } from './accounts.ts';
import { changing } from './changing.ts';
import { leaving } from './leaving.ts';
import { losing } from './losing.ts';
import { rebuilding } from './rebuilding.ts';
import { sharing } from './sharing.ts';
import type { Situation } from './situation.ts';
import { strangers } from './strangers.ts';
import { twins } from './twins.ts';

export const situations: readonly Situation[] = [
  ...strangers,
  ...rebuilding,
  ...leaving,
  ...losing,
  ...changing,
  ...sharing,
  ...accounts,
  ...twins,
];
