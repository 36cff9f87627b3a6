import type { Planned } from '../campaign/plan.ts';
import { judge } from '../oracles/judge.ts';
import type { Violation } from '../oracles/oracle.ts';
import { perform } from './perform.ts';
import type { Mark, Passage } from '../stage/wire.ts';

export interface Verdict {
  readonly id: string;
  readonly violations: readonly Violation[];
  readonly record: readonly (Passage | Mark)[];
}

/** Runs one case in a world of its own and judges it. */
export async function execute({ one, reference }: Planned): Promise<Verdict> {
  try {
    if (one.play !== undefined) return { id: one.id, ...(await one.play()) };
    const { stage, evidence } = await perform(one.scenario, one.interference);
    const violations = judge({ scenario: one.scenario, run: evidence, reference: reference.evidence, excuse: one.excuse });
    const missed = one.mustStrike && stage.wire.struck === 0;
    return {
      id: one.id,
      violations: [
        ...violations,
        ...(missed ? [{ oracle: 'fault', message: 'never struck: the run went another way than the recording' }] : []),
      ],
      record: stage.wire.record,
    };
  } catch (error) {
    return {
      id: one.id,
      violations: [{ oracle: 'run', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }],
      record: [],
    };
  }
}
