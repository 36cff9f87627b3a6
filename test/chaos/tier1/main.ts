import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/lib/clock.ts';
import { type Campaign, Runner } from './campaign.ts';
import { families } from './families.ts';
import type { Verdict } from './judge.ts';
import { type Options, optionsFrom, usage } from './options.ts';
import type { Case } from './plan.ts';

const write = (line: string): void => void process.stdout.write(`${line}\n`);
const longest = 9_000;
/** Both ends: what is wrong comes first, the operator's last words come last. */
const clipped = (text: string): string =>
  text.length <= longest
    ? text
    : `${text.slice(0, longest / 2)}\n... (${text.length - longest} characters left out) ...\n${text.slice(-longest / 2)}`;

const byFamily = (cases: readonly Case[], name: string): number => cases.filter(({ family }) => family.name === name).length;

function tell({ case: { id }, violations }: Verdict, { case: only }: Options): void {
  if (violations.length === 0 && only === undefined) return;
  write(`${violations.length === 0 ? 'held' : 'VIOLATED'}  ${id}`);
  for (const violation of violations) write(`    ${only === undefined ? clipped(violation) : violation}`);
  if (only === undefined) write(`    replay: node test/chaos/main.ts --tier 1 --case '${id}'`);
}

function summary({ planned, verdicts, missed, forbidden }: Campaign, seconds: number): number {
  const executed = verdicts.map((verdict) => verdict.case);
  const violated = verdicts.filter(({ violations }) => violations.length > 0).map((verdict) => verdict.case);
  for (const { id } of missed) write(`missed  ${id}: its step did not come again in three runs`);
  for (const text of forbidden) write(`FORBIDDEN  ${text}`);
  for (const { name, what } of families.filter(({ name }) => byFamily(planned, name) > 0)) {
    const [all, run, wrong, late] = [planned, executed, violated, missed].map((cases) => byFamily(cases, name)) as [
      number,
      number,
      number,
      number,
    ];
    write(`${name} (${what}): planned ${all}, executed ${run}, missed ${late}, not run ${all - run - late}, violated ${wrong}`);
  }
  const left = planned.length - executed.length - missed.length;
  write(
    `planned ${planned.length}, executed ${executed.length}, missed ${missed.length}, not run ${left}, violated ${violated.length}, forbidden ${forbidden.length}, ${seconds.toFixed(0)} s`,
  );
  return violated.length + forbidden.length;
}

const countsOf = ({ planned, verdicts, missed }: Campaign, violations: number, seconds: number): string =>
  JSON.stringify({ planned: planned.length, executed: verdicts.length, skipped: missed.length, violations, seconds: Math.round(seconds) });

/** Answers the exit code. */
async function play(options: Options): Promise<number> {
  const began = systemClock.monotonic();
  const elapsed = (): number => (systemClock.monotonic() - began) / 1_000;
  let judgedSoFar = 0;
  const folder = await mkdtemp(join(tmpdir(), 'cloud-operator-chaos-'));
  // Whatever is under way when it ends, no file outlives this run.
  process.env['TMPDIR'] = folder;
  const runner = new Runner(options, elapsed, {
    recorded: (count, seconds) => write(`recorded ${count} edits in ${seconds.toFixed(0)} s`),
    trouble: write,
    planned: (cases) => {
      for (const { name } of families) if (byFamily(cases, name) > 0) write(`${name}: ${byFamily(cases, name)} planned`);
    },
    judged: (verdict) => {
      tell(verdict, options);
      if ((judgedSoFar += 1) % 50 === 0) write(`${judgedSoFar} executed after ${elapsed().toFixed(0)} s`);
    },
  });
  try {
    const whole = await Promise.race([runner.run().then(() => true), interruption()]);
    await runner.close();
    const violations = summary(runner.campaign, elapsed());
    const { length: judged } = runner.campaign.verdicts;
    if (!whole || judged === 0) write(`FAILED  ${whole ? 'no case was run' : `it was ended after ${judged} cases`}`);
    if (options.json) write(countsOf(runner.campaign, violations, elapsed()));
    return violations > 0 || !whole || judged === 0 ? 1 : 0;
  } finally {
    await runner.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Answers false at Ctrl-C and the like: what was judged until then is told all the same. */
const interruption = (): Promise<false> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => {
        write(`${signal}: ending what was started`);
        resolve(false);
      });
  });

/** `npm run chaos -- --tier 1`: the built operator as a process on a real control plane. */
export async function tier1(args: readonly string[]): Promise<void> {
  try {
    process.exit(await play(optionsFrom(args)));
  } catch (error) {
    if (error instanceof TypeError) write(`${error.message}\n${usage}`);
    else write(`FAILED  ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    process.exit(error instanceof TypeError ? 2 : 1);
  }
}
