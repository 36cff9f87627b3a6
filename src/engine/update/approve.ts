import { wordOrQuoted } from '../../lib/quoted.ts';
import { shownTime } from '../../lib/utc-time.ts';
import { effectMeans, minutes, parentOfItem, seconds } from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import { howOff } from '../guard/parent-rest.ts';
import { writeSpent } from '../change/metadata.ts';
import {
  annotateCommand,
  annotation,
  approveAnnotation,
  approveChangeAnnotation,
  reasonFor,
  spentAnnotation,
  spentNoted,
} from '../model/annotations.ts';
import { keyOf } from '../model/object-id.ts';
import type { Outcome, PendingPlan } from '../model/outcome.ts';
import { approvalEnd, offeredContent } from '../model/policy.ts';
import { type BoundRemote, placeOf, type StepOf, type UpdateSteps } from '../model/step.ts';
import { changeText, endsWithStop } from '../plan/approval.ts';
import { contentHash, type ContentVerdict, judgeContent, stillSpent } from '../plan/content-approval.ts';
import { wasSent } from '../plan/applied-values.ts';
import { unreadParts } from '../plan/diff.ts';
import { namesIn, namesOfIds } from '../identity/called.ts';
import { legend } from '../../lib/legend.ts';
import { lookAgain } from '../observe/observe.ts';
import { noteDrift } from './drift-report.ts';

type Approve = StepOf<UpdateSteps, 'approve'>;

/**
 * A change that needs approval: asks for it, or notes that it was given. What was noted in status is all that later steps
 * read, so the note comes first and the change with the next reconcile: tools take annotations away.
 */
export async function approve(
  context: ReconcileContext,
  step: Approve,
  present: BoundRemote & { readonly pending: boolean },
): Promise<Outcome> {
  const plan = withContent(context, step, present);
  const given = approvalOf(context, step, plan);
  if ('by' in given) return accept(context, given);
  const { recheckAfter } = step;
  if (recheckAfter !== undefined && (await lookAgain(context, present.identity, recheckAfter))) return { is: 'Again' };
  // What stands in its way may be over by then: the time of another one, or a day too many.
  if (given.refused !== undefined) context.engine.wake(context.kind.kind, context.object.metadata, { after: minutes(30) });
  if (!present.pending) noteDrift(context, step.changes, present.identity);
  const message = `${textOf(context, plan)}${orPowerOff(context, step, present)}${given.refused ?? ''}`;
  return { is: 'Approval', plan, message, ...(recheckAfter !== undefined && { recheckAfter }) };
}

/** Also what a plan is named that was asked for before, because the remote, and what is known of it, may be another by now. */
function withContent(context: ReconcileContext, { plan, asks }: Approve, { identity, want, remote }: BoundRemote): PendingPlan {
  const { kind, object } = context;
  const { content: _, names: __, ...rest } = plan;
  const { namespace, name } = object.metadata;
  const isRead = unreadParts(kind, want, remote, (field) => wasSent(context, field, { identity, remote })).length === 0;
  const content = isRead
    ? contentHash(
        { kind: kind.kind, namespace, name, path: identity.path },
        plan.effect,
        asks.map((change) => ({ ...change, field: placeOf(change) })),
      )
    : undefined;
  const names = namesOfIds(
    context,
    asks.flatMap((change) => [change.have, change.want].map((value) => ({ field: change.field, value }))),
  );
  return { ...rest, ...(content !== undefined && { content }), ...(names.length > 0 && { names }) };
}

/** `by`: the annotation that says so, and its value; what it approves, and what is spent with it. */
type Given = { readonly by: string; readonly value: string; readonly plan: PendingPlan; readonly spent?: readonly string[] };

function approvalOf(context: ReconcileContext, { asks }: Approve, plan: PendingPlan): Given | { readonly refused?: string } {
  const { engine, object } = context;
  const value = annotation(object, approveAnnotation);
  const asked = object.status?.['plan'] as PendingPlan | undefined;
  const plans = [plan, ...(asked !== undefined && asks.every((change) => asked.changes.includes(changeText(change))) ? [asked] : [])];
  // One that was accepted before, and asks again all the same, must not be accepted without end.
  const approved = plans.find(({ hash, approved: before }) => hash === value && before === undefined);
  if (approved !== undefined && value !== undefined) return { by: approveAnnotation, value, plan: approved };
  const spent = spentApprovals(context);
  const change = annotation(object, approveChangeAnnotation);
  const verdict = judgeContent({ value: change, content: plan.content, spent, now: engine.clock.now() });
  if (verdict.is === 'approved') return { by: approveChangeAnnotation, value: verdict.value, plan, spent: verdict.spent };
  const why = `${otherPlan(value, plan)}${unusable(verdict)}`;
  return why === '' ? {} : { refused: why };
}

/** Of what only needs that what is above does not run. */
const orPowerOff = (context: ReconcileContext, { asks }: Approve, { identity }: BoundRemote): string =>
  asks.every(endsWithStop)
    ? `; or power off ${parentOfItem(context.kind, identity.path)} (spec.${context.kind.parent?.ref})${howOff(context)}, and it needs no approval`
    : '';

const unusable = (verdict: ContentVerdict): string =>
  verdict.is === 'refused' ? `. Annotation ${approveChangeAnnotation} ${verdict.why}` : '';

/** Somebody thinks that it is approved. */
const otherPlan = (value: string | undefined, { hash }: PendingPlan): string =>
  value === undefined || value === hash
    ? ''
    : `. Annotation ${approveAnnotation} is ${JSON.stringify(value.slice(0, 40))}, which is not the hash of this plan, ${hash}`;

/** A live read shows who wrote it, and that it was not withdrawn meanwhile. */
async function accept(context: ReconcileContext, { by, value, plan, spent }: Given): Promise<Outcome> {
  const { engine, object } = context;
  const live = await engine.objects.annotated(context.kind.kind, keyOf(object), by, context.signal);
  if (live === undefined || live.object.metadata.uid !== object.metadata.uid || annotation(live.object, by) !== value)
    return { is: 'Again' };
  context.object = live.object;
  const at = shownTime(engine.clock.now());
  const reason = reasonFor(live.object, value);
  const told = { ...(live.manager !== undefined && { by: live.manager }), ...(reason !== undefined && { reason }) };
  context.status['plan'] = { ...plan, approved: { at, hash: value, ...told } };
  if (spent !== undefined) context.status['approvals'] = spent;
  const who = `${live.manager === undefined ? '' : ` by ${wordOrQuoted(live.manager)}`}${reason === undefined ? '' : ` (${wordOrQuoted(reason)})`}`;
  return { is: 'Working', reason: 'Updating', message: `approved${who}: ${plan.changes.join('; ')}`, recheckAfter: seconds(0) };
}

const offered = (context: ReconcileContext, content: string): string =>
  offeredContent(content, approvalEnd(context.engine.clock.now()), spentApprovals(context));

function textOf(context: ReconcileContext, { effect, changes, hash, content, names = [] }: PendingPlan): string {
  const { object, kind } = context;
  const command = annotateCommand(object, approveAnnotation, hash);
  const byContent =
    content === undefined
      ? ''
      : `. To allow it from Git instead: annotation ${approveChangeAnnotation}: ${offered(context, content)}. Its time, at most 14 days ahead, is when that ends`;
  return `${effect} needs approval, which means that ${effectMeans(effect, kind)}. It is for ${changes.join('; ')}${legend(namesIn(changes, names))}. To allow it: ${command}${byContent}. To have it dropped: set the spec to what the account has`;
}

/** Approvals by content that count no more, wherever that is noted. */
function spentApprovals({ object, status }: Pick<ReconcileContext, 'object' | 'status'>): readonly string[] {
  return [...new Set([...spentNoted(object), ...((status['approvals'] ?? []) as readonly string[])])];
}

/** Status and annotation each restore the other, so that neither alone can come back from a backup and have an approval count twice. */
export async function keepSpent(context: ReconcileContext): Promise<void> {
  const spent = stillSpent(spentApprovals(context), context.engine.clock.now());
  const shown = (context.object.status?.['approvals'] ?? []) as readonly string[];
  if (spent.some((one) => !shown.includes(one))) context.status['approvals'] = spent;
  const text = spent.join(' ');
  if (text !== (annotation(context.object, spentAnnotation) ?? '')) await writeSpent(context, text === '' ? null : text);
}
