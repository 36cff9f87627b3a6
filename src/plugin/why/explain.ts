import { isDeleting } from '../../engine/model/annotations.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { shownName } from '../cluster/naming.ts';
import type { Call } from '../command-line/command.ts';
import { on } from '../command-line/flag.ts';
import { registry } from '../command-line/kinds.ts';
import { conditionOf, isCutOff, needsPerson, stateOf } from '../objects/facts.ts';
import type { Landscape } from '../objects/landscape.ts';
import type { WhyData } from '../output/shapes.ts';
import { sinceText, unwantedSince } from '../output/times.ts';
import { alone, type Cause, causesOf, type Chain, rootsOf } from './causes/cause.ts';
import { goneInside, goneLines } from './causes/inside.ts';
import { chainOf } from './chain.ts';
import { connectionOf, type Lost } from './connection.ts';
import { culpritOf } from './person.ts';
import { outputLines, outputsGone } from './outputs-gone.ts';
import { stepLines, stepsOf } from './steps.ts';

export type Why = WhyData['objects'][number];
export interface Explained {
  readonly object: Resource;
  readonly data: Why;
  /** By itself, without its account. */
  readonly lines: readonly string[];
  readonly account: string;
  /** None: it is well. */
  readonly roots: readonly Cause[];
  readonly forPerson: boolean;
  /** More is told of it than how it is and what to do. */
  readonly isOwn: boolean;
}

interface Asked {
  readonly object: Resource;
  /** Something is read of each by itself. */
  readonly ofFew: boolean;
}
export async function explain(call: Call, landscape: Landscape, { object, ofFew }: Asked): Promise<Explained> {
  const { session } = call;
  const { off, ready, ...state } = stateOf(object);
  const { line: account, lost } = await connectionOf(session, landscape, object);
  const well = state.well && !off && lost === undefined;
  const gone = await goneInside(landscape, object);
  const asked = { object: shownName(object), well, ready, ...(gone.length > 0 && { goneInside: gone.map(shownName) }) };
  const common = { object, account };
  if (!well) return trouble(call, landscape, { ...common, isOwn: gone.length > 0, asked, lost, gone });
  const outputs = ofFew ? await outputsGone(landscape, object) : [];
  return {
    ...common,
    data: { ...asked, chain: [], commands: [], ...(outputs.length > 0 && { outputsGone: [...outputs] }) },
    lines: [headline(object, undefined, session.now), ...goneLines(gone), ...outputLines(object, outputs)],
    roots: [],
    forPerson: false,
    isOwn: gone.length + outputs.length > 0,
  };
}

interface Trouble extends Pick<Explained, 'object' | 'account' | 'isOwn'> {
  readonly asked: Pick<Why, 'object' | 'well' | 'ready' | 'goneInside'>;
  readonly lost: Lost | undefined;
  readonly gone: readonly Resource[];
}
async function trouble(
  { session, flags }: Call,
  landscape: Landscape,
  { asked, lost, gone, isOwn, ...common }: Trouble,
): Promise<Explained> {
  const { object } = common;
  const { chain, isUnseen } = withLost(isWellAlone(object) ? alone(lastSeen(object)) : await chainOf(landscape, object), lost);
  const roots = rootsOf(chain);
  const steps = on(flags, 'steps') ? stepsOf(object, chain) : undefined;
  return {
    ...common,
    data: {
      ...asked,
      chain: causesOf(chain).map(({ todo: _todo, commands: _commands, afterwards: _afterwards, ...shown }) => shown),
      ...shownRoots(roots),
      ...(steps && { steps: steps.map((step) => ({ ...step, commands: [...step.commands] })) }),
    },
    lines: [
      isUnseen && lost !== undefined ? unseenLine(object, lost, session.now) : headline(object, chain.cause, session.now),
      ...furtherDown(chain, session.now),
      ...(steps === undefined ? whatToDo(roots) : stepLines(steps)),
      ...goneLines(gone.filter((one) => !causesOf(chain).some((cause) => cause.object === shownName(one)))),
    ],
    roots,
    forPerson: lost !== undefined || (await isForPerson(landscape, object, chain.cause)),
    isOwn: isOwn || steps !== undefined,
  };
}

/** What is only incomplete goes on by itself, unless what it waits for does not. */
const isForPerson = async (landscape: Landscape, object: Resource, { reason }: Cause): Promise<boolean> =>
  (reason !== 'Incomplete' && needsPerson(object)) || (await culpritOf(landscape, object, { patient: false })) !== undefined;

const shownRoots = (roots: readonly Cause[]): Pick<Why, 'root' | 'todo' | 'roots' | 'commands'> => ({
  ...(roots[0] && { root: roots[0].object, todo: roots[0].todo }),
  roots: roots.map(({ object, todo, commands }) => ({ object, todo, commands: [...commands] })),
  commands: roots.flatMap(({ commands }) => commands),
});

/** Whatever else it waits for, nobody looks after it. `isUnseen`: its own words do not say so. */
function withLost(chain: Chain, lost: Lost | undefined): { readonly chain: Chain; readonly isUnseen: boolean } {
  if (lost === undefined) return { chain, isUnseen: false };
  const isTold = causesOf(chain).some(({ object }) => object === lost.chain.cause.object);
  return isTold ? { chain, isUnseen: false } : { chain: { ...chain, below: [lost.chain], more: 0 }, isUnseen: true };
}

function isWellAlone(object: Resource): boolean {
  const { well, off } = stateOf(object);
  return well && !off;
}
function lastSeen(object: Resource): Cause {
  const { reason = 'Available', message, since } = stateOf(object);
  return { object: shownName(object), reason, message, ...(since !== undefined && { since }), todo: '', commands: [] };
}

function unseenLine(object: Resource, { because, since }: Lost, now: number): string {
  const unseen = `nothing of it is seen or changed${sinceText(since, now)}, because ${because}`;
  return `${shownName(object)}: ${unseen}. When it was seen last it was ${wasText(object, now)}`;
}
function wasText(object: Resource, now: number): string {
  const { well, off, reason = 'NotLookedAt', since, message } = stateOf(object);
  if (off) return `${wordsOf(object)}: ${message}`;
  if (well) return since === undefined ? 'Ready and as wanted.' : `Ready and as wanted,${sinceText(since, now)}.`;
  if (wasWell(object))
    return `Ready and as wanted${sinceText(since, now)}, ${isDeleting(object) ? 'before its deletion was asked for' : 'before it was edited'}.`;
  return `${wordsOf(object)}${sinceText(since, now)}: ${reason}: ${message}`;
}
const wasWell = (object: Resource): boolean => (['Ready', 'Synced'] as const).every((type) => conditionOf(object, type)?.status === 'True');

/** What is not as wanted, as `is` or `was` goes on. */
function wordsOf(object: Resource): string {
  const { ready, off } = stateOf(object);
  if (off) return 'as its spec says, and off';
  if (object.kind === registry.connection.kind && isCutOff(object)) return 'not connected';
  // For an older spec, or while it is deleted.
  const usable = conditionOf(object, 'Ready')?.status === 'True';
  return ready ? 'Ready, but not as wanted' : usable ? 'not as wanted' : 'not Ready';
}

function headline(object: Resource, cause: Cause | undefined, now: number): string {
  const { well, off, since, message } = stateOf(object);
  if (well && off && cause?.reason !== 'Incomplete') return `${shownName(object)} is ${wordsOf(object)}: ${message}`;
  if (cause === undefined) return `${shownName(object)} is Ready and as wanted${sinceText(since, now)}.`;
  return `${shownName(object)} is ${wordsOf(object)}${sinceText(cause.since, now)}: ${cause.reason}: ${cause.message}`;
}

function furtherDown({ below, more }: Chain, now: number, depth = 1): readonly string[] {
  const indent = '  '.repeat(depth);
  return [
    ...below.flatMap((one) => [`${indent}${causeLine(one.cause, now)}`, ...furtherDown(one, now, depth + 1)]),
    ...(more === 0 ? [] : [`${indent}and ${more} more`]),
  ];
}

export const causeLine = ({ object, reason, since, message }: Cause, now: number): string =>
  `${object}${unwantedSince(since, now)}: ${reason}: ${message}`;

/** `whom`: of several objects, the one that the lines are about. */
export function whatToDo(roots: readonly Cause[], whom?: string): readonly string[] {
  const [root, ...others] = roots;
  if (root === undefined) return [];
  const head = whom === undefined ? 'What to do' : `What to do, here for ${whom}`;
  if (others.length === 0) return [`${head}: ${root.todo}`, ...root.commands.map((one) => `  ${one}`)];
  return [
    `${head}, each of these ${roots.length}:`,
    ...roots.flatMap(({ object, todo, commands }) => [`  ${object}: ${todo}`, ...commands.map((one) => `    ${one}`)]),
  ];
}
