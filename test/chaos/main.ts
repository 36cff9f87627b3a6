import { type Campaign, campaign } from './campaign/campaign.ts';
import { staleCounts, writeCounts } from './campaign/counts.ts';
import type { Verdict } from './run/execute.ts';
import { unplannedHints } from './mutants/named.ts';
import { type Options, optionsFrom, usage } from './campaign/options.ts';
import { Progress } from './campaign/progress.ts';
import { random } from './random/main.ts';
import { spread, type Told } from './campaign/spread.ts';
import { line, total } from './campaign/tally.ts';
import { tier1 } from './tier1/main.ts';
import { timelineOf } from './evidence/timeline.ts';

const write = (line: string): void => void process.stdout.write(`${line}\n`);
/** Whatever fails a campaign beside a verdict: the runner of the suites names these lines at its end. */
const fail = (what: string): void => write(`FAILED  ${what}`);
const longest = 500;

function report(verdict: Verdict, { verbose, seed }: Options): void {
  if (verdict.violations.length === 0 && !verbose) return;
  write(`${verdict.violations.length === 0 ? 'held' : 'VIOLATED'}  ${verdict.id}`);
  for (const { oracle, message } of verdict.violations) write(`    ${oracle}: ${verbose ? message : message.slice(0, longest)}`);
  if (verbose) for (const line of timelineOf(verdict.record)) write(line);
  else write(`    replay: node test/chaos/main.ts${seed === 0 ? '' : ` --seed ${seed}`} --case '${verdict.id}'`);
}

function summary(result: Campaign, seconds: number): void {
  for (const { scenario, reason } of result.skipped) write(`skipped  ${scenario}: ${reason}`);
  for (const [family, reasons] of Object.entries(result.leftOut))
    for (const [reason, count] of Object.entries(reasons)) write(`${family} leaves out ${count} faults: ${reason}`);
  for (const [family, tally] of Object.entries(result.byFamily)) if (tally.planned > 0) write(line(family, tally));
  const { planned, executed, violated } = total(result.byFamily);
  const left = planned - executed;
  write(
    `planned ${planned}, executed ${executed}${left > 0 ? ` (${left} not run)` : ''}, scenarios skipped ${result.skipped.length}, violated ${violated}, ${seconds.toFixed(0)} s`,
  );
}

/** One kind need not have a case of every family; all of them together must. */
const isWhole = ({ filter }: Options): boolean => filter.case === undefined && filter.kind === undefined;

/** Its numbers are those that COUNTS.md and test/README.md tell. */
const isTold = (options: Options): boolean =>
  isWhole(options) && options.filter.family === undefined && options.filter.plain !== true && options.seed === 0;

/** Alone, as a child that tells its parent, or over several processes. */
async function run(options: Options, elapsed: () => number): Promise<Campaign> {
  const progress = new Progress(elapsed, write);
  const hear = (verdict: Verdict): void => {
    report(verdict, options);
    if (!options.verbose) progress.note(verdict.violations.length);
  };
  if (options.part !== undefined) {
    const part = await campaign(options, elapsed, (verdict) => void tell({ verdict: bare(verdict) }));
    await tell({ part: { ...part, verdicts: part.verdicts.map(bare) } });
    return part;
  }
  return (options.jobs ?? 1) > 1 ? spread(process.argv.slice(2), options, hear) : campaign(options, elapsed, hear);
}
/** A record is long, and holds what cannot be sent. */
const bare = (verdict: Verdict): Verdict => ({ ...verdict, record: [] });
function tell(told: Told): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.send?.(told, () => resolve());
  return promise;
}

async function main(): Promise<number> {
  const options = optionsFrom(process.argv.slice(2));
  // Every world of this process draws from it, whoever makes it; children are told by their arguments.
  process.env['TEST_SEED'] = `${options.seed}`;
  const began = performance.now();
  const elapsed = (): number => (performance.now() - began) / 1000;
  const result = await run(options, elapsed);
  if (options.part !== undefined) return 0;
  summary(result, elapsed());
  const empty = emptyFamilies(result, options);
  if (options.counts) return empty.length === 0 ? counted(result) : 1;
  const wrong = await besideVerdicts(result, options);
  for (const line of wrong) fail(line);
  const { planned, executed, violated } = total(result.byFamily);
  if (options.json)
    write(JSON.stringify({ planned, executed, skipped: result.skipped.length, violations: violated, seconds: Math.round(elapsed()) }));
  return violated > 0 || empty.length + wrong.length > 0 ? 1 : 0;
}

/** What is wrong with a campaign whatever its cases came to. */
async function besideVerdicts(result: Campaign, options: Options): Promise<readonly string[]> {
  const stale = isTold(options) ? [...(await staleCounts(result)), ...unplannedHints(result.named)] : [];
  return total(result.byFamily).executed === 0 ? ['no case was run', ...stale] : stale;
}

/** Says which family has no case. */
function emptyFamilies({ byFamily }: Campaign, options: Options): readonly string[] {
  const empty = isWhole(options) ? Object.keys(byFamily).filter((family) => byFamily[family]?.planned === 0) : [];
  for (const family of empty) fail(`family ${family} has no case: nothing was proven`);
  return empty;
}

async function counted(result: Campaign): Promise<number> {
  for (const file of await writeCounts(result)) write(`written: ${file}`);
  return 0;
}

const args = process.argv.slice(2);
try {
  if (/(^| )--tier[ =]1( |$)/.test(args.join(' '))) await tier1(args);
  process.exitCode = args.some((arg) => /^--(random|program)(=|$)/.test(arg)) ? await random(args) : await main();
} catch (error) {
  if (!(error instanceof TypeError)) {
    fail(error instanceof Error ? error.message : String(error));
    throw error;
  }
  write(`${error.message}\n${usage}`);
  process.exitCode = 2;
}
