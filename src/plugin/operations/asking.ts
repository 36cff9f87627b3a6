import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { Millis } from '../../lib/clock.ts';
import { counted } from '../../lib/counted.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { changedBy, operationKind } from './chosen-action.ts';

export const phaseOf = (object: Resource | undefined): string | undefined => object?.status?.['phase'] as string | undefined;

/** An operation that goes on once somebody confirms what is lost by it. */
export const asksToBeConfirmed = (object: Resource): boolean => phaseOf(object) === 'AwaitingConfirmation';

export const withdrawal = (object: Resource): string => `kubectl delete ${typed(object)}`;

export const consequencesIn = ({ status }: Resource): readonly string[] => (status?.['consequences'] ?? []) as readonly string[];
const namesIn = ({ status }: Resource): readonly string[] => (status?.['names'] ?? []) as readonly string[];

/** What is asked, why, and who is meant by the ids in it. */
export function askedBy(object: Resource, now: Millis): readonly string[] {
  const action = String(object.spec['action']);
  const kind = operationKind().operates[action]?.on ?? '';
  const target = shownName({ kind, metadata: { namespace: object.metadata.namespace, name: changedBy(object) } });
  const consequences = consequencesIn(object);
  return [
    `${action} of ${target} is done only once a person confirms it:`,
    ...consequences.map((text) => `  ${text}`),
    ...namesIn(object).map((name) => `  In the account ${name} of this cluster`),
    ...consequences.flatMap((text) => takenLately(text, now)),
  ];
}

const day: Millis = 86_400_000;
export function agoText(at: Millis, now: Millis): string {
  const days = Math.floor((now - at) / day);
  return days < 1 ? 'less than a day ago' : `${counted(days, 'day')} ago`;
}

/** Of what was done before the operator took something over nothing is known here; a consequence tells when that was. */
function takenLately(consequence: string, now: Millis): readonly string[] {
  const at = Date.parse(/found or adopted it at (\S+Z)/.exec(consequence)?.[1] ?? '');
  if (Number.isNaN(at)) return [];
  return [
    `  It was taken over as it was in the account ${agoText(at, now)}, so that a person looks once more. If it is to be done now, confirm it`,
  ];
}
