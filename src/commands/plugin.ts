import { readFile } from 'node:fs/promises';
import { ConfigError } from '../config.ts';

/** `plugin`: the file `kubectl-cloud` that was built beside this program, as it is in an image that has no shell to copy it with. */
export async function plugin(args: readonly string[], isTerminal: boolean): Promise<Buffer> {
  const [word] = args;
  if (word !== undefined) throw new ConfigError(`plugin takes nothing: leave out ${word}`);
  if (isTerminal) throw new ConfigError('plugin prints a program: write it into a file, as in cloud-operator plugin > kubectl-cloud');
  try {
    return await readFile(new URL('kubectl-cloud', import.meta.url));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`the plugin is not beside this program, as npm run build has it: ${why}`, { cause: error });
  }
}
