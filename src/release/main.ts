/** `npm run release -- --version X --base IMAGE@sha256:...` */
import { optionsOf, usage, UsageError } from './options.ts';
import { release } from './release.ts';
import { runnerIn } from './tools.ts';

const args = process.argv.slice(2);
try {
  if (args.includes('--help')) process.stdout.write(usage);
  else await release(optionsOf(args), runnerIn(process.env), (line) => void process.stdout.write(`${line}\n`));
} catch (error) {
  process.stderr.write(`release: ${error instanceof Error ? error.message : String(error)}\n`);
  if (error instanceof UsageError) process.stderr.write(`\n${usage}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
