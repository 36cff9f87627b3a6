import { oneLine } from '../../lib/one-line.ts';
import type { Health } from '../../resource/index.ts';
import { type Condition, noGeneration, syncedGeneration } from '../model/conditions.ts';
import type { ByEnding, Ending, Outcome, Reason } from '../model/outcome.ts';

type Verdict = Pick<Condition, 'status' | 'reason' | 'message'>;

/** What the conditions are made of: the outcome, what stood there before, and the remote's health if it was seen in this reconcile. */
export interface Circumstances {
  readonly outcome: Outcome;
  readonly before: readonly Condition[];
  readonly health: Health | undefined;
  readonly generation: number;
  readonly deleting: boolean;
  /** It has no remote, or what was seen before was seen of another object: none of it counts now. */
  readonly unbound: boolean;
  /** RFC 3339. */
  readonly now: string;
}

const yes = (reason: Reason, message = ''): Verdict => ({ status: 'True', reason, message });
const no = (reason: Reason, message = ''): Verdict => ({ status: 'False', reason, message });

interface Row {
  readonly ready: Verdict;
  readonly synced: Verdict;
  readonly reconciling: boolean;
  readonly stalled: boolean;
  /** Of Reconciling and Stalled, where it is not that of Synced. */
  readonly why?: Reason;
}

function asLastSeen({ before, deleting, unbound }: Circumstances, fallback: Verdict): Verdict {
  if (deleting) return no('Deleting', fallback.message);
  if (unbound) return { ...fallback, status: 'False' };
  const known = before.find(({ type }) => type === 'Ready');
  return known === undefined
    ? { ...fallback, status: 'False' }
    : {
        status: known.status,
        reason: known.status === 'True' ? known.reason : fallback.reason,
        message: known.status === 'True' ? known.message : fallback.message,
      };
}
/** As asked for; what is out of action all the same must not read as if it were in use. */
function asAsked(health: Health | undefined, message = ''): Verdict {
  if (health?.state !== 'Ready' || health.off === undefined) return yes('Available', message);
  return health.unwanted === true ? no('PoweredOff', health.off) : yes('PoweredOff', health.off);
}

function asSeen(c: Circumstances, fallback: Verdict): Verdict {
  if (c.health === undefined) return asLastSeen(c, fallback);
  return c.health.state === 'Ready' ? asAsked(c.health) : no(fallback.reason, c.health.message);
}

/** What is down while it is changed is not Ready, whatever was seen before. */
const isDown = ({ deleting, health }: Circumstances): boolean => !deleting && health?.state === 'Progressing';
const moving = ({ reason, message }: { readonly reason: Reason; readonly message: string }, c: Circumstances): Row => ({
  ready: isDown(c) ? no(reason, message) : asLastSeen(c, no(reason, message)),
  synced: no(reason, message),
  reconciling: true,
  stalled: false,
});
const unready = (outcome: { readonly reason: Reason; readonly message: string; readonly unready?: true }): Partial<Pick<Row, 'ready'>> =>
  outcome.unready === true ? { ready: no(outcome.reason, outcome.message) } : {};
const unchanged = (): undefined => undefined;

/** THE table of conditions (README: status), row by row. */
const rows: ByEnding<Row | undefined, [Circumstances]> = {
  Synced: ({ message = '' }, { health }) => ({
    ready: asAsked(health, message),
    synced: yes('Available', message),
    reconciling: false,
    stalled: false,
  }),
  Unsettled: ({ message }) => ({
    ready: no('Busy', message),
    synced: yes('Available'),
    reconciling: true,
    stalled: false,
    why: 'Busy',
  }),
  Working: moving,
  Waiting: (outcome, c) => ({
    ...moving(outcome, c),
    ...(outcome.asSeen === true && { ready: asSeen(c, no(outcome.reason, outcome.message)) }),
    ...unready(outcome),
  }),
  Retrying: (outcome, c) => ({ ...moving(outcome, c), ...unready(outcome) }),
  Reported: ({ reason, message, differs }, c) => ({
    ready: asSeen(c, yes(reason, message)),
    synced: differs ? no(reason, message) : yes(reason, message),
    reconciling: false,
    stalled: false,
  }),
  Approval: ({ message }, c) => ({
    ready: asSeen(c, no('ApprovalRequired', message)),
    synced: no('ApprovalRequired', message),
    reconciling: true,
    stalled: false,
  }),
  Paused: ({ message }, c) => ({
    ready: asLastSeen(c, no('Paused', message)),
    synced: { status: 'Unknown', reason: 'Paused', message },
    reconciling: c.deleting || c.before.find(({ type }) => type === 'Ready')?.observedGeneration !== c.generation,
    stalled: false,
  }),
  Stalled: (outcome, c) => ({
    ...stalledRow(outcome, c),
    ...unready(outcome),
    reconciling: false,
    stalled: true,
    why: outcome.reason,
  }),
  Quiet: unchanged,
  Again: unchanged,
  Deleted: unchanged,
};
const rowOf = <Is extends Ending>(outcome: Outcome<Is>, c: Circumstances): Row | undefined => rows[outcome.is](outcome, c);

/** What was seen of the remote is no news of this object: it is gone, or it is another object's. */
const notItsOwn: ReadonlySet<Reason> = new Set(['RemoteMissing', 'AlreadyClaimed']);

function stalledRow({ reason, message, differs }: Outcome<'Stalled'>, c: Circumstances): Pick<Row, 'ready' | 'synced'> {
  if (reason === 'RemoteFailed') return { ready: no(reason, message), synced: differs === true ? no(reason, message) : yes('Available') };
  // Which of several is its own, where it never was as the spec says.
  const undecided = reason === 'Ambiguous' && syncedGeneration(c.before) === noGeneration;
  const ready = notItsOwn.has(reason) || undecided ? no(reason, message) : asSeen(c, no(reason, message));
  return { ready, synced: no(reason, message) };
}

function verdictsOf(c: Circumstances): Readonly<Record<Condition['type'], Verdict>> | undefined {
  const row = rowOf(c.outcome, c);
  if (row === undefined) return undefined;
  const { ready, synced, why = synced.reason } = row;
  const { message } = synced.message === '' ? ready : synced;
  return {
    Ready: ready,
    Synced: synced,
    Reconciling: row.reconciling ? yes(why, message) : no(why),
    Stalled: row.stalled ? yes(why, 'message' in c.outcome ? (c.outcome.message ?? '') : '') : no(why),
  };
}

/** `Ready` keeps the generation that was last synced or only reported, so that a wait for it never passes early; an edit that a ReadOnly account holds up is neither. */
function generationOf(type: Condition['type'], c: Circumstances): number {
  const unwritten = c.outcome.is === 'Reported' && ['ReadOnly', 'Paused'].includes(c.outcome.reason) && c.outcome.differs;
  const settled = c.outcome.is === 'Synced' || (c.outcome.is === 'Reported' && !unwritten) || c.outcome.is === 'Unsettled';
  if (type !== 'Ready' || settled) return c.generation;
  return syncedGeneration(c.before);
}

/** The four conditions after this outcome, or undefined where it says nothing. Times change only with the status. */
export function conditionsOf(c: Circumstances): readonly Condition[] | undefined {
  const verdicts = verdictsOf(c);
  if (verdicts === undefined) return undefined;
  return (['Ready', 'Synced', 'Reconciling', 'Stalled'] as const).map((type) => {
    const known = c.before.find((one) => one.type === type);
    const verdict = verdicts[type];
    const lastTransitionTime = known !== undefined && known.status === verdict.status ? known.lastTransitionTime : c.now;
    return {
      type,
      ...verdict,
      message: oneLine(verdict.message).slice(0, 4096),
      observedGeneration: generationOf(type, c),
      lastTransitionTime,
    };
  });
}
