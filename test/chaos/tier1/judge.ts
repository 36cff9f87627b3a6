import type { AccountPicture } from './account-picture.ts';
import type { Lane, Performed } from './lane.ts';
import { type Case, type Life } from './plan.ts';
import { live, type Phase, phases } from './recording.ts';

export interface Verdict {
  readonly case: Case;
  readonly violations: readonly string[];
}
/** What one life came to. */
export interface Lived {
  readonly verdicts: readonly Verdict[];
  /** Cases whose step did not come, or that were not reached. */
  readonly left: readonly Case[];
  /** The lane is not as a lane must be for the next life. */
  readonly broken: boolean;
}

const counts = (of: Readonly<Record<string, number>>): string =>
  Object.entries(of)
    .map(([collection, count]) => `${count} ${collection}`)
    .join(', ') || 'nothing';

function differences(seen: AccountPicture, expected: AccountPicture): readonly string[] {
  return (['alive', 'born'] as const).flatMap((part) =>
    counts(seen[part]) === counts(expected[part])
      ? []
      : [`${part} in the account: ${counts(seen[part])}; without the fault: ${counts(expected[part])}`],
  );
}

/** Lives one life with its faults; ground truth is the account's own ledger, and an object that is Ready or gone in time. */
export async function judged(lane: Lane, life: Life): Promise<Lived> {
  const verdicts: Verdict[] = [];
  const left: Case[] = [];
  const over = new Set<Phase>();
  const heard = (phase: Phase, { struck, picture, wrong, isOpen }: Performed): void => {
    over.add(phase);
    const one = life.cases[phase];
    const isUndone = isOpen === true && counts(picture.born) === counts({});
    const violations = [...wrong, ...(isUndone ? [] : differences(picture, life.recording.pictures[phase]))];
    if (one === undefined) return blame(verdicts, violations);
    if (struck) verdicts.push({ case: one, violations });
    else left.push(one);
  };
  const strikes = Object.fromEntries(
    phases.flatMap((phase) => {
      const one = life.cases[phase];
      return one === undefined ? [] : [[phase, one.family.strike(one.step)] as const];
    }),
  );
  try {
    await live(lane, life.recording, strikes, heard);
    return { verdicts, left, broken: verdicts.some(({ violations }) => violations.length > 0) };
  } catch (error) {
    const failed = phases.find((phase) => !over.has(phase) && (phase !== 'update' || life.recording.edit !== undefined));
    const one = failed && life.cases[failed];
    const text = error instanceof Error ? error.message : String(error);
    if (one === undefined) blame(verdicts, [text]);
    else verdicts.push({ case: one, violations: [text] });
    const judgedCases = new Set([...verdicts.map((verdict) => verdict.case), ...left]);
    const unreached = phases.flatMap((phase) => life.cases[phase] ?? []).filter((other) => !judgedCases.has(other));
    return { verdicts, left: [...left, ...unreached], broken: true };
  }
}

/** Where nothing can be made any more, the faults of before have left something behind: no case of the life may pass for held. */
export function unprepared({ cases }: Life, error: unknown): Lived {
  const violations = [`no lane could be prepared: ${error instanceof Error ? error.message : String(error)}`];
  return { verdicts: phases.flatMap((phase) => cases[phase] ?? []).map((one) => ({ case: one, violations })), left: [], broken: true };
}

/** What goes wrong in an operation without a fault is the consequence of the last one before. */
function blame(verdicts: Verdict[], violations: readonly string[]): void {
  const last = verdicts.pop();
  if (last !== undefined) verdicts.push({ ...last, violations: [...last.violations, ...violations] });
}
