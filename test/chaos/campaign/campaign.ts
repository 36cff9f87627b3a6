import { chosen } from './choice.ts';
import { execute, type Verdict } from '../run/execute.ts';
import type { Options } from './options.ts';
import { namedCases } from '../mutants/named.ts';
import { families, type Plan, planned, type Planned } from './plan.ts';
import { added, type Grid, none, type Tallies } from './tally.ts';

export interface Campaign {
  readonly byFamily: Tallies;
  /** Planned cases by family and kind. */
  readonly byKind: Grid;
  readonly skipped: Plan['skipped'];
  /** Ids of the planned cases that a mutant names. */
  readonly named: readonly string[];
  /** Faults that a family leaves out, by reason. */
  readonly leftOut: Grid;
  readonly verdicts: readonly Verdict[];
}

/** True once somebody has asked for the end with Ctrl-C: what was judged until then is told. A second Ctrl-C ends at once. */
function untilInterrupted(): () => boolean {
  let asked = false;
  process.once('SIGINT', () => (asked = true));
  return () => asked;
}

/** Plans, then runs what the options choose; `tell` hears of every verdict. */
export async function campaign(options: Options, elapsed: () => number, tell: (verdict: Verdict) => void): Promise<Campaign> {
  const interrupted = untilInterrupted();
  const plan = await planned(options.filter, options.part);
  const ready = elapsed();
  const byFamily: Record<string, Tallies[string]> = { ...plannedBy(plan.cases, options) };
  const verdicts: Verdict[] = [];
  for (const planned of options.counts ? [] : chosen(plan.cases, options)) {
    const began = elapsed();
    if (began - ready > options.seconds || interrupted()) break;
    const verdict = await execute(planned);
    const violated = verdict.violations.length > 0;
    const { family } = planned.one;
    byFamily[family] = added(byFamily[family], { planned: 0, executed: 1, violated: violated ? 1 : 0, seconds: elapsed() - began });
    tell(verdict);
    verdicts.push(violated || options.verbose ? verdict : { ...verdict, record: [] });
  }
  const named = plan.cases.flatMap(({ one }) => (namedCases.has(one.id) ? [one.id] : []));
  return { byFamily, byKind: byKindOf(plan.cases), named, skipped: plan.skipped, leftOut: plan.leftOut, verdicts };
}

function plannedBy(cases: readonly Planned[], { filter }: Options): Tallies {
  const names = Object.keys(families).filter((name) => (filter.family ?? name) === name);
  const count = (name: string): number => cases.filter(({ one }) => one.family === name).length;
  return Object.fromEntries(names.map((name) => [name, { ...none, planned: count(name) }]));
}

function byKindOf(cases: readonly Planned[]): Grid {
  const grid: Record<string, Record<string, number>> = {};
  for (const { one } of cases) {
    const row = (grid[one.family] ??= {});
    row[one.scenario.kind.kind] = (row[one.scenario.kind.kind] ?? 0) + 1;
  }
  return grid;
}
