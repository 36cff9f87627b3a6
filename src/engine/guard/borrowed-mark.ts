import type { LabelRule } from '../../resource/index.ts';
import { type InstallationKey, isMarked, type ObjectName, readableName } from '../model/identity.ts';

/** Each namespace under each installation. */
export interface Places {
  readonly installations: readonly string[];
  readonly namespaces: readonly string[];
}
/** Whose marks a label is held against: objects of one kind, wherever they are or may come to be. */
export interface Others {
  readonly key: InstallationKey;
  readonly kind: string;
  /** Asked for labels that look like a mark alone. */
  readonly places: () => Places;
  /** Those that there are: their names need no guess. */
  readonly present: Iterable<Pick<ObjectName, 'namespace' | 'name'>>;
}

/** About a millisecond of HMACs. */
const mostTrials = 200;
/** So many places are tried with the likeliest name. Tenants choose how many there are, and nothing else is done meanwhile. */
const mostPlaces = 2000;

/** This may be the derived label of one of them: it is, or its form says so where its name was cut or has too many spellings to try. */
export const mayBeMark = (rule: LabelRule | undefined, others: Others, label: string): boolean =>
  rule?.plain === true ? mayBePlainMark(rule, others, label) : mayBeDashedMark(rule, others, label);

function mayBeDashedMark(rule: LabelRule | undefined, others: Others, label: string): boolean {
  const { readable = '', owner = '' } = dashed.exec(label)?.groups ?? {};
  if (readable === '' || readableName(rule, { name: readable }) !== readable) return false;
  const isCut = label.length >= (rule?.max ?? 63) - 1;
  return isCut || isMarkOfSome(rule, others, { label, readable, owner });
}

const dashed = /^(?<readable>[a-z0-9.-]+)-(?<owner>[a-z2-7]{8})$/;
const plain = /^(?<readable>[a-z0-9]+)(?<owner>[a-z2-7]{8})$/;

/** Where its dashes were is lost, and every long word ends in what could be an owner key. */
function mayBePlainMark(rule: LabelRule, others: Others, label: string): boolean {
  const { readable = '', owner = '' } = plain.exec(label)?.groups ?? {};
  if (readable === '' || readableName(rule, { name: readable }) !== readable) return false;
  if (label.length >= rule.max - 1 && !isWord(owner)) return true;
  return isMarkOfSome(rule, others, { label, readable, owner }) || isMarkOfPresent(rule, others, { label, readable });
}

interface Parts {
  readonly label: string;
  readonly readable: string;
  readonly owner: string;
}

function isMarkOfSome(rule: LabelRule | undefined, others: Others, { label, readable, owner }: Parts): boolean {
  const { key, kind } = others;
  const { installations, namespaces } = others.places();
  const count = installations.length * namespaces.length;
  const tried = new Set<string>();
  for (const name of namesBehind(rule, readable)) {
    if (tried.has(name)) continue;
    if ((tried.size + 1) * count > (tried.size === 0 ? mostPlaces : mostTrials))
      return !isWord(owner) || isMarkOfPresent(rule, others, { label, readable });
    tried.add(name);
    const isMarkIn = (installation: string): boolean =>
      namespaces.some((namespace) => isMarked(rule, { key, name: { installation, kind, namespace, name } }, label));
    if (installations.some(isMarkIn)) return true;
  }
  return false;
}

function isMarkOfPresent(
  rule: LabelRule | undefined,
  { key, kind, places, present }: Others,
  { label, readable }: Omit<Parts, 'owner'>,
): boolean {
  const { installations } = places();
  for (const { namespace, name } of present)
    if (
      readableName(rule, { name }) === readable &&
      installations.some((installation) => isMarked(rule, { key, name: { installation, kind, namespace, name } }, label))
    )
      return true;
  return false;
}

const digits = Array.from({ length: 10 }, (_, digit) => String(digit));

/** Names that read like this in a label, the likeliest first, some more than once: there may be thousands. */
function* namesBehind(rule: LabelRule | undefined, readable: string): Iterable<string> {
  const [first = '', ...rest] = readable.split('-');
  // A digit at the start reads as a c.
  const starts = first.startsWith('c') ? [first, ...digits.map((digit) => digit + first.slice(1))] : [first];
  const dashes = ['-', '.', '--'].filter((dash) => readableName(rule, { name: `a${dash}b` }) === 'a-b');
  for (const among of [...dashes.map((dash) => [dash]), dashes]) for (const start of starts) yield* joined(start, rest, among);
}
function* joined(start: string, [part, ...rest]: readonly string[], dashes: readonly string[]): Iterable<string> {
  if (part === undefined) yield start;
  else for (const dash of dashes) yield* joined(start + dash + part, rest, dashes);
}

/** Reads like a word. Of owner keys, which are eight characters by chance, one in fifteen does. */
const isWord = (text: string): boolean => /^[a-z]+$/.test(text) && !/[^aeiouy]{5}|q[^u]|[jqxz].*[jqxz]/.test(text);
