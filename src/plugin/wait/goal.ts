import { isDeleting } from '../../engine/model/annotations.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { Millis } from '../../lib/clock.ts';
import { askedUnseen, conditionOf, connectionState, isCutOff, isStalled, isUnconnected, needsPerson, stateOf } from '../objects/facts.ts';
import { registry } from '../command-line/kinds.ts';
import { mayBeIncomplete } from '../why/causes/refused.ts';

/** How far one object is. */
export interface Verdict {
  readonly state: 'reached' | 'failed' | 'waiting';
  readonly reason: string;
  readonly message: string;
  /** Another object, or what it lacks, and how that is: it needs a person, and not this one. */
  readonly waitsFor?: { readonly object: string; readonly said: string };
  /** What is asked for is there, and something else of it needs a person. */
  readonly isStalled?: true;
  /** Nothing is on its way, as far as was seen. */
  readonly isResting?: true;
}
/** What was seen of one object, when. */
export interface Step {
  /** RFC 3339. */
  readonly at: string;
  readonly object: string;
  readonly verdict: Verdict;
  /** Nothing was told of it before. */
  readonly isFirst: boolean;
}

/** What a wait has seen so far. */
export interface Seen {
  readonly now: Millis;
  /** Since when an object rests, by its uid; Infinity: it does not. */
  readonly since: Map<string, Millis>;
}
/** `object` undefined: it is gone. `before`: as it was when the wait began; another of its name is another. */
export type Goal = (object: Resource | undefined, before: Resource, patient: boolean, seen?: Seen) => Verdict;

const gone = (before: Resource): Verdict => ({ state: 'failed', reason: 'NotFound', message: `${before.metadata.name} is gone` });

/** The spec that was applied last is the one that the conditions speak of. */
const isCurrent = ({ metadata, status }: Resource): boolean => status?.['observedGeneration'] === metadata.generation;

const isOff = (object: Resource): boolean => stateOf(object).off;
const wasOff = (before: Resource): boolean => conditionOf(before, 'Ready')?.reason === 'PoweredOff';

const until =
  (reached: (object: Resource, before: Resource) => boolean): Goal =>
  (object, before, patient) => {
    if (object === undefined || object.metadata.uid !== before.metadata.uid) return gone(before);
    // What its status says was true before that.
    const asked = askedUnseen(object);
    if (asked !== undefined) return { state: 'waiting', reason: 'NotLookedAt', message: asked };
    const { reason = 'NotLookedAt', message } = stateOf(object);
    if (reached(object, before)) return { state: 'reached', reason, message, ...(isStalled(object) && { isStalled: true }) };
    // What it lacks may be about to come: who looks at what it waits for tells.
    const isOver = isStuck(object, patient) && !mayBeIncomplete(object);
    return { state: isOver ? 'failed' : 'waiting', reason, message: progressOf(object) ?? message };
  };

/** Without a person it goes no further. What an older spec met is no verdict on this one. */
export function isStuck(object: Resource, patient: boolean): boolean {
  const awaitsApproval = stateOf(object).reason === 'ApprovalRequired' && !isStalled(object);
  return isCurrent(object) && (needsPerson(object) || lacksToken(object)) && !(awaitsApproval && patient);
}

/** The same of a look: what was asked for is done, whatever the machine is. */
const isHeldUp = (object: Resource, patient: boolean): boolean => isStuck(object, patient) && !isOff(object);

const isAccount = ({ kind }: Resource): boolean => kind === registry.connection.kind;
const lacksToken = (object: Resource): boolean => isAccount(object) && isUnconnected(connectionState(object));

function progressOf({ status }: Resource): string | undefined {
  const { percent, message } = (status?.['progress'] ?? {}) as { readonly percent?: number; readonly message?: string };
  return percent === undefined ? undefined : `${percent} %${message === undefined ? '' : ` ${message}`}`;
}

const isTrue = (object: Resource, type: 'Ready' | 'Synced'): boolean => {
  const condition = conditionOf(object, type);
  return condition?.status === 'True' && condition.observedGeneration === object.metadata.generation;
};

const isReady = (object: Resource): boolean =>
  isTrue(object, 'Ready') && isCurrent(object) && !isDeleting(object) && !(isAccount(object) && isCutOff(object));
/** Also what is as wanted has jobs of its own, as a machine that was deleted in the account and is made anew: it is still to come. */
const isSynced = (object: Resource): boolean => isTrue(object, 'Synced') && isAtRest(object) && !isDeleting(object);

/** So long nothing is on its way. */
const quietFor = 30_000;

/** Nothing is being done, for half a minute, as it was seen here; whether that is as wanted is not asked. */
const quiet: Goal = (object, before, _, seen) => {
  if (object?.metadata.uid !== before.metadata.uid) return { state: 'reached', reason: 'Deleted', message: '' };
  const { reason = 'NotLookedAt', message } = stateOf(object);
  const isQuiet = restsFor(object, seen) >= quietFor;
  return { state: isQuiet ? 'reached' : 'waiting', reason, message, ...(isAtRest(object) && { isResting: true }) };
};

function restsFor(object: Resource, { since, now }: Seen = { since: new Map(), now: 0 }): Millis {
  const { uid } = object.metadata;
  const rests = isAtRest(object);
  const known = since.get(uid) ?? Infinity;
  const from = rests ? Math.min(known, now) : Infinity;
  since.set(uid, from);
  return now - from;
}

/** An operation that was done; one that failed, or asks whether it may, goes no further. */
const succeeded: Goal = (object, before) => {
  if (object === undefined || object.metadata.uid !== before.metadata.uid) return gone(before);
  const { message } = stateOf(object);
  const phase = object.status?.['phase'];
  const reason = typeof phase === 'string' ? phase : 'NotLookedAt';
  if (phase === 'Succeeded') return { state: 'reached', reason, message };
  return { state: isStalled(object) || phase === 'Failed' || phase === 'AwaitingConfirmation' ? 'failed' : 'waiting', reason, message };
};

function isLookedAt({ status }: Resource, before: Resource): boolean {
  const handled = status?.['lastHandledReconcileAt'];
  return handled !== undefined && handled !== before.status?.['lastHandledReconcileAt'];
}
export const isAtRest = (object: Resource): boolean => isCurrent(object) && conditionOf(object, 'Reconciling')?.status !== 'True';

/** The operator has looked since it was asked to, and has done what followed from that. What was said before is no answer. */
const lookedAt: Goal = (object, before, patient) => {
  if (object?.metadata.uid !== before.metadata.uid)
    return isDeleting(before) ? { state: 'reached', reason: 'Deleted', message: '' } : gone(before);
  const { reason = 'NotLookedAt', message } = stateOf(object);
  if (reason === 'Paused') return { state: 'failed', reason, message };
  if (!isLookedAt(object, before)) return { state: 'waiting', reason, message: 'not looked at since it was asked for' };
  if (isHeldUp(object, patient)) return { state: 'failed', reason, message };
  return { state: isAtRest(object) ? 'reached' : 'waiting', reason, message: progressOf(object) ?? message };
};

const deleteCommand = ({ kind, metadata: { namespace, name } }: Resource): string =>
  `kubectl -n ${namespace} delete ${kind.toLowerCase()} ${name}`;

export const goals = {
  LookedAt: lookedAt,
  Quiet: quiet,
  'phase=Succeeded': succeeded,
  Ready: until((object) => isReady(object) && !isOff(object)),
  Synced: until(isSynced),
  /** A change was made, and what it took down is up again; what was off before may be so after it. */
  Made: until((object, before) => isSynced(object) && isReady(object) && (!isOff(object) || wasOff(before))),
  Observed: until((object) => isCurrent(object) && stateOf(object).reason === 'Observed'),
  Deleted: (object, before) => {
    if (object === undefined || object.metadata.uid !== before.metadata.uid) return { state: 'reached', reason: 'Deleted', message: '' };
    const { reason = 'NotLookedAt', message } = stateOf(object);
    if (!isDeleting(object)) return { state: 'waiting', reason, message: `nobody has asked for its deletion: ${deleteCommand(object)}` };
    return { state: needsPerson(object) ? 'failed' : 'waiting', reason, message };
  },
} satisfies Readonly<Record<string, Goal>>;

/** Whether what an object waits for keeps it from this goal. */
export const isKeptFrom: Readonly<Record<keyof typeof goals, (object: Resource, before: Resource) => boolean>> = {
  LookedAt: isLookedAt,
  Quiet: () => true,
  Deleted: isDeleting,
  'phase=Succeeded': () => true,
  Ready: () => true,
  Synced: () => true,
  Made: () => true,
  Observed: () => true,
};
