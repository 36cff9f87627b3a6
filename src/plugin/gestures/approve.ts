import { approvalReason, approveAnnotation, approveReasonAnnotation, longestReason } from '../../engine/model/annotations.ts';
import { shownPlan } from '../../engine/model/policy.ts';
import type { PendingPlan } from '../../engine/model/outcome.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { type Effect, effectMeans, effects } from '../../resource/index.ts';
import type { Answer, Call, Level, Verb } from '../command-line/command.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { nothing } from '../cluster/select.ts';
import { changeLines } from '../diff/diff.ts';
import { CliError } from '../exit.ts';
import { isApprovedUnseen, isBehind, stateOf } from '../objects/facts.ts';
import { durationOf, on, text } from '../command-line/flag.ts';
import { registry } from '../command-line/kinds.ts';
import { Landscape } from '../objects/landscape.ts';
import type { ApprovalsData } from '../output/written-shapes.ts';
import { table } from '../output/table.ts';
import { age } from '../output/times.ts';
import { waitFor } from '../wait/wait.ts';
import { chosen } from './chosen.ts';
import type { Around } from '../objects/around.ts';
import { aroundOf } from '../objects/around-of.ts';
import { takenAlong } from '../objects/taken-along.ts';
import { asksToBeConfirmed, consequencesIn } from '../operations/asking.ts';
import { type Gesture, perform } from './gesture.ts';

/** How loudly it must be said. */
const levels: Readonly<Record<Effect, Level>> = { InPlace: 'C1', Reboot: 'C1', Rebuild: 'C2', Replace: 'C2', Never: 'C2' };

/** Lets changes happen that wait for a yes: those, and no others. */
export const approve: Verb = async (call) => {
  if (on(call.flags, 'list')) return listed(call);
  refuseLong(text(call.flags, 'reason'));
  const limit = durationOf(call.flags, 'timeout');
  const objects = await chosen(call, 'approve');
  const waiting = objects.filter((object) => isWaiting(shownPlan(object)));
  for (const object of waiting) refuseOther(object, call.flags);
  const gestures: Gesture[] = [];
  for (const object of waiting) gestures.push(await gestureOf(call, object));
  if (text(call.flags, 'hash') !== undefined && waiting.length === 0)
    throw new CliError(3, `${objects.map(howItIs).join('; ')}. There is no such plan to approve`);
  if (objects.length > 0 && objects.every((object) => shownPlan(object) === undefined))
    throw new CliError(3, `${objects.map(howItIs).join('; ')}. Nothing was written`);
  const done = await perform(call, gestures, objects.map(howItIs));
  return on(call.flags, 'wait') && !on(call.flags, 'dryRun') ? await waitFor(call, waiting, { what: 'Made', limit, patient: true }) : done;
};

/** The operator would cut it. */
function refuseLong(reason: string | undefined): void {
  if (reason?.trim() === '') throw new CliError(2, '--reason says nothing: leave it out, or write why');
  if (reason !== undefined && reason.length > longestReason)
    throw new CliError(2, `--reason has ${reason.length} characters: write no more than ${longestReason}`);
}

const isWaiting = (plan: PendingPlan | undefined): plan is PendingPlan => plan !== undefined && plan.approved === undefined;

function howItIs(object: Resource): string {
  const approved = shownPlan(object)?.approved;
  return `${shownName(object)} ${approved === undefined ? `waits for no approval (${stateOf(object).reason ?? 'not looked at yet'})` : `was approved at ${approved.at}, and is being changed`}`;
}

async function gestureOf({ flags, session }: Call, object: Resource): Promise<Gesture> {
  const { hash, effect, changes, names = [] } = planOf(object);
  const around = await aroundOf(session, [object]);
  const why = text(flags, 'reason');
  return {
    object,
    annotations: { [approveAnnotation]: hash, ...(why !== undefined && { [approveReasonAnnotation]: approvalReason(hash, why) }) },
    shown: ['/status/plan/hash'],
    level: levels[effect],
    expected: object.metadata.name,
    inShort: `${shownName(object)}: ${effect}`,
    facts: [
      `${shownName(object)}: ${effect}: ${effectMeans(effect, registry.kind(object.kind))}`,
      ...[...changes.flatMap(changeLines), ...alsoDone(object, around), ...names].map((line) => `  ${line}`),
      `  account ${String(object.status?.['account'] ?? 'not known')}, ${String(object.status?.['path'] ?? 'no resource yet')}, plan ${hash}`,
    ],
    afterwards: `plan ${hash} is approved. To see it done: kubectl cloud wait --for=Synced --on-approval=wait ${typed(object)}`,
  };
}

function planOf(object: Resource): PendingPlan {
  const plan = shownPlan(object);
  if (plan === undefined) throw new Error(`${shownName(object)} has no plan`);
  return plan;
}

/** What plan warns of: who says yes may have seen no plan. */
function alsoDone(object: Resource, around: Around): readonly string[] {
  const { kind, metadata } = object;
  const { effect, changes } = planOf(object);
  const fields = changes.flatMap((change) => /^spec\.(\w+)/.exec(change)?.[1] ?? []);
  const action = effect === 'Replace' ? 'replace' : 'change';
  return takenAlong({ kind, namespace: metadata.namespace, name: metadata.name, action, effect, fields }, around);
}

/** What a script was told to approve, and how much at most. */
function refuseOther(object: Resource, flags: Call['flags']): void {
  const { hash, effect, changes } = planOf(object);
  if (isBehind(object))
    throw new CliError(
      3,
      `${shownName(object)} was edited after plan ${hash} was made, and no operator has looked since. Nothing was written. See what waits then: kubectl cloud why ${typed(object)}`,
    );
  const wanted = text(flags, 'hash');
  if (wanted !== undefined && wanted !== hash)
    throw new CliError(
      3,
      `${shownName(object)}: plan ${wanted} is not the one that waits. That is ${hash}, ${effect}: ${changes.join('; ')}. Nothing was written. To approve that one: kubectl cloud approve ${typed(object)} --hash ${hash}`,
    );
  const most = text(flags, 'maxEffect') as Effect | undefined;
  if (most !== undefined && effects.indexOf(effect) > effects.indexOf(most))
    throw new CliError(3, `${shownName(object)} needs ${effect}, which is more than --max-effect=${most}; nothing was written`);
}

/** All that wait for a yes. */
async function listed({ session, flags }: Call): Promise<Answer> {
  const namespace = on(flags, 'allNamespaces') ? undefined : await session.namespace();
  const { all } = await Landscape.of(await session.reader(), namespace);
  const asking = all.filter(asksToBeConfirmed);
  const confirmations = asking.map((object) => ({ object: shownName(object), consequences: [...consequencesIn(object)] }));
  const data: ApprovalsData = { approvals: all.flatMap(rowOf), ...(asking.length > 0 && { confirmations }) };
  const rows = data.approvals.map(({ object, effect, hash, since, changes, names = [] }) => [
    object,
    effect,
    hash,
    since === undefined ? '' : age(since, session.now),
    `${changes.map(inARow).join('; ')}${names.length === 0 ? '' : ` (${names.join(', ')})`}`,
  ]);
  return {
    exit: 0,
    kind: 'Approvals',
    data,
    lines:
      rows.length + asking.length === 0
        ? [await nothing({ session, flags }, 'Nothing waits for approval')]
        : [...(rows.length === 0 ? [] : table(['OBJECT', 'EFFECT', 'PLAN', 'AGE', 'CHANGES'], rows)), ...asking.flatMap(askingLines)],
  };
}

const inARow = (change: string): string => {
  const [head = '', ...fields] = changeLines(change);
  return fields.length === 0 ? head : `${head}: ${fields.map((line) => line.trim()).join(', ')}`;
};

/** An operation has no plan to approve: what is lost by it is confirmed, by another verb. */
const askingLines = (object: Resource): readonly string[] => [
  `${shownName(object)} waits for a confirmation: ${consequencesIn(object).join('; ')}`,
  `  kubectl cloud confirm ${typed(object)}`,
];

function rowOf(object: Resource): ApprovalsData['approvals'] {
  const plan = shownPlan(object);
  if (!isWaiting(plan) || isApprovedUnseen(object)) return [];
  const { effect, hash, changes, names } = plan;
  const { since } = stateOf(object);
  return [
    {
      object: shownName(object),
      effect,
      hash,
      changes: [...changes],
      ...(names !== undefined && { names: [...names] }),
      ...(since !== undefined && { since }),
    },
  ];
}
