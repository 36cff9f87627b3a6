import { accountKey } from '../../engine/model/account.ts';
import type { Paused } from '../../engine/model/pause.ts';
import { nameOf } from '../../engine/model/object-id.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { Call, Verb } from '../command.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { selected } from '../cluster/select.ts';
import { tellSkew } from '../cluster/skew.ts';
import { CliError } from '../exit.ts';
import { conditionOf, stateOf } from '../facts.ts';
import { on, text } from '../flag.ts';
import { registry } from '../kinds.ts';
import { Landscape } from '../landscape.ts';
import type { WhyData } from '../output/shapes.ts';
import { sinceText } from '../times.ts';
import type { Cause } from '../why/cause.ts';
import { chainOf } from '../why/chain.ts';
import { stepLines, stepsOf } from '../why/steps.ts';
import { inAccount, line } from './diff.ts';

type Why = WhyData['objects'][number];

/** Why an object is not as wanted: one sentence, then what it waits for, down to what somebody can do. */
export const why: Verb = async (call) => {
  if (call.args.length === 0) throw new CliError(2, 'why what? Write KIND/NAME; kubectl cloud status lists what is in trouble');
  const { session } = call;
  const objects = await selected(call);
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
      ...(now !== undefined && { differs: now.filter(({ object }) => object === one.object).map(line) }),
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

async function explain(
  { session, flags }: Call,
  landscape: Landscape,
  object: Resource,
): Promise<{ readonly data: Why; readonly lines: readonly string[] }> {
  const state = stateOf(object);
  const chain = state.well ? [] : await chainOf(landscape, object);
  const root = chain.at(-1);
  const account = await accountLine(landscape, object);
  const steps = on(flags, 'steps') ? stepsOf(object, chain) : undefined;
  const data: Why = {
    object: shownName(object),
    well: state.well,
    ready: state.ready,
    chain: chain.map(({ object: name, reason, message, since }) => ({
      object: name,
      reason,
      message,
      ...(since !== undefined && { since }),
    })),
    ...(root && { root: root.object, todo: root.todo }),
    commands: [...(root?.commands ?? [])],
    ...(steps && { steps: steps.map((step) => ({ ...step, commands: [...step.commands] })) }),
  };
  const doing = steps === undefined || steps.length === 0 ? whatToDo(root) : ['Step by step:', ...stepLines(steps)];
  return {
    data,
    lines: [headline(object, chain[0], session.now), ...furtherDown(chain, session.now), ...doing, account],
  };
}

function headline(object: Resource, cause: Cause | undefined, now: number): string {
  const { ready, since } = stateOf(object);
  // For an older spec, or while it is deleted.
  const usable = conditionOf(object, 'Ready')?.status === 'True';
  if (cause === undefined) return `${shownName(object)} is Ready and as wanted${sinceText(since, now)}.`;
  const how = ready ? 'is Ready, but not as wanted' : usable ? 'is not as wanted' : 'is not Ready';
  return `${shownName(object)} ${how}${sinceText(cause.since, now)}: ${cause.reason}: ${cause.message}`;
}

const furtherDown = (chain: readonly Cause[], now: number): readonly string[] =>
  chain
    .slice(1)
    .map(
      ({ object, reason, since, message }, depth) => `${'  '.repeat(depth + 1)}${object}${sinceText(since, now)}: ${reason}: ${message}`,
    );

const whatToDo = (root: Cause | undefined): readonly string[] =>
  root === undefined ? [] : [`What to do: ${root.todo}`, ...root.commands.map((line) => `  ${line}`)];

/** How the account is, in one line: an object that is well may be held up next. */
async function accountLine(landscape: Landscape, object: Resource): Promise<string> {
  const isAccount = object.kind === registry.connection.kind;
  const key = isAccount ? object.metadata : accountKey(object);
  const account = isAccount ? object : await landscape.find(registry.connection.kind, key);
  const how = typeof account === 'string' ? { missing: 'it is not there', unseen: 'you may not read it' }[account] : accountText(account);
  return `Account ${nameOf(key)}: ${how}.`;
}

function accountText(account: Resource): string {
  const { reason = 'not looked at yet' } = stateOf(account);
  const { held = [], paused } = (account.status ?? {}) as { readonly held?: readonly unknown[]; readonly paused?: Paused };
  return [
    reason,
    account.spec['mode'] === 'ReadOnly' ? 'mode ReadOnly' : 'may write',
    paused === undefined ? 'not paused' : `paused until ${paused.until}`,
    held.length === 0 ? 'nothing is held' : `${held.length} held: kubectl cloud release ${typed(account)}`,
  ].join(', ');
}
