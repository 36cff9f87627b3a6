import { shellWord } from '../../lib/shell-word.ts';
import { type Flag, type Flags, text } from './flag.ts';

/** Verbs of kubectl that are told for typing, `cloud` apart. */
const others = 'annotate|apply|create|delete|describe|edit|get|label|logs|patch|rollout|scale|wait';
/** Somebody's text, to the end of its line where it was cut. */
const quote = String.raw`"(?:[^"\\\n]|\\.)*(?:"|$)`;
/** Values that somebody wrote: lines of a plan, and what an account has and a spec wants, up to where our own words go on. */
const values = [
  String.raw`^ *~ [^\n]*|^ {2,}[+-] [^\n]*`,
  String.raw`: (?:wanted|the account has) (?:${quote}|[^"\n])*?(?=; (?:spec|lifecycle|likely)\b|\. (?:Stop|To allow|Set it)\b|: it was accepted|$)`,
].join('|');
/** What stands in double quotes is theirs, too. A line to type may begin with the namespace; one that names its cluster leads to another. */
const told = new RegExp(
  String.raw`${quote}|${values}|\bkubectl (?:cloud (?<verb>[a-z][a-z-]*)(?! --(?:context|kubeconfig)=)|(?=(?:-n \S+ )?(?:${others})\b))`,
  'gm',
);

interface Named {
  readonly name: string;
  readonly flags: readonly Flag[];
}
export type AsTyped = (line: string) => string;

/**
 * What is told for typing leads to the cluster of the line that told it, as the same user: each `kubectl` with the flags that said so.
 * Only what people read goes through here: manifests and rows are what they are.
 */
export function asTyped(commands: readonly Named[], flags: Flags): AsTyped {
  const cluster = given(flags, ['kubeconfig', 'context', 'as', 'asGroup']);
  const operator = given(flags, ['operatorNamespace']);
  if (cluster + operator === '') return (line) => line;
  const takes = new Map(
    commands.map((command) => [command.name, command.flags.some(({ form }) => form.startsWith('--operator-namespace '))]),
  );
  return (line) =>
    line.replaceAll(told, (found: string, verb: string | undefined) => {
      if (!found.startsWith('kubectl') || (verb !== undefined && !takes.has(verb))) return found;
      if (verb === undefined) return cluster === '' ? found : `kubectl${cluster} `;
      return `${found}${cluster}${takes.get(verb) === true ? operator : ''}`;
    });
}

const given = (flags: Flags, names: readonly string[]): string =>
  names
    .flatMap((name) => {
      const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      return (text(flags, name)?.split('\n') ?? []).map((value) => ` --${flag}=${shellWord(value)}`);
    })
    .join('');

/** Where `-o json` has lines to type, or words that hold some. */
const fields = new Set(['commands', 'export', 'todo', 'does', 'message']);
const kinds = new Set(['Why', 'Uninstall', 'Orphans', 'Doctor', 'Error']);

/** The same of what programs read: in these fields of these answers, and in no text of an object. */
export const typedWithin = (as: AsTyped, kind: string, data: unknown): unknown => (kinds.has(kind) ? within(as, data) : data);
function within(as: AsTyped, data: unknown, isTold = false): unknown {
  if (typeof data === 'string') return isTold ? as(data) : data;
  if (Array.isArray(data)) return data.map((one) => within(as, one, isTold));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, within(as, value, fields.has(name))]));
}
