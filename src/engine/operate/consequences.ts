import type { Millis } from '../../lib/clock.ts';
import { shownTime } from '../../lib/utc-time.ts';
import { type AnyKind, madeAt, type Row } from '../../resource/index.ts';
import type { OperationContext } from '../context.ts';
import { isRecovering } from '../guard/recovery.ts';
import { longestWait } from '../plan/operation.ts';
import { takenWithin } from '../plan/operation-notes.ts';
import type { Resource } from '../ports/index.ts';
import { type Place, placesOf, type Target } from './target.ts';

/** Why a person must confirm it: what is lost, each in words, and that nothing tells whether it was done before. */
export const consequencesOf = (context: OperationContext, target: Target): readonly string[] => [
  ...(target.action.loses?.(target.acted, target.given) ?? []),
  ...(isRecovering(context) ? ['the account recovers (spec.recover), so that it may have been done before'] : []),
  ...placesOf(target).flatMap((place) => lostNotes(context, target.kind, place, place === target ? target.row : target.ontoRow) ?? []),
];

/**
 * Why it may have been done although no note tells of it. Its object found or adopted the remote after the earliest time at which this can
 * have been noted on it; or it is younger than that, so that a cluster before this one may have done it, but not where it made the remote.
 */
function lostNotes(context: OperationContext, kind: AnyKind, { object, path }: Place, row: Row = {}): string | undefined {
  const notAfter = Date.parse(String(context.object.spec['notAfter']));
  const [taken, made] = [takenWithin(object, notAfter), madeAt(kind, row)];
  if (taken !== undefined && !isMadeSince(context, made, taken))
    return `the object of ${path} found or adopted it at ${shownTime(taken)}, and what was done on it before that is noted nowhere: it may have been done already, so confirm it only where it is to be done now. ${until(taken)}`;
  return Date.parse(object.metadata.creationTimestamp) > notAfter - longestWait && !madeWithin(object.metadata, made)
    ? `the object of ${path} was made at ${object.metadata.creationTimestamp}, and nothing tells that it made this itself: in a cluster before this one it may have been done already, so confirm it only where it is to be done now. ${until(Date.parse(object.metadata.creationTimestamp))}`
    : undefined;
}

/** What ends the question: notes of what could still be done are whole from then on. */
const until = (since: Millis): string => `Operations with spec.notAfter after ${shownTime(since + longestWait)} do not ask this`;

/** What was found or adopted was there before: what was made later is another one, and what was done on it is noted. The service tells the one time, and this process the other. */
function isMadeSince({ engine, account }: OperationContext, made: Millis | undefined, taken: Millis): boolean {
  const ahead = account.connection.apiNow() - engine.clock.now();
  return made !== undefined && made - ahead > taken + 60_000;
}

/** Times are told to the second, by two servers. */
const tolerance = 2000;
const madeWithin = ({ creationTimestamp }: Resource['metadata'], made: Millis | undefined): boolean =>
  made !== undefined && made >= Date.parse(creationTimestamp) - tolerance;
