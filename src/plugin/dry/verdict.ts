import type { ByEnding, Outcome, Reason } from '../../engine/model/outcome.ts';
import { greatest } from '../../engine/model/policy.ts';
import { type Difference, placeOf, type StepOf, type UpdateStep, type UpdateSteps } from '../../engine/model/step.ts';
import { shown } from '../../engine/model/values.ts';
import { effectOf } from '../../engine/plan/approval.ts';
import { differences } from '../../engine/plan/diff.ts';
import { type Effect, Sensitive } from '../../resource/index.ts';
import type { Asked } from './asked.ts';
import type { Turned } from './turned.ts';
import { elementsOf } from './elements.ts';
import { unknownFields } from './unread.ts';

export const actions = ['none', 'create', 'adopt', 'change', 'replace', 'delete', 'retain', 'wait', 'refused'] as const;
export type Action = (typeof actions)[number];

export interface PlannedChange {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly effect: Effect;
  readonly secret: boolean;
  /** Of a record: a line for each field that differs. Of a list of records: one for each that is added, removed or changed. */
  readonly elements?: readonly string[];
  /** Not sent before somebody says yes. Absent where a yes is needed: sent at once, without it. */
  readonly afterApproval?: true;
}
export interface PlannedCall {
  readonly method: string;
  /** Neutral, with ids. */
  readonly path: string;
  readonly body?: unknown;
  /** As of a change. */
  readonly afterApproval?: true;
}
/** What would become of one object, as data. */
export interface Verdict {
  readonly action: Action;
  /** Of changes and replacements. */
  readonly effect?: Effect;
  readonly changes: readonly PlannedChange[];
  readonly calls: readonly PlannedCall[];
  /** Where somebody must say yes first. */
  readonly approval?: Asked;
  readonly reason?: Reason;
  readonly message?: string;
  /** What it waits for, in the words of its status. */
  readonly on?: readonly string[];
  /** What waits cannot be told before it is reached, or read again. */
  readonly unknown?: true;
  /** The account does not have it: it is lost, or may be. */
  readonly missing?: true;
  /** Fields of which the account did not tell what it has, and why. */
  readonly unread: readonly string[];
}

type Said = Pick<Verdict, 'action' | 'reason' | 'message' | 'on' | 'unknown' | 'missing'>;

/** THE table of endings as a plan shows them, where nothing would be sent. */
const endings: ByEnding<Said> = {
  Synced: () => ({ action: 'none' }),
  Unsettled: ({ message }) => ({ action: 'none', message }),
  Working: ({ reason, message }) => ({ action: 'wait', reason, message }),
  Waiting: ({ reason, message, on }) => ({ action: 'wait', reason, message, on }),
  Reported: ({ reason, message }) => ({ action: 'none', reason, message: reason === 'Observed' ? onlyObserved(message) : message }),
  Approval: ({ plan }) => ({ action: plan?.effect === 'Replace' ? 'replace' : 'change', reason: 'ApprovalRequired' }),
  Paused: ({ message }) => ({ action: 'none', reason: 'Paused', message }),
  Retrying: ({ reason, message, missing }) => ({ action: 'wait', reason, message, ...(missing ? { missing } : { unknown: true }) }),
  Stalled: ({ reason, message }) => ({ action: 'refused', reason, message, ...(reason === 'RemoteMissing' && { missing: true }) }),
  Quiet: () => ({ action: 'wait', message: 'it could not be read in time; try again with a longer --timeout', unknown: true }),
  Again: () => ({ action: 'wait', unknown: true }),
  Deleted: () => ({ action: 'retain' }),
};
const onlyObserved = (message: string): string => `lifecycle.management is Observe, so nothing is changed: ${message}`;
const ending = <Is extends Outcome['is']>(outcome: Outcome<Is>): Said => endings[outcome.is](outcome);

/** Total: a step without a row does not compile. */
const differing: { readonly [Do in keyof UpdateSteps]: (step: StepOf<UpdateSteps, Do>) => readonly Difference[] } = {
  read: () => [],
  update: ({ changes }) => changes,
  replace: ({ changes }) => changes,
  wait: () => [],
  approve: ({ changes }) => changes,
  report: ({ changes }) => changes,
  refuse: ({ changes }) => changes,
  nothing: () => [],
};
const differencesOf = <Do extends UpdateStep['do']>(step: StepOf<UpdateSteps, Do>): readonly Difference[] => differing[step.do](step);

export function verdictOf(turned: Turned): Verdict {
  const { kind, outcome, calls, adopted, approval, object, unread: failed } = turned;
  const changes = changesOf(turned);
  const said: Said = outcome === undefined ? { action: 'none' } : ending(outcome);
  const sent = sentOf(turned);
  const unread = unknownFields(kind, object, failed);
  const known = actionOf(said.action, { calls, adopted, bound: object.status?.['path'] !== undefined });
  // That nothing would happen cannot be said.
  const action = known === 'none' && unread.length > 0 ? 'wait' : known;
  const effect =
    changes.length > 0 && (action === 'change' || action === 'replace') ? greatest(changes.map((one) => one.effect)) : undefined;
  return { ...said, action, changes, calls: sent, unread, ...(approval && { approval }), ...(effect !== undefined && { effect }) };
}

const sentOf = ({ calls, unasked }: Turned): readonly PlannedCall[] =>
  calls.map(({ call: { method, path, body } }, at) => ({
    method,
    path,
    ...(body !== undefined && { body: JSON.parse(JSON.stringify(body)) as unknown }),
    ...(unasked !== undefined && at >= unasked.calls && { afterApproval: true }),
  }));

interface Seen extends Pick<Turned, 'calls' | 'adopted'> {
  readonly bound: boolean;
}

function actionOf(said: Action, { calls, adopted, bound }: Seen): Action {
  const effects = calls.map(({ change }) => change.effect);
  if (said === 'refused') return said;
  if (said === 'retain' && !bound) return 'none';
  if (effects.includes('Replace')) return 'replace';
  if (effects.includes('Create')) return 'create';
  if (effects.includes('Delete')) return 'delete';
  if (adopted) return 'adopt';
  return effects.length > 0 && said !== 'replace' ? 'change' : said;
}

/** Each field that differs from what the account shows; what only a call before it would make different is nobody's change. */
function changesOf({ kind, steps, unasked }: Turned): readonly PlannedChange[] {
  const seen = steps.findLast(({ supposed }) => !supposed)?.present;
  const real = new Set(seen && differences(kind, seen.want, seen.remote, () => true).map(placeOf));
  const all = new Map<string, PlannedChange>();
  for (const { step, supposed } of steps)
    for (const difference of differencesOf(step).filter((one) => !all.has(placeOf(one)) && (!supposed || real.has(placeOf(one)))))
      all.set(placeOf(difference), changeOf(difference));
  if (unasked === undefined) return [...all.values()];
  const atOnce = new Set(steps.slice(0, unasked.steps).flatMap(({ step }) => (step.do === 'update' ? step.changes.map(placeOf) : [])));
  return [...all.values()].map((change) => (atOnce.has(change.field) ? change : { ...change, afterApproval: true }));
}

export function changeOf(difference: Difference): PlannedChange {
  const { want, have, rule } = difference;
  const secret = want instanceof Sensitive || have instanceof Sensitive;
  const elements = secret ? undefined : elementsOf(have, want, rule.as);
  const told = { from: shown(have), to: shown(want), ...(elements && { elements }) };
  return { field: placeOf(difference), ...told, effect: effectOf(difference), secret };
}
