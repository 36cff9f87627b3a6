import { systemClock } from '../../../src/lib/clock.ts';
import type { Bench } from '../bench.ts';
import { allReady } from '../inhabitants.ts';
import { processFigures } from '../process-figures.ts';
import { ownFigures } from '../metrics.ts';

export const kindsOf = ({ members }: Pick<Bench, 'members'>): readonly string[] => [...new Set(members.map(({ kind }) => kind))];

/** The operator has begun just now: everything that is planted becomes its own. */
export async function adoption(bench: Bench): Promise<void> {
  const { stage, members, operator, report } = bench;
  const begun = systemClock.now();
  await allReady(stage.cluster, { kinds: kindsOf(bench), limit: 900_000, every: 2000 });
  const [calls, writes] = [await stage.evidence.calls(begun - 10_000), await stage.evidence.writes(begun - 10_000)];
  const last = Math.max(...writes.map(({ at }) => at));
  const { turns } = await ownFigures(operator.metricsUrl);
  const { processor } = await processFigures(operator.program.pid);
  const throttled = calls.filter(({ status }) => status === 429).length;
  report({
    name: 'adoption',
    value: (last - begun) / 1000,
    unit: 's',
    formula: 'from the start of the process to its last write; two or three writes per object',
  });
  report({ name: 'adoption calls per object', value: calls.length / members.length, unit: 'calls', formula: 'ledger' });
  report({ name: 'adoption writes per object', value: writes.length / members.length, unit: 'writes', formula: 'audit log' });
  report({ name: 'adoption 429s', value: throttled, unit: 'answers', limit: 0, formula: 'ledger' });
  report({
    name: 'processor per turn while adopting',
    value: processor / turns,
    unit: 'ms',
    formula: '/proc/pid/stat by its own count of turns',
  });
}
