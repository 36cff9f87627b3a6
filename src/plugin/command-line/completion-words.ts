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
  const about = await line.command.kinds?.();
  const whole = { ...line, typing, ...(about && { about }) };
  const known = [...literals(args, line), ...kindsFor(args, whole)];
  const names = await namesFor(args, whole, host);
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
  /** Kinds that the verb is about; absent: all. */
  readonly about?: readonly string[];
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
function kindsFor(args: string, line: Typing): readonly Offer[] {
  const { typing } = line;
  if (!isFirst(args, line)) return [];
  const some = args.includes('NOUN') ? Object.keys(nouns).map((noun): Offer => [noun, '']) : [];
  if (!takesKind(args) || typing.includes('/')) return some;
  const kinds = kindsOf(line).flatMap((kind) => wordsOf(kind, typing).map((word): Offer => [word, kind.kind]));
  return [...some, ...kinds];
}
/** A kind may stand there: after others only where each is named with its kind, and where there may be several. */
const isFirst = (args: string, { before }: Line): boolean =>
  before.length === 0 || (isNamed(args) && args.includes('...') && before.every((word) => word.includes('/')));
/** Those that the verb is about. */
function kindsOf({ about }: Typing): readonly AnyKind[] {
  return about === undefined ? registry.kinds : registry.kinds.filter(({ kind }) => about.includes(kind));
}
const wordsOf = ({ kind, shortName }: AnyKind, typing: string): readonly string[] =>
  typing === '' || shortName.startsWith(typing.toLowerCase())
    ? [shortName]
    : [kind.toLowerCase(), plural(kind), `${plural(kind)}.${group}`];

/** Names of objects that are there, as the caller may list them. */
async function namesFor(args: string, line: Typing, host: Host): Promise<readonly Offer[]> {
  if (on(line.flags, 'allNamespaces')) return [];
  const offers = await Promise.all(
    wantedBy(args, line).map(async ({ kind, prefix, fields = [] }) => {
      const objects = await listed(kind, line.flags, host);
      const names = objects.map(({ metadata }) => `${prefix}${metadata.name}`);
      const said = fields.flatMap((field) => objects.flatMap(({ spec }) => (typeof spec?.[field] === 'string' ? [spec[field]] : [])));
      return [...names, ...said].map((name): Offer => [name, kind.kind]);
    }),
  );
  return offers.flat().filter(([name]) => !line.before.includes(name));
}

interface Wanted {
  readonly kind: AnyKind;
  /** What stands before each name. */
  readonly prefix: string;
  /** Fields of the spec that name it as well. */
  readonly fields?: readonly string[];
}
function wantedBy(args: string, line: Typing): readonly Wanted[] {
  if (args.includes(registry.connection.kind.toUpperCase())) return [{ kind: registry.connection, prefix: '' }];
  if (args === '[NAME ...]') return ofOperations();
  const only = registry.kinds.find(({ shortName }) => args.startsWith(`${shortName}/NAME`));
  if (only !== undefined) return line.before.length === 0 ? [{ ...withItsKind(only), fields: fieldsIn(args, only) }] : [];
  return isNamed(args) ? ofKinds(args, line) : [];
}
const ofOperations = (): readonly Wanted[] =>
  registry.kinds.filter((one) => asOperation(one) !== undefined).map((kind) => ({ kind, prefix: '' }));
const withItsKind = (kind: AnyKind): Wanted => ({ kind, prefix: `${kind.shortName}/` });

/** `cdom/NAME|DOMAIN`: `domain` of the spec. */
const fieldsIn = (args: string, { spec }: AnyKind): readonly string[] =>
  args
    .split('|')
    .map((word) => word.toLowerCase())
    .filter((word) => word in spec.shape);

/** `cvol/`, or a word of its own before: `cvol `; where a verb is about few kinds, all that it may be done to. */
function ofKinds(args: string, line: Typing): readonly Wanted[] {
  const { before, typing, command } = line;
  const [word = '', name] = typing.split('/');
  const kinds = kindsOf(line);
  if (name === undefined && isFirst(args, line) && command.kinds !== undefined) return kinds.map(withItsKind);
  const kind = kindCalled(name === undefined ? (before[0] ?? '') : word);
  return kind !== undefined && kinds.includes(kind) ? [{ kind, prefix: name === undefined ? '' : `${word}/` }] : [];
}

interface Named {
  readonly metadata: { readonly name: string };
  readonly spec?: Readonly<Record<string, unknown>>;
}
/** Nothing where they cannot be had: a message would stand in the middle of what is being typed. */
async function listed(kind: AnyKind, flags: Flags, host: Host): Promise<readonly Named[]> {
  const late = new AbortController();
  const session = new Session({ ...host, err: () => undefined, signal: AbortSignal.any([host.signal, late.signal]) }, flags);
  const { promise: over, resolve: end } = Promise.withResolvers<readonly Named[]>();
  const timer = host.clock.after(limit, () => end([]));
  try {
    return await Promise.race([objectsOf(kind, session), over]);
  } catch {
    return [];
  } finally {
    timer.cancel();
    late.abort(new Error('too late'));
    void session.close().catch(() => undefined);
  }
}

async function objectsOf(kind: AnyKind, session: Session): Promise<readonly Named[]> {
  const [{ collectionOf }, { client }, namespace] = await Promise.all([
    import('../cluster/reader.ts'),
    session.connected(),
    session.namespace(),
  ]);
  const { signal } = session.host;
  const list = await client.request({ path: collectionOf(kind, namespace), query: { limit: most }, signal, timeout: limit });
  const { items = [] } = list as { readonly items?: readonly Named[] };
  return items;
}
