/** `node test/run.ts [suite or group ...]` runs suites one after the other and ends with one line that counts all of them; all but the long ones by default. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/lib/clock.ts';
import { folderVariable } from './coverage/ledger-notes.ts';
import { interrupted, passOnSignals, run } from './runner/child.ts';
import { campaignCounts, countsOf, line, suiteLine, sum, type Counts, type Report } from './runner/counts.ts';
import { failuresIn, namesIn } from './runner/failures.ts';
import { suites, type Suite, type Tests } from './runner/suites.ts';
import { slowest, type Timed, type TimedReport, timesOf, triedAgain } from './runner/times.ts';

/** No suite may hang: together they have to stay below what CI gives them. */
const limit = 30 * 60_000;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

function chosen(names: readonly string[]): readonly Suite[] {
  const unknown = names.filter((name) => !suites.some((suite) => suite.name === name || suite.group === name));
  if (unknown.length > 0) throw new Error(`no suite ${unknown.join(', ')}; there are ${suites.map(({ name }) => name).join(', ')}`);
  const wanted = names.length === 0 ? ['check', 'test'] : names;
  return suites.filter(({ name, group }) => wanted.includes(name) || wanted.includes(group));
}

function told(title: string, lines: readonly string[]): void {
  if (lines.length > 0) say(`\n${[title, ...lines].join('\n')}`);
}

interface Outcome {
  readonly counts: Counts;
  /** Everything it wrote. */
  readonly text: string;
  readonly times?: readonly Timed[];
}

async function outcomeOf(suite: Suite, folder: string): Promise<Outcome> {
  if ('command' in suite) {
    const { code, text } = await run(suite.command, { output: 'keep', limit });
    if (code !== 0) say(text.trimEnd());
    return { counts: { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 }, text };
  }
  if ('campaign' in suite) {
    const { code, text } = await run(suite.campaign, { output: 'copy', limit });
    return { counts: campaignCounts(text, code), text };
  }
  return testsOutcome(suite, join(folder, `${suite.name}.json`));
}

async function testsOutcome(suite: Tests, file: string): Promise<Outcome> {
  const options = [
    ...(suite.pure ? ['--no-isolate'] : []),
    ...(suite.workers === undefined ? [] : [`--maxWorkers=${suite.workers}`]),
    ...(suite.retry === undefined ? [] : [`--retry=${suite.retry}`]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ];
  const { code, text } = await run(['vitest', 'run', '-c', 'test/vitest.config.ts', ...options, ...suite.paths], { output: 'copy', limit });
  const report = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Report & TimedReport) : undefined;
  return { counts: countsOf(report, code), text, ...(report && { times: timesOf(suite.name, report) }) };
}

async function main(names: readonly string[]): Promise<Counts> {
  const all = chosen(names);
  const folder = await mkdtemp(join(tmpdir(), 'cloud-operator-test-'));
  process.env[folderVariable] = join(folder, 'ledgers');
  const results: (Outcome & { readonly name: string; readonly seconds: string })[] = [];
  try {
    for (const [index, suite] of all.entries()) {
      if (interrupted()) break;
      say(`\n[${index + 1}/${all.length}] ${suite.name}`);
      const begun = systemClock.monotonic();
      const outcome = await outcomeOf(suite, folder);
      const seconds = ((systemClock.monotonic() - begun) / 1000).toFixed(1);
      results.push({ ...outcome, name: suite.name, seconds });
      say(`${suite.name}: ${suiteLine(outcome.counts)} (${seconds} s)`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  for (const { name, counts, text } of results) if (counts.failed > 0) say(`\n${name}, what failed:\n${failuresIn(text)}`);
  told('The slowest tests:', slowest(results.flatMap(({ times = [] }) => times)));
  say('');
  for (const { name, counts, seconds } of results) say(`${name.padEnd(14)} ${suiteLine(counts)} (${seconds} s)`);
  told(
    'What failed:',
    results.flatMap(({ name, counts, text }) => (counts.failed > 0 ? namesIn(text).map((one) => `${name}: ${one}`) : [])),
  );
  told('Tried again, because the first try failed:', triedAgain(results.flatMap(({ times = [] }) => times)));
  const missing = all.length - results.length;
  const total = sum(results.map(({ counts }) => counts));
  return missing === 0 ? total : { ...total, failed: total.failed + missing };
}

passOnSignals();
try {
  const total = await main(process.argv.slice(2));
  say(`\n${line(total)}`);
  if (total.failed > 0) process.exitCode ||= 1;
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  say('0 passed, 1 failed, 0 skipped');
  process.exitCode = 1;
}
