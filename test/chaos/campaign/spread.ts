import { fork } from 'node:child_process';
import type { Campaign } from './campaign.ts';
import type { Verdict } from '../run/execute.ts';
import type { Options } from './options.ts';
import { added, gridOf, together } from './tally.ts';

/** What a child process tells: each verdict as it comes, and in the end its part of the campaign. */
export type Told = { readonly verdict: Verdict } | { readonly part: Campaign };

const program = new URL('../main.ts', import.meta.url);

/** The same campaign over several processes; each records and plays every n-th scenario. */
export async function spread(args: readonly string[], { jobs = 1 }: Options, tell: (verdict: Verdict) => void): Promise<Campaign> {
  // Ctrl-C reaches the children, too: they end by themselves, and what they tell is still told here.
  process.once('SIGINT', () => undefined);
  const parts = await Promise.all(
    Array.from({ length: jobs }, (_, index) => childOf([...args, '--jobs', '1', '--part', `${index + 1}/${jobs}`], tell)),
  );
  return parts.reduce(joined);
}

function childOf(args: readonly string[], tell: (verdict: Verdict) => void): Promise<Campaign> {
  const { promise, resolve, reject } = Promise.withResolvers<Campaign>();
  const child = fork(program, [...args], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  let part: Campaign | undefined;
  child.on('message', (told: Told) => {
    if ('verdict' in told) tell(told.verdict);
    else part = told.part;
  });
  child.on('error', reject);
  child.on('exit', (code, signal) => {
    if (part === undefined) reject(new Error(`a part of the campaign ended early, with ${signal ?? `code ${code}`}: ${args.join(' ')}`));
    else resolve(part);
  });
  return promise;
}

const joined = (a: Campaign, b: Campaign): Campaign => ({
  byFamily: together(a.byFamily, b.byFamily, added),
  byKind: gridOf(a.byKind, b.byKind),
  named: [...a.named, ...b.named],
  skipped: [...a.skipped, ...b.skipped],
  leftOut: gridOf(a.leftOut, b.leftOut),
  verdicts: [...a.verdicts, ...b.verdicts],
});
