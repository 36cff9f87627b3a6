import type { Health } from '../../resource/index.ts';
import type { Outcome, Reason } from '../outcome.ts';

export interface Condition {
  readonly type: 'Ready' | 'Synced' | 'Reconciling' | 'Stalled';
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: Reason;
  readonly message: string;
  readonly observedGeneration: number;
  readonly lastTransitionTime: string;
}
type Verdict = Pick<Condition, 'status' | 'reason' | 'message'>;

/** What the conditions are made of: the outcome, what stood there before, and the remote's health if it was seen in this turn. */
export interface Circumstances {
  readonly outcome: Outcome;
  readonly before: readonly Condition[];
  readonly health: Health | undefined;
  readonly generation: number;
  readonly deleting: boolean;
  /** RFC 3339. */
  readonly now: string;
}

const yes = (reason: Reason, message = ''): Verdict => ({ status: 'True', reason, message });
const no = (reason: Reason, message = ''): Verdict => ({ status: 'False', reason, message });

interface Row {
  readonly ready: (c: Circumstances) => Verdict;
  readonly synced: Verdict;
  readonly reconciling: boolean;
  readonly stalled: boolean;
}

const asLastSeen =
  (fallback: Verdict) =>
  ({ before, deleting }: Circumstances): Verdict => {
    if (deleting) return no('Deleting', fallback.message);
    const known = before.find(({ type }) => type === 'Ready');
    return known === undefined
      ? { ...fallback, status: 'False' }
      : {
          status: known.status,
          reason: known.status === 'True' ? known.reason : fallback.reason,
          message: known.status === 'True' ? known.message : fallback.message,
        };
  };
const asSeen =
  (fallback: Verdict) =>
  (c: Circumstances): Verdict => {
    if (c.health === undefined) return asLastSeen(fallback)(c);
    return c.health.state === 'Ready' ? yes('Available') : no(fallback.reason, c.health.message);
  };

type Rows = { readonly [Is in Outcome['is']]?: (outcome: Extract<Outcome, { is: Is }>) => Row };

const moving = ({ reason, message }: { readonly reason: Reason; readonly message: string }): Row => ({
  ready: asLastSeen(no(reason, message)),
  synced: no(reason, message),
  reconciling: true,
  stalled: false,
});

/** THE table of design 6, row by row. `Again`, `Quiet` and `Deleted` write nothing; `Paused` looks at more than its outcome. */
const rows: Rows = {
  Synced: ({ message = '' }) => ({
    ready: () => yes('Available', message),
    synced: yes('Available', message),
    reconciling: false,
    stalled: false,
  }),
  Unsettled: ({ message }) => ({ ready: () => no('Busy', message), synced: yes('Available'), reconciling: true, stalled: false }),
  Working: moving,
  Waiting: (outcome) => ({ ...moving(outcome), ...(outcome.gone === true && { ready: () => no(outcome.reason, outcome.message) }) }),
  Retrying: moving,
  Reported: ({ reason, message, differs }) => ({
    ready: asSeen(yes(reason, message)),
    synced: differs ? no(reason, message) : yes(reason, message),
    reconciling: false,
    stalled: false,
  }),
  Approval: ({ message }) => ({
    ready: asSeen(no('ApprovalRequired', message)),
    synced: no('ApprovalRequired', message),
    reconciling: true,
    stalled: false,
  }),
  Stalled: ({ reason, message }) => stalledRow(reason, message),
};
const rowOf = (outcome: Outcome): Row | undefined => (rows[outcome.is] as ((outcome: Outcome) => Row) | undefined)?.(outcome);

function stalledRow(reason: Reason, message: string): Row {
  if (reason === 'RemoteFailed') return { ready: () => no(reason, message), synced: yes('Available'), reconciling: false, stalled: true };
  const ready = reason === 'RemoteMissing' ? (): Verdict => no(reason, message) : asSeen(no(reason, message));
  return { ready, synced: no(reason, message), reconciling: false, stalled: true };
}

const pausedText = 'annotation cloudhosting.dev/pause is set: nothing is read or changed until it is removed';

function pausedVerdicts(c: Circumstances): Readonly<Record<Condition['type'], Verdict>> {
  const applied = c.before.find(({ type }) => type === 'Ready')?.observedGeneration === c.generation;
  return {
    Ready: asLastSeen(no('Paused', pausedText))(c),
    Synced: { status: 'Unknown', reason: 'Paused', message: pausedText },
    Reconciling: applied && !c.deleting ? no('Paused') : yes('Paused', pausedText),
    Stalled: no('Paused'),
  };
}

function verdictsOf(c: Circumstances): Readonly<Record<Condition['type'], Verdict>> | undefined {
  if (c.outcome.is === 'Paused') return pausedVerdicts(c);
  const row = rowOf(c.outcome);
  if (row === undefined) return undefined;
  const { reason } = row.synced;
  const { message } = row.synced.message === '' ? row.ready(c) : row.synced;
  const why = c.outcome.is === 'Unsettled' ? 'Busy' : c.outcome.is === 'Stalled' ? c.outcome.reason : reason;
  return {
    Ready: row.ready(c),
    Synced: row.synced,
    Reconciling: row.reconciling ? yes(why, message) : no(why),
    Stalled: row.stalled ? yes(why, 'message' in c.outcome ? (c.outcome.message ?? '') : '') : no(why),
  };
}

/** `Ready` keeps the generation that was last synced or only reported, so that a wait for it never passes early; an edit that a ReadOnly account holds up is neither. */
function generationOf(type: Condition['type'], c: Circumstances): number {
  const unwritten = c.outcome.is === 'Reported' && c.outcome.reason === 'ReadOnly' && c.outcome.differs;
  const settled = c.outcome.is === 'Synced' || (c.outcome.is === 'Reported' && !unwritten) || c.outcome.is === 'Unsettled';
  if (type !== 'Ready' || settled) return c.generation;
  return c.before.find((known) => known.type === 'Ready')?.observedGeneration ?? -1;
}

/** The four conditions after this outcome, or undefined where it says nothing. Times change only with the status. */
export function conditionsOf(c: Circumstances): readonly Condition[] | undefined {
  const verdicts = verdictsOf(c);
  if (verdicts === undefined) return undefined;
  return (['Ready', 'Synced', 'Reconciling', 'Stalled'] as const).map((type) => {
    const known = c.before.find((one) => one.type === type);
    const verdict = verdicts[type];
    const lastTransitionTime = known !== undefined && known.status === verdict.status ? known.lastTransitionTime : c.now;
    return { type, ...verdict, message: verdict.message.slice(0, 4096), observedGeneration: generationOf(type, c), lastTransitionTime };
  });
}
