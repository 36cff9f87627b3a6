import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

const folder = import.meta.dirname;
const cache = join(folder, '../../node_modules/.cache/cloud-emulator');

// Before the first import, so that what is imported comes compiled.
enableCompileCache(join(cache, 'compiled'));
const { bundled } = await import('./bundle.ts');

async function command(): Promise<{ readonly run: () => Promise<void>; readonly usage: string }> {
  const bundle = await bundled(folder, cache);
  if (bundle !== undefined) return (await import(bundle)) as typeof import('./command.ts');
  const { run, usage } = await import('./command.ts');
  return { run, usage };
}

const { run, usage } = await command();

try {
  await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  process.exit(1);
}
