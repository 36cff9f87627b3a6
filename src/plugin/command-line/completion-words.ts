import { group, plural } from '../../generate/names.ts';
import type { Millis } from '../../lib/clock.ts';
import { type AnyKind, asOperation } from '../../resource/index.ts';
import type { Command } from './command.ts';
import { type Flags, on } from './flag.ts';
import type { Host } from '../host.ts';
import { kindCalled, registry } from './kinds.ts';
import { nouns } from '../look/nouns.ts';
import { programOf } from './program.ts';
import { Session } from '../session.ts';

/** One that may stand where the cursor is, and what it is. */
export type Offer = readonly [value: string, says: string];

/** Nobody waits longer for a key that was pressed; what is not known by then is not offered. */
const limit: Millis = 500;
/** More than anybody chooses from. */
const most = 500;

/** The words that may stand where the cursor is, beside flags and verbs. `words`: the last is the one that is being typed. */
export async function offersFor(commands: readonly Command[], words: readonly string[], host: Host): Promise<readonly Offer[]> {
  const typing = words.at(-1) ?? '';
  const line = typing.startsWith('-') ? undefined : await parsed(commands, words.slice(0, -1), host);
  if (line === undefined) return [];
  const { args = '' } = line.command;
  const known = [...literals(args, line), ...kindsFor(args, { ...line, typing })];
  const names = await namesFor(args, { ...line, typing }, host);
  return [...known, ...names];
}

interface Line {
  readonly command: Command;
  /** Before the word that is being typed. */
  readonly before: readonly string[];
  readonly flags: Flags;
}
interface Typing extends Line {
  readonly typing: string;
}

/** What was typed before it; undefined: no verb, or a flag that still lacks its value. */
async function parsed(commands: readonly Command[], words: readonly string[], host: Host): Promise<Line | undefined> {
  let line: Line | undefined;
  const silent = { ...host, out: () => undefined, err: () => undefined };
  const program = programOf(commands, silent, async (command, before, flags) => {
    line = { command, before, flags };
    return Promise.resolve();
  });
  for (const verb of program.commands)
    verb.exitOverride().configureOutput({ writeOut: silent.out, writeErr: silent.err, outputError: silent.err });
  await program.parseAsync([...words], { from: 'user' }).catch(() => undefined);
  return line;
}

/** `add|delete ID`: what stands there as it is typed. */
const literals = (args: string, { before }: Line): readonly Offer[] =>
  before.length > 0
    ? []
    : args.split('|').flatMap((one): readonly Offer[] => {
        const word = /^\[?(?<word>[a-z][a-z-]*)\]?(?: |$)/.exec(one.trim())?.groups?.['word'];
        return word === undefined ? [] : [[word, '']];
      });

const takesKind = (args: string): boolean => /\bKIND\b/.test(args);
const isNamed = (args: string): boolean => args.includes('KIND/NAME');

/** Short ones unless somebody has begun another. */
function kindsFor(args: string, { before, typing }: Typing): readonly Offer[] {
  if (before.length > 0 && !(isNamed(args) && before.every((word) => word.includes('/')))) return [];
  const some = args.includes('NOUN') ? Object.keys(nouns).map((noun): Offer => [noun, '']) : [];
  if (!takesKind(args) || typing.includes('/')) return some;
  const kinds = registry.kinds.flatMap((kind) => wordsOf(kind, typing).map((word): Offer => [word, kind.kind]));
  return [...some, ...kinds];
}
const wordsOf = ({ kind, shortName }: AnyKind, typing: string): readonly string[] =>
  typing === '' || shortName.startsWith(typing.toLowerCase())
    ? [shortName]
    : [kind.toLowerCase(), plural(kind), `${plural(kind)}.${group}`];

/** Names of objects that are there, as the caller may list them. */
async function namesFor(args: string, line: Typing, host: Host): Promise<readonly Offer[]> {
  const wanted = wantedBy(args, line);
  if (wanted === undefined || on(line.flags, 'allNamespaces')) return [];
  const { kind, prefix } = wanted;
  const names = await listed(kind, line.flags, host);
  return names.filter((name) => !line.before.includes(`${prefix}${name}`)).map((name): Offer => [`${prefix}${name}`, kind.kind]);
}

interface Wanted {
  readonly kind: AnyKind;
  /** What stands before each name. */
  readonly prefix: string;
}
function wantedBy(args: string, line: Typing): Wanted | undefined {
  if (args.includes(registry.connection.kind.toUpperCase())) return { kind: registry.connection, prefix: '' };
  if (args === '[NAME ...]') return ofOperations();
  const only = registry.kinds.find(({ shortName }) => args.startsWith(`${shortName}/NAME`));
  if (only !== undefined) return line.before.length === 0 ? { kind: only, prefix: `${only.shortName}/` } : undefined;
  return isNamed(args) ? ofAnyKind(line) : undefined;
}
function ofOperations(): Wanted | undefined {
  const kind = registry.kinds.find((one) => asOperation(one) !== undefined);
  return kind && { kind, prefix: '' };
}
/** `cvol/`, or a word of its own before: `cvol `. */
function ofAnyKind({ before, typing }: Typing): Wanted | undefined {
  const [word = '', name] = typing.split('/');
  const kind = kindCalled(name === undefined ? (before[0] ?? '') : word);
  return kind && { kind, prefix: name === undefined ? '' : `${word}/` };
}

/** Nothing where they cannot be had: a message would stand in the middle of what is being typed. */
async function listed(kind: AnyKind, flags: Flags, host: Host): Promise<readonly string[]> {
  const late = new AbortController();
  const session = new Session({ ...host, err: () => undefined, signal: AbortSignal.any([host.signal, late.signal]) }, flags);
  const { promise: over, resolve: end } = Promise.withResolvers<readonly string[]>();
  const timer = host.clock.after(limit, () => end([]));
  try {
    return await Promise.race([namesOf(kind, session), over]);
  } catch {
    return [];
  } finally {
    timer.cancel();
    late.abort(new Error('too late'));
    void session.close().catch(() => undefined);
  }
}

async function namesOf(kind: AnyKind, session: Session): Promise<readonly string[]> {
  const [{ collectionOf }, { client }, namespace] = await Promise.all([
    import('../cluster/reader.ts'),
    session.connected(),
    session.namespace(),
  ]);
  const { signal } = session.host;
  const list = await client.request({ path: collectionOf(kind, namespace), query: { limit: most }, signal, timeout: limit });
  const { items = [] } = list as { readonly items?: readonly { readonly metadata: { readonly name: string } }[] };
  return items.map(({ metadata }) => metadata.name);
}
