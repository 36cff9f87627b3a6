import { kinds } from '../../../src/generated/kinds.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import type { LedgerRequest } from '../../support/process/emulator-program.ts';
import type { Bench } from '../bench.ts';
import { allLookedAt, pluralOf } from '../inhabitants.ts';
import { pagesOf } from './idle.ts';
import { processFigures } from '../process-figures.ts';
import { ownFigures } from '../metrics.ts';
import type { Member } from '../population.ts';

export const kindsOf = ({ members }: Pick<Bench, 'members'>): readonly string[] => [...new Set(members.map(({ kind }) => kind))];

/** How paths of parts end, below an item; some are what the item itself is at, or in. */
const endings = new Set(
  kinds.flatMap(({ parts }) => Object.values(parts ?? {}).map(({ path }) => path('', {}))).filter((ending) => ending !== ''),
);
export const isPart = ({ path }: Pick<LedgerRequest, 'path'>): boolean => [...endings].some((ending) => path.endsWith(ending));

/** Listings may be read three times; what has no page of its own (account, profile, catalogues, polls) takes the rest. */
export function allowedCalls(members: readonly Member[]): number {
  const { swept, below } = pagesOf(members);
  return 3 * (swept + below) + 50;
}

/** An hour, as an account of 10,000 has more to be read than fits into a quarter of it. */
export const longestWait = 3_600_000;

/** The operator has begun just now: everything that is planted becomes its own. */
export async function adoption(bench: Bench): Promise<void> {
  const { stage, members, operator, report } = bench;
  const begun = systemClock.now();
  await allLookedAt(stage.cluster, { kinds: kindsOf(bench), limit: longestWait, every: 2000 });
  const [calls, writes] = [await stage.evidence.calls(begun - 10_000), await stage.evidence.writes(begun - 10_000)];
  const last = Math.max(...writes.map(({ at }) => at));
  const { turns } = await ownFigures(operator.metricsUrl);
  const { processor } = await processFigures(operator.program.pid);
  const throttled = calls.filter(({ status }) => status === 429).length;
  report({
    name: 'adoption',
    value: (last - begun) / 1000,
    unit: 's',
    limit: 60,
    formula: 'from the start of the process to its last write',
  });
  const parts = calls.filter(isPart).length;
  report({
    name: 'adoption calls',
    value: calls.length - parts,
    unit: 'calls',
    limit: allowedCalls(members),
    formula: 'ledger, parts apart; 3 per page of what is listed + 50',
  });
  report({ name: 'adoption reads of parts', value: parts, unit: 'calls', formula: 'ledger' });
  const adopted = new Set(kindsOf(bench).map(pluralOf));
  report({
    name: 'adoption writes per object',
    value: writes.filter(({ resource }) => adopted.has(resource)).length / members.length,
    unit: 'writes',
    limit: 2,
    formula: 'audit log, accounts apart',
  });
  report({ name: 'adoption 429s', value: throttled, unit: 'answers', limit: 0, formula: 'ledger' });
  report({
    name: 'processor per turn while adopting',
    value: processor / turns,
    unit: 'ms',
    formula: '/proc/pid/stat by its own count of turns',
  });
}
