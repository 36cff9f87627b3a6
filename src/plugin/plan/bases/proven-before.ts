import { isDeleting } from '../../../engine/model/annotations.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { registry } from '../../command-line/kinds.ts';
import type { Verdict } from '../../dry/verdict.ts';
import { askedFor, hasNothingLeft, isBehind, isMadeThen, isStalled, stateOf } from '../../objects/facts.ts';

/** What a plan cannot see for itself, and the operator has told of this very object. */
export const provenBefore = (object: Resource | undefined, verdict: Verdict): Verdict =>
  object === undefined ? verdict : lostBefore(object, failedBefore(object, verdict));

/** A look is too short to prove a loss: what the operator proved before, of this very spec, waits for no check but for a person. */
function lostBefore(object: Resource, verdict: Verdict): Verdict {
  const isUnsure = verdict.action === 'wait' && verdict.missing === true;
  if (!isUnsure || !isToldLost(object)) return verdict;
  const { message } = stateOf(object);
  return { ...verdict, action: 'refused', reason: 'RemoteMissing', message };
}

/** Whose a mark is the operator's key alone tells: where it was that of another object nothing is sent, whatever a plan takes it for. */
function failedBefore(object: Resource, verdict: Verdict): Verdict {
  const { reason, message } = stateOf(object);
  const isTold = reason === 'RemoteFailed' && isStalled(object) && registry.kind(object.kind).marked !== undefined;
  if (!isTold || isDeleting(object) || verdict.action === 'refused') return verdict;
  const { effect: _effect, approval: _approval, ...rest } = verdict;
  if (!isBehind(object)) return { ...rest, action: 'refused', reason, message, calls: [] };
  const before = `before this edit the operator says RemoteFailed, and as long as it does nothing is sent: ${message}`;
  return { ...verdict, message: verdict.message === undefined ? before : `${verdict.message}; ${before}` };
}

/** Whoever asks for another one, and what needs nobody to ask, goes on. */
const isToldLost = (object: Resource): boolean =>
  stateOf(object).reason === 'RemoteMissing' &&
  isStalled(object) &&
  hasNothingLeft(object) &&
  !isBehind(object) &&
  !isDeleting(object) &&
  askedFor(object) === undefined &&
  !isMadeThen(object);
