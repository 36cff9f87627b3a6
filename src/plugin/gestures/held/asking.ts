import { isDeleting } from '../../../engine/model/annotations.ts';
import type { MassHold } from '../../../engine/guard/release-code.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { counted } from '../../../lib/counted.ts';
import { registry } from '../../command-line/kinds.ts';
import { isMadeThen, stateOf } from '../../objects/facts.ts';

const isLost = (object: Resource): boolean =>
  !isDeleting(object) && stateOf(object).reason === 'RemoteMissing' && object.status?.['path'] !== undefined;

/** What it had is gone, and it is made anew for nobody who does not ask for this one, now or once its account goes on: no release says so of it. */
export const isAsking = (object: Resource): boolean => isLost(object) && !isMadeThen(object) && !onlyObserves(object);
/** In the operator's words. */
const onlyObserves = (object: Resource): boolean => stateOf(object).words.endsWith(', and this object only observes it');

type Whose = Pick<MassHold, 'kind' | 'namespace'>;
const isOf = ({ kind, metadata }: Resource, hold: Whose): boolean =>
  kind === hold.kind && (hold.namespace === undefined || hold.namespace === metadata.namespace);

export const askingIn = (objects: readonly Resource[], hold: Whose): readonly Resource[] =>
  objects.filter((object) => isOf(object, hold) && isAsking(object));
/** Nobody need ask for these: only their account keeps them. */
export const laterIn = (objects: readonly Resource[], hold: Whose): readonly Resource[] =>
  objects.filter((object) => isOf(object, hold) && isLost(object) && isMadeThen(object));

export const laterLines = (later: readonly Resource[]): readonly string[] =>
  later.length === 0
    ? []
    : [
        `  ${counted(later.length, 'object', 'objects')} RemoteMissing by now, and held up by the account as well: once released, another one of each is made, empty, as soon as changes may be made in the account`,
      ];

/** One line for all of a kind in a namespace. */
export function recreateLines(objects: readonly Resource[]): readonly string[] {
  const lines = objects.map(({ kind, metadata }) => `kubectl cloud recreate -n ${metadata.namespace} ${registry.kind(kind).shortName}`);
  return [...new Set(lines)];
}

/** Below what a release is about. */
export const askingLines = (asking: readonly Resource[]): readonly string[] =>
  asking.length === 0
    ? []
    : [
        `  ${counted(asking.length, 'object is', 'objects are')} RemoteMissing (lifecycle.onMissing: Stall), and no release has them made anew. To have all of them made, empty, which lists them and asks:`,
        ...recreateLines(asking).map((line) => `    ${line}`),
      ];
