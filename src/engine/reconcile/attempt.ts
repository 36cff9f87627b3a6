import type { Health } from '../../resource/index.ts';
import { RefusedMetadata } from '../change/metadata.ts';
import type { ReconcileContext } from '../context.ts';
import type { Outcome } from '../model/outcome.ts';
import { CloudError } from '../ports/index.ts';
import { outcomeOf } from '../status/fault-table.ts';
import type { Reconciled, SeenHealth } from './result.ts';

/** What it came to, also where a call failed. Rejects only with `KubeError` (the write is tried again) or for a bug. */
export async function attempt(context: ReconcileContext, work: (seen: SeenHealth) => Promise<Outcome>): Promise<Reconciled> {
  const seen: { health: Health | undefined } = { health: undefined };
  try {
    const outcome = await work(seen);
    return { outcome, ...seen };
  } catch (error) {
    if (error instanceof CloudError) return { outcome: outcomeOf(context.kind, error, context.object), ...seen };
    if (error instanceof RefusedMetadata) return { outcome: error.outcome, ...seen };
    throw error;
  }
}
