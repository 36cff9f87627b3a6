import type { Millis } from '../../lib/clock.ts';
import { oneLine } from '../../lib/one-line.ts';
import { ownWords, quoted, wordOrQuoted } from '../../lib/quoted.ts';
import { type Condition, isGoneFrom, isStalled, madeThen, wasInStep, wentWithIt } from '../../engine/model/conditions.ts';
import {
  annotation,
  approveAnnotation,
  isDeleting,
  pauseAnnotation,
  recreateAnnotation,
  rotateAnnotation,
} from '../../engine/model/annotations.ts';
import { factsOf, judgePause, parsePause, type Paused, type PauseWish } from '../../engine/model/pause.ts';
import { shownPlan } from '../../engine/model/policy.ts';
import type { Reason } from '../../engine/model/outcome.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { asCollection } from '../../resource/index.ts';
import { registry } from '../command-line/kinds.ts';

/** How an object is, in the words that the operator wrote into its status. */
export interface State {
  /** Usable, as wanted, and that for the spec that was applied last. */
  readonly well: boolean;
  readonly ready: boolean;
  /** As its spec says, and out of action all the same, which nothing is about to end. */
  readonly off: boolean;
  /** Undefined: the operator has not looked at it yet. */
  readonly reason: Reason | undefined;
  readonly message: string;
  /** Of that what nobody else wrote: what something is to be read out of. */
  readonly words: string;
  /** RFC 3339. */
  readonly since: string | undefined;
}

const conditions = ({ status }: Resource): readonly Condition[] => (status?.['conditions'] as readonly Condition[] | undefined) ?? [];
export const conditionOf = (object: Resource, type: Condition['type']): Condition | undefined =>
  conditions(object).find((condition) => condition.type === type);

const holds = (condition: Condition | undefined, generation: number): boolean =>
  condition?.status === 'True' && condition.observedGeneration === generation;

/** What is broken by itself is as wanted, and so is what is out of action while nothing asks for more; what is not as wanted says more than what it does to its use. */
function tellingOf(ready: Condition | undefined, synced: Condition | undefined, isReady: boolean): Condition | undefined {
  const isOff = synced?.reason === 'Available' && ready?.reason === 'PoweredOff';
  return synced?.status === 'True' && (!isReady || isOff) ? ready : synced;
}

const saysOff = (telling: Condition | undefined, object: Resource): boolean =>
  telling?.reason === 'PoweredOff' && telling.observedGeneration === object.metadata.generation && !isDeleting(object);

export function stateOf(object: Resource): State {
  const [ready, synced] = [conditionOf(object, 'Ready'), conditionOf(object, 'Synced')];
  const { generation } = object.metadata;
  const isReady = holds(ready, generation);
  const well = isReady && holds(synced, generation) && !isDeleting(object);
  const telling = tellingOf(ready, synced, isReady);
  const off = saysOff(telling, object);
  // A condition that was True before it told this says since when it is True, and not since when it is off.
  const since = off && isReady ? undefined : telling?.lastTransitionTime;
  const message = oneLine(telling?.message ?? '');
  return { well, ready: isReady, off, reason: telling?.reason, message, words: ownWords(message), since };
}

/** Its conditions speak of an older spec, or of before its deletion was asked for: what they say is no news. */
export const isBehind = ({ metadata, status }: Resource): boolean =>
  status?.['conditions'] !== undefined && status['observedGeneration'] !== metadata.generation;

/** Of what is being deleted, and {@link isBehind}. */
export const goingUnseen = ({ metadata }: Resource): string =>
  `it is being deleted since ${metadata.deletionTimestamp}, and no operator has looked at it since`;

/** The yes that it waits for is written, and the operator, which notes in status what it accepts, has not looked since. */
export function isApprovedUnseen(object: Resource): boolean {
  const plan = shownPlan(object);
  return (
    stateOf(object).reason === 'ApprovalRequired' &&
    plan !== undefined &&
    plan.approved === undefined &&
    annotation(object, approveAnnotation) === plan.hash
  );
}

export { isStalled };

/** What a person asked for by an annotation, as long as no operator, which notes in status what it takes up, has looked since; undefined: nothing. */
export function askedUnseen(object: Resource): string | undefined {
  const asked = askedFor(object);
  return asked && `${asked}, and no operator has taken that up yet`;
}
/** The same, whatever keeps it from being taken up. */
export function askedFor(object: Resource): string | undefined {
  const { well, reason } = stateOf(object);
  if (isApprovedUnseen(object)) return 'it is approved by annotation';
  if (reason === 'RemoteMissing' && isNews(object, recreateAnnotation, 'recreated')) return 'it is asked to be made anew';
  const isRenewed = object.status?.['renewedAt'] !== undefined;
  return well && isRenewed && isNews(object, rotateAnnotation, 'rotated') ? 'it is asked to be renewed' : undefined;
}
/** In the operator's words: it is lost, and nothing but its account keeps another one from being made. */
export function isMadeThen(object: Resource): boolean {
  const { reason, words } = stateOf(object);
  return reason === 'RemoteMissing' && words.endsWith(madeThen);
}
function isNews(object: Resource, name: string, noted: string): boolean {
  const value = annotation(object, name);
  return value !== undefined && value !== object.status?.[noted];
}

/** In the operator's words, what it had in the account is no more. */
export function hasNothingLeft(object: Resource): boolean {
  const { path } = object.status ?? {};
  const { words } = stateOf(object);
  return typeof path === 'string' && [wentWithIt, isGoneFrom].some((how) => words.includes(`${path} ${how}`));
}

/** What it had was missing when the operator looked last, or is no more in its words. */
export function isKnownGone(object: Resource): boolean {
  const reason = conditionOf(object, 'Synced')?.reason;
  const isLost = reason === 'RemoteMissing' || (atRest.has(reason ?? '') && hasLostItsId(object)) || hasNothingLeft(object);
  return object.status?.['path'] !== undefined && isLost;
}
/** Nothing is made of it meanwhile. */
const atRest: ReadonlySet<string> = new Set(['Paused', 'ReadOnly']);
/** A proven loss takes the id out of status; what a pause says afterwards leaves the rest of it as it is. */
const hasLostItsId = (object: Resource): boolean =>
  asCollection(registry.kind(object.kind)) !== undefined && wasInStep(object) && object.status?.['id'] === undefined;

/** What is named is there, and waiting does not make it fit. `message`: of the operator, without what it quotes. */
export const namesUnfit = (message: string): boolean => / is in another account\b| no longer for itself: /.test(message);

/** Nothing goes on without somebody: it is Stalled, waits for a yes or for what never fits, or is off and nobody asked for that. */
export function needsPerson(object: Resource): boolean {
  const { reason, off, words } = stateOf(object);
  if (reason === 'ReferenceNotReady' && namesUnfit(words)) return true;
  return off || isStalled(object) || (reason === 'ApprovalRequired' && !isApprovedUnseen(object)) || reason === 'DeletionHeld';
}

/** Without an account nothing goes on: what no wait ends counts, too. */
const endsByItself: ReadonlySet<string> = new Set(['NotSeen', 'NotLookedAt', 'Creating', 'Unreachable', 'Throttled', 'Paused', 'Deleting']);
/** Of an account: its token, or what it is in, is not there, and nobody makes one by waiting. */
export const isUnconnected = ({
  ready,
  reason = 'NotLookedAt',
}: {
  readonly ready: boolean;
  readonly reason?: string | undefined;
}): boolean => !ready && !endsByItself.has(reason);

/** An account that was connected stays Ready, as last seen, while its token is refused or nobody answers. */
const cutOff: ReadonlySet<string> = new Set(['AccountNotReady', 'Unauthorized', 'AccountMismatch', 'Unreachable', 'CRDMismatch']);
/** Of an account: nothing in it is seen or changed now. */
export function isCutOff(account: Resource): boolean {
  const synced = conditionOf(account, 'Synced');
  return (
    (synced?.status === 'False' && cutOff.has(synced.reason)) ||
    (!isServedToItsEnd(account) && conditionOf(account, 'Ready')?.status !== 'True')
  );
}
/** An account that is being deleted is not Ready, and its objects are looked after until the last one has gone. */
export const isServedToItsEnd = (account: Resource): boolean =>
  isDeleting(account) && conditionOf(account, 'Synced')?.reason === 'DeletionHeld';
/** Of an account: its state, and ready only where it is connected. */
export function connectionState(account: Resource): State {
  const state = stateOf(account);
  return { ...state, ready: state.ready && !isCutOff(account) };
}

/** How an object is paused at this time, in words; undefined: it is not, or not any more. By the engine's own judgement. */
export function pauseOf(object: Resource, now: Millis): string | undefined {
  const { message, paused } = judgePause(factsOf(object, now));
  if (message === undefined) return undefined;
  const wish = parsePause(annotation(object, pauseAnnotation));
  const isOpen = wish.is === 'open' || paused === undefined;
  return isOpen ? `until it is resumed${because(wish)}` : `until ${paused.until}${byWhom(paused)}${because(paused)}`;
}
/** Both are somebody's words, which may look like a line to type. */
const byWhom = ({ by }: Paused): string => (by === undefined ? '' : `, by ${wordOrQuoted(by)}`);
export const because = (why: PauseWish | Paused): string => ('reason' in why && why.reason !== undefined ? `: ${quoted(why.reason)}` : '');
