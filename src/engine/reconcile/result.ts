import type { Health } from '../../resource/index.ts';
import type { Outcome } from '../model/outcome.ts';

/** What a reconcile came to; `health` is set where the remote was seen. */
export interface Reconciled {
  readonly outcome: Outcome;
  readonly health: Health | undefined;
}

export type SeenHealth = { health: Health | undefined };
