import type { Millis } from '../../lib/clock.ts';
import type { AnyKind, Row } from '../../resource/index.ts';
import type { OperationContext } from '../context.ts';
import { isRecovering } from '../guard/recovery.ts';
import { madeAt } from '../identity/birth.ts';
import { longestWait } from '../plan/operation.ts';
import type { Resource } from '../ports/index.ts';
import { type Place, placesOf, type Target } from './target.ts';

/** Why a person must confirm it: what is lost, each in words, and that nothing tells whether it was done before. */
export const consequencesOf = (context: OperationContext, target: Target): readonly string[] => [
  ...(target.action.loses?.(target.acted, target.given) ?? []),
  ...(isRecovering(context) ? ['the account recovers (spec.recover), so that it may have been done before'] : []),
  ...placesOf(target)
    .filter((place) => mayHaveBeenDone(context, target.kind, place, place === target ? target.row : target.ontoRow))
    .map(
      ({ path }) =>
        `the object of ${path} is younger than 7 days before spec.notAfter, and nothing tells that it made this itself: in a cluster before this one it may have been done already`,
    ),
];

/** Its object is younger than the earliest time at which this can have been noted on it, so that a cluster before this one may have done it; but not where it made its remote itself. */
const mayHaveBeenDone = (context: OperationContext, kind: AnyKind, { object }: Place, row: Row = {}): boolean => {
  const since = Date.parse(object.metadata.creationTimestamp);
  const limit = Date.parse(String(context.object.spec['notAfter']));
  return since > limit - longestWait && !madeWithin(object.metadata, madeAt(kind, row));
};

/** Times are told to the second, by two servers. */
const tolerance = 2000;
const madeWithin = ({ creationTimestamp }: Resource['metadata'], made: Millis | undefined): boolean =>
  made !== undefined && made >= Date.parse(creationTimestamp) - tolerance;
