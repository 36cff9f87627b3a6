import { ConfigError } from '../config.ts';
import { kinds } from '../generated/kinds.ts';
import { closest } from '../lib/closest.ts';
import { type AnyKind, asConnection, withReferred } from '../resource/index.ts';

/** The kinds that `--kinds` names, what they can refer to, and the account, without which nothing is done; all when it names none. */
export function servedKinds(names: readonly string[]): readonly AnyKind[] {
  if (names.length === 0) return kinds;
  const known = kinds.map(({ kind }) => kind);
  for (const name of names)
    if (!known.includes(name)) throw new ConfigError(`--kinds: there is no kind ${name}; the closest is ${closest(name, known, 1).join()}`);
  const wanted = withReferred(names, kinds);
  return kinds.filter((kind) => wanted.has(kind.kind) || asConnection(kind) !== undefined);
}
