import { isDeleting } from '../../../engine/model/annotations.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import type { Verdict } from '../../dry/verdict.ts';
import { askedFor, hasNothingLeft, isBehind, isMadeThen, isStalled, stateOf } from '../../objects/facts.ts';

/** A look is too short to prove a loss: what the operator proved before, of this very spec, waits for no check but for a person. */
export function provenBefore(object: Resource | undefined, verdict: Verdict): Verdict {
  const isUnsure = verdict.action === 'wait' && verdict.missing === true;
  if (object === undefined || !isUnsure || !isToldLost(object)) return verdict;
  const { message } = stateOf(object);
  return { ...verdict, action: 'refused', reason: 'RemoteMissing', message };
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
