import { createHash } from 'node:crypto';
import { execute, type Verdict } from './execute.ts';
import type { Options } from './options.ts';
import { families, type Plan, planned, type Planned } from './plan.ts';

export interface Campaign {
  readonly planned: number;
  readonly byFamily: Readonly<Record<string, number>>;
  readonly executed: number;
  readonly skipped: Plan['skipped'];
  readonly verdicts: readonly Verdict[];
}

/** So many cases of each family and kind are in the smoke run. */
const smokePerGroup = 3;

/** Plans, then runs what the options choose; `tell` hears of every verdict. */
export async function campaign(options: Options, elapsed: () => number, tell: (verdict: Verdict) => void): Promise<Campaign> {
  const plan = await planned(options.filter, options.part);
  const chosen = choose(plan.cases, options);
  const verdicts: Verdict[] = [];
  for (const one of chosen) {
    if (elapsed() > options.seconds) break;
    const verdict = await execute(one);
    tell(verdict);
    verdicts.push(verdict.violations.length > 0 || options.verbose ? verdict : { ...verdict, record: [] });
  }
  return {
    planned: plan.cases.length,
    byFamily: countedByFamily(plan.cases, options),
    executed: verdicts.length,
    skipped: plan.skipped,
    verdicts,
  };
}

function choose(cases: readonly Planned[], { shard, smoke, part }: Options): readonly Planned[] {
  const mine = cases.filter(({ one }) => shardOf(one.id, shard.of) === shard.index - 1);
  return smoke ? sampled(mine, Math.max(1, Math.floor(smokePerGroup / (part?.of ?? 1)))) : mine;
}

/** By the id alone, so that it does not matter which process plans it. */
const shardOf = (id: string, shards: number): number => createHash('sha256').update(id).digest().readUInt32BE() % shards;

/** A few of every family and kind, spread evenly over the group. */
function sampled(cases: readonly Planned[], most: number): readonly Planned[] {
  const groups = Map.groupBy(cases, ({ one }) => `${one.family} ${one.scenario.kind.kind}`);
  return [...groups.values()].flatMap((group) => {
    const gap = Math.max(1, Math.floor(group.length / most));
    return group.filter((_, index) => index % gap === Math.floor(gap / 2)).slice(0, most);
  });
}

function countedByFamily(cases: readonly Planned[], { filter }: Options): Readonly<Record<string, number>> {
  const names = Object.keys(families).filter((name) => (filter.family ?? name) === name);
  return Object.fromEntries(names.map((name) => [name, cases.filter(({ one }) => one.family === name).length]));
}
