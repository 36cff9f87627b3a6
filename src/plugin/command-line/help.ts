import type { Command, Level, Right, Talks } from './command.ts';
import { type Exit, exits } from '../exit.ts';

const talks: Readonly<Record<Talks, string>> = {
  nobody: 'talks to nobody',
  reads: 'reads the Kubernetes API and writes nothing; never talks to the cloud account',
  writes: 'reads the Kubernetes API and writes annotations, as field manager cloud-operator-cli; never talks to the cloud account',
  orders:
    'reads the Kubernetes API, makes one object that the operator carries out once, and confirms it by an annotation, as field manager cloud-operator-cli; never talks to the cloud account',
  prunes: 'reads the Kubernetes API and with --prune deletes objects of operations that are over; never talks to the cloud account',
  moves:
    'reads the Kubernetes API of two clusters, makes objects in the other one, has those here keep what they stand for, and deletes them; never talks to the cloud account',
  strips:
    'reads the Kubernetes API and with --strip takes finalizers of this operator off objects that are being deleted; never talks to the cloud account',
  asks: 'reads the Kubernetes API and the cloud account and writes to neither',
  looks: 'reads the Kubernetes API and the cloud account and writes to neither: what it sends besides reads are dry runs',
  changes:
    'reads the Kubernetes API and the cloud account, and changes the account: as the user of your own token, once, and never again by itself',
};
const levels: Readonly<Record<Level, string>> = {
  C0: 'asks nothing',
  C1: 'asks for a yes; without a terminal --yes is needed',
  C2: 'has you type what is at stake; without a terminal --confirm with exactly that text is needed',
  C3: 'has you type what is at stake; without a terminal --confirm with exactly that text and --expect-account with the id of the account are needed',
};
const yesOrText =
  'asks for a yes, or has you type a name or a number where data, addresses or the resource itself are lost; without a terminal --yes, or --confirm with exactly that text';
const takesYes = ({ flags }: Command): boolean => flags.some(({ form }) => form === '--yes');
const asking = (command: Command): string => {
  const { confirms, talks: to } = command;
  if (confirms === 'C2' && takesYes(command)) return yesOrText;
  return confirms === 'C0' && doing.has(to) ? `${levels.C0}, so that a script needs no flag for that` : levels[confirms];
};

/** Of --yes where a verb does not take it; undefined: it does. */
export function withoutYes(command: Command): string | undefined {
  const { confirms, name } = command;
  if (takesYes(command)) return undefined;
  return confirms === 'C0' ? `${name} asks nothing: leave --yes out` : `${name} ${levels[confirms]}: no --yes is enough for it`;
}

export const rightText = ({ verbs, resource, optional }: Right): string => {
  const what = resource === 'kinds' ? 'the kinds that are asked for' : resource;
  return `${verbs.join(', ')} ${what}${optional === true ? ' (works without, and then knows less)' : ''}`;
};

/** What asks first, and may not know how it ended. */
const doing: ReadonlySet<Talks> = new Set(['writes', 'orders', 'prunes', 'moves', 'strips', 'changes']);

/** What codes mean for this verb, those that every verb can have included. */
export function exitsOf({ exits: own = {}, talks: to }: Command): readonly (readonly [Exit, string])[] {
  const always: readonly Exit[] = to === 'nobody' ? [0, 2] : doing.has(to) ? [0, 2, 3, 4, 5, 130] : [0, 2, 4, 130];
  const codes = ([0, 1, 2, 3, 4, 5, 6, 130] as const).filter((code) => always.includes(code) || own[code] !== undefined);
  return codes.map((code) => [code, own[code] ?? exits[code]]);
}

/** After the flags in `help VERB`; the reference page says the same. */
export function detailsOf(command: Command): string {
  const { rights, examples } = command;
  return [
    `It ${talks[command.talks]}. It ${asking(command)}.`,
    ...(rights.length === 0 ? [] : [`Rights: ${rights.map(rightText).join('; ')}.`]),
    'Exit codes:',
    ...exitsOf(command).map(([code, means]) => `  ${String(code).padEnd(4)} ${means}`),
    ...(examples.length === 0 ? [] : ['Examples:', ...examples.map((line) => `  ${line}`)]),
  ].join('\n');
}
