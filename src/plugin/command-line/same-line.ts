import { shellWord } from '../../lib/shell-word.ts';

/** As typed before: what the added flags say instead, and what as-typed.ts puts into every line that is told. */
const replaced = /^--(?:confirm|expect-account|kubeconfig|context|as|as-group|operator-namespace)(?<value>=|$)/;
/** A body may hold a secret that the shell put there; after `--` there are no flags. */
const unsaid = /^(?:--data(?:=|$)|-d|--$)/;

/** The line that was typed, with these flags; undefined where it is not to be repeated. */
export function sameLine(typed: readonly string[], flags: string): string | undefined {
  if (typed.some((word) => unsaid.test(word))) return undefined;
  const kept = typed.filter((word, at) => !replaced.test(word) && replaced.exec(typed[at - 1] ?? '')?.groups?.['value'] !== '');
  return `kubectl cloud ${[...kept.map(shellWord), flags].join(' ')}`;
}
