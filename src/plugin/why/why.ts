import { accountKey } from '../../engine/model/account.ts';
import { nameOf } from '../../engine/model/object-id.ts';
import type { Key, Resource } from '../../engine/ports/kubernetes.ts';
import type { Call, Verb } from '../command-line/command.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { isAbout, nothing, selected } from '../cluster/select.ts';
import { type DeadLease, deadLeaseOf, deadText } from '../cluster/serving.ts';
import { tellSkew } from '../cluster/skew.ts';
import { CliError } from '../exit.ts';
import { conditionOf, pauseOf, stateOf } from '../objects/facts.ts';
import { on, text } from '../command-line/flag.ts';
import { registry } from '../command-line/kinds.ts';
import { Landscape } from '../objects/landscape.ts';
import type { WhyData } from '../output/shapes.ts';
import { sinceText } from '../output/times.ts';
import { alone, type Cause, causesOf, type Chain, rootsOf } from './causes/cause.ts';
import { chainOf, withoutOperator } from './chain.ts';
import { goneInside, goneLines } from './causes/inside.ts';
import { stepLines, stepsOf } from './steps.ts';
import { inAccount, linesOf, unknownLine } from '../diff/diff.ts';

type Why = WhyData['objects'][number];

/** Why an object is not as wanted: one sentence, then what it waits for, down to what somebody can do. */
export const why: Verb = async (call) => {
  if (!isAbout(call))
    throw new CliError(
      2,
      'why what? Write KIND/NAME, or -n NAMESPACE for all that is there; kubectl cloud status lists what is in trouble',
    );
  const { session } = call;
  const objects = await selected(call);
  if (objects.length === 0) return { exit: 0, kind: 'Why', data: { objects: [] }, lines: [await nothing(call, 'No such objects')] };
  const landscape = new Landscape(await session.reader(), objects);
  const [answers] = await Promise.all([
    Promise.all(objects.map((object) => explain(call, landscape, object))),
    tellSkew(
      session,
      objects.map(({ kind }) => kind),
    ),
  ]);
  const now = text(call.flags, 'against') === 'account' ? await inAccount(call, objects, 'why') : undefined;
  const data: WhyData = {
    objects: answers.map(({ data: one }) => ({
      ...one,
      ...(now !== undefined && {
        differs: [
          ...now.differences.filter(({ object }) => object === one.object).flatMap(linesOf),
          ...now.unknown.filter(({ object }) => object === one.object).map(unknownLine),
        ],
      }),
    })),
  };
  return {
    exit: data.objects.every(({ well, differs = [] }) => well && differs.length === 0) ? 0 : 1,
    kind: 'Why',
    data,
    lines: answers.flatMap((answer, at) => [...(at === 0 ? [] : ['']), ...answer.lines, ...differing(data.objects[at]?.differs)]),
  };
};

/** What the account says now, where it was asked. */
function differing(lines: readonly string[] | undefined): readonly string[] {
  if (lines === undefined) return [];
  return lines.length === 0
    ? ['The account, read now, has what the spec asks for.']
    : ['The account, read now:', ...lines.map((one) => `  ${one}`)];
}

interface Explained {
  readonly data: Why;
  readonly lines: readonly string[];
}
async function explain({ session, flags }: Call, landscape: Landscape, object: Resource): Promise<Explained> {
  const { off, ready, ...state } = stateOf(object);
  const well = state.well && !off;
  const [account, dead] = await accountOf(session, landscape, object);
  const gone = await goneInside(landscape, object);
  const asked = { object: shownName(object), well, ready, ...(gone.length > 0 && { goneInside: gone.map(shownName) }) };
  if (well)
    return {
      data: { ...asked, chain: [], commands: [] },
      lines: [headline(object, undefined, session.now), ...goneLines(gone), account],
    };
  const chain = withDead(await chainOf(landscape, object), dead, accountName(object));
  const roots = rootsOf(chain);
  const steps = on(flags, 'steps') ? stepsOf(object, chain) : undefined;
  return {
    data: {
      ...asked,
      chain: causesOf(chain).map(({ todo: _todo, commands: _commands, ...shown }) => shown),
      ...shownRoots(roots),
      ...(steps && { steps: steps.map((step) => ({ ...step, commands: [...step.commands] })) }),
    },
    lines: [
      headline(object, chain.cause, session.now),
      ...furtherDown(chain, session.now),
      ...(steps === undefined ? whatToDo(roots) : stepLines(steps)),
      ...goneLines(gone),
      account,
    ],
  };
}

const shownRoots = (roots: readonly Cause[]): Pick<Why, 'root' | 'todo' | 'roots' | 'commands'> => ({
  ...(roots[0] && { root: roots[0].object, todo: roots[0].todo }),
  roots: roots.map(({ object, todo, commands }) => ({ object, todo, commands: [...commands] })),
  commands: roots.flatMap(({ commands }) => commands),
});

/** Whatever else it waits for, nobody looks after it. */
const withDead = (chain: Chain, dead: DeadLease | undefined, account: string): Chain =>
  dead === undefined ? chain : { ...chain, below: [...chain.below, alone(withoutOperator(dead, account))] };

function headline(object: Resource, cause: Cause | undefined, now: number): string {
  const { well, ready, off, since, message } = stateOf(object);
  // For an older spec, or while it is deleted.
  const usable = conditionOf(object, 'Ready')?.status === 'True';
  if (well && off) return `${shownName(object)} is as its spec says, and off: ${message}`;
  if (cause === undefined) return `${shownName(object)} is Ready and as wanted${sinceText(since, now)}.`;
  const how = ready ? 'is Ready, but not as wanted' : usable ? 'is not as wanted' : 'is not Ready';
  return `${shownName(object)} ${how}${sinceText(cause.since, now)}: ${cause.reason}: ${cause.message}`;
}

function furtherDown({ below, more }: Chain, now: number, depth = 1): readonly string[] {
  const indent = '  '.repeat(depth);
  return [
    ...below.flatMap((one) => {
      const { object, reason, since, message } = one.cause;
      return [`${indent}${object}${sinceText(since, now)}: ${reason}: ${message}`, ...furtherDown(one, now, depth + 1)];
    }),
    ...(more === 0 ? [] : [`${indent}and ${more} more`]),
  ];
}

function whatToDo(roots: readonly Cause[]): readonly string[] {
  const [root, ...others] = roots;
  if (root === undefined) return [];
  if (others.length === 0) return [`What to do: ${root.todo}`, ...root.commands.map((one) => `  ${one}`)];
  return [
    `What to do, each of these ${roots.length}:`,
    ...roots.flatMap(({ object, todo, commands }) => [`  ${object}: ${todo}`, ...commands.map((one) => `    ${one}`)]),
  ];
}

const keyOfAccount = (object: Resource): Key => (object.kind === registry.connection.kind ? object.metadata : accountKey(object));
const accountName = (object: Resource): string => shownName({ kind: registry.connection.kind, metadata: keyOfAccount(object) });

/** How the account is, in one line: an object that is well may be held up next. */
async function accountOf(
  session: Call['session'],
  landscape: Landscape,
  object: Resource,
): Promise<readonly [string, DeadLease | undefined]> {
  const isAccount = object.kind === registry.connection.kind;
  const key = keyOfAccount(object);
  const account = isAccount ? object : await landscape.find(registry.connection.kind, key);
  if (typeof account === 'string') {
    const how = { missing: 'it is not there', unseen: 'you may not read it' }[account];
    return [`Account ${nameOf(key)}: ${how}.`, undefined];
  }
  const dead = await deadLeaseOf(await session.reader(), account, session.now);
  return [`Account ${nameOf(key)}: ${accountText(account, session.now)}${dead === undefined ? '' : `, ${deadText(dead)}`}.`, dead];
}

function accountText(account: Resource, now: number): string {
  const { reason = 'not looked at yet' } = stateOf(account);
  const { held = [] } = (account.status ?? {}) as { readonly held?: readonly unknown[] };
  return [
    reason,
    ...mayWrite(account, now),
    held.length === 0 ? 'nothing is held' : `${held.length} held: kubectl cloud release ${typed(account)}`,
  ].join(', ');
}

const barred: ReadonlySet<string> = new Set(['AccountNotReady', 'Unauthorized', 'AccountMismatch']);
/** A pause forbids what the mode allows. */
function mayWrite(account: Resource, now: number): readonly string[] {
  const paused = pauseOf(account, now);
  // Whatever its mode allows, there is no way into it.
  if (paused === undefined && barred.has(stateOf(account).reason ?? '')) return ['nothing can be written until that is mended'];
  const mode = account.spec['mode'] === 'ReadOnly' ? ['mode ReadOnly'] : [];
  if (paused !== undefined) return [...mode, `nothing is changed in it, paused ${paused}`];
  return [...(mode.length === 0 ? ['may write'] : mode), 'not paused'];
}
