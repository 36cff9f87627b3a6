/** `npm run bench`: what the built operator costs and how quick it is, each figure beside its limit; exit code 1 when one misses. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/lib/clock.ts';
import { runCommand } from '../controlplane/command.ts';
import { readOptions, type Options } from './options.ts';
import { comparison, rowOf, table, type Row } from './report.ts';
import { runAll } from './run.ts';

/** A line of progress, with the time since the start; figures alone go to standard output. */
const begun = systemClock.monotonic();
const say = (line: string): void => {
  process.stderr.write(`${((systemClock.monotonic() - begun) / 1000).toFixed(1).padStart(7)} s  ${line}\n`);
};

async function measure({ sizes, populations, only, quick, profile, seed, rates }: Options): Promise<readonly Row[]> {
  const { code, stderr } = await runCommand('npm', ['run', '-s', 'build']);
  if (code !== 0) throw new Error(`the build failed:\n${stderr}`);
  const rows: Row[] = [];
  for (const count of sizes) {
    for (const population of populations)
      rows.push(...(await runAll({ count, population, only, quick, profile, seed, rates, say })).map(rowOf));
  }
  if (rows.length === 0) throw new Error(`nothing was measured: ${only.join(', ')} has no figures of ${populations.join(', ')}`);
  return rows;
}

function show(rows: readonly Row[], { json, compare, quick, rates }: Options): void {
  if (json) return void process.stdout.write(`${JSON.stringify(rows, undefined, 1)}\n`);
  const load = loadavg().map((value) => value.toFixed(1));
  process.stdout.write(
    `\n${table(rows)}\n\nload average ${load.join(' ')}${quick ? '; --quick: looks were shortened' : ''}; rate windows: ${rates}\n`,
  );
  if (compare !== undefined)
    process.stdout.write(`\nsince ${compare}:\n${comparison(JSON.parse(readFileSync(compare, 'utf8')) as Row[], rows)}\n`);
}

// What was started is killed at the exit of this process, which a signal alone would not be.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

const [first, ...others] = process.argv.slice(2);
if (first === 'emulator') {
  const script = fileURLToPath(new URL('emulator.ts', import.meta.url));
  process.exitCode = spawnSync(process.execPath, ['--expose-gc', script, ...others], { stdio: 'inherit' }).status ?? 1;
} else {
  const options = readOptions(process.argv.slice(2));
  const rows = await measure(options);
  show(rows, options);
  if (rows.some(({ ok }) => ok === false)) process.exitCode = 1;
}
