import type { Trace } from './case.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { perform } from './perform.ts';
import { type Scenario, scenarioId } from '../scenario/scenario.ts';
import { changesSomething } from '../stage/step.ts';
import { type Passage, stepOf } from '../stage/wire.ts';

/** A fault-free run: what the plans are derived from and what other runs are compared with. */
export interface Reference extends Trace {
  readonly evidence: Evidence;
}

const known = new Map<string, Promise<Reference | { readonly skipped: string }>>();

/** Records the scenario once; skipped where it cannot be played without any fault at this corner. */
export function referenceOf(scenario: Scenario): Promise<Reference | { readonly skipped: string }> {
  const id = scenarioId(scenario);
  const recorded = known.get(id) ?? record(scenario);
  known.set(id, recorded);
  return recorded;
}

async function record(scenario: Scenario): Promise<Reference | { readonly skipped: string }> {
  try {
    const { evidence } = await perform(scenario);
    if (!evidence.done) return { skipped: `does not end without any fault: ${evidence.status.slice(0, 300)}` };
    return { scenario, steps: stepsOf(evidence), evidence };
  } catch (error) {
    return { skipped: `cannot be prepared: ${String(error).slice(0, 300)}` };
  }
}

/** Until shortly after the operation was done: what was written last may still be on its way. */
const aftermath = 1000;

/** Of reads that repeat, the first, the second and the last stand for all: between them nothing is different. */
function stepsOf({ passages, doneAt }: Evidence): Trace['steps'] {
  const counted = passages.filter(({ nth, at }) => nth > 0 && at <= doneAt + aftermath);
  const last = new Map<string, Passage>();
  for (const passage of counted) last.set(`${passage.server} ${passage.shape}`, passage);
  return counted
    .filter(
      (passage) => changesSomething(passage.request) || passage.nth <= 2 || last.get(`${passage.server} ${passage.shape}`) === passage,
    )
    .map(stepOf);
}
