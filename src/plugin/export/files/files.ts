import { parseAllDocuments } from 'yaml';
import type { Host } from '../../host.ts';
import { CliError } from '../../exit.ts';
import { isOurs, partlyKnown } from './manifest.ts';

/** Writes what is new or was written by this program before; somebody else's file ends it before anything is written, unless it is `force`d. */
export async function writeAll(host: Host, files: ReadonlyMap<string, string>, force = false): Promise<void> {
  const there = await Promise.all([...files.keys()].map(async (path) => [path, await host.fileText(path)] as const));
  const foreign = force ? [] : there.filter(([, text]) => text !== undefined && !isOurs(text)).map(([path]) => path);
  if (foreign.length > 0)
    throw new CliError(
      3,
      `nothing was written: these files were not written by kubectl cloud: ${foreign.slice(0, 5).join(', ')}. Name another folder, or have them overwritten with --force`,
    );
  for (const [path, text] of files) await host.writeFile(path, text);
}

/** With comments and empty lines; what scripts and other texts have lies deeper. Git may give lines the ends of another system. */
const lifecycles = /^ {2}lifecycle:.*\r?\n(?:(?: {3,}.*| *#.*| *)\r?\n)+/gm;

/** Takes `management: Observe` out of the manifests of a file of ours, and leaves the rest as it is, comments too. */
export const promoted = (text: string): string =>
  text.replace(lifecycles, (block) => {
    const rest = block.replace(/^ {4}management: Observe\r?\n/m, '');
    return rest === block || /^ {4}\w/m.test(rest) ? rest : rest.slice(rest.indexOf('\n') + 1);
  });

/** Somebody wrote it in another way, so that it only observes also when it was {@link promoted}. */
export const stillObserves = (text: string): boolean =>
  !text.includes(`management: Observe ${partlyKnown}`) &&
  parseAllDocuments(text).some((document) => document.getIn(['spec', 'lifecycle', 'management']) === 'Observe');
