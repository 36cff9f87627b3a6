import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

const folder = import.meta.dirname;
const cache = join(folder, '../../node_modules/.cache/cloud-emulator');

// Before the first import, so that what is imported comes compiled.
enableCompileCache(join(cache, 'compiled'));
const { bundled } = await import('./bundle.ts');
const { run, usage } = (await import(await bundled(folder, cache))) as typeof import('./command.ts');

try {
  await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  process.exit(1);
}
