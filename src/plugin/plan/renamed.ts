import type { Call } from '../command-line/command.ts';
import { on, text } from '../command-line/flag.ts';
import type { Entry } from './entries.ts';
import { namesManifests } from './targets/sources.ts';

/** In the engine's words, of what another object has. */
const holder = /\bbelongs to (?<object>\w+ [^\s/]+\/[\w.-]*\w)/;

/** What is refused for an object that no manifest names any more is mostly that one under another name. Undefined: nothing looks so. */
export function renamedLine({ flags }: Call, entries: readonly Entry[]): string | undefined {
  if (!namesManifests(flags) || text(flags, 'base') !== undefined || on(flags, 'prune')) return undefined;
  const named = new Set(entries.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`));
  const left = entries.flatMap(({ refusal }) => {
    const object = refusal?.reason === 'AlreadyClaimed' ? holder.exec(refusal.message)?.groups?.['object'] : undefined;
    return object === undefined || named.has(object) ? [] : [object];
  });
  const [first, ...more] = new Set(left);
  if (first === undefined) return undefined;
  const [them, have] = more.length === 0 ? [first, 'has'] : [`${first} and ${more.length} more`, 'have'];
  return `${them}, which no manifest here names, ${have} what is refused. If that is a rename: --base FOLDER or --base git:COMMIT names the manifests of before, and what only those name is planned as deleted`;
}
