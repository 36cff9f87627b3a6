import { fateOf, keepsRemote } from '../../engine/model/policy.ts';
import { isDeleting } from '../../engine/model/annotations.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { shownName } from '../cluster/naming.ts';
import type { Call } from '../command-line/command.ts';
import { namedAs } from '../objects/around.ts';
import { aroundOf } from '../objects/around-of.ts';
import { isKnownGone, stateOf } from '../objects/facts.ts';
import { takenAlong } from '../objects/taken-along.ts';

export interface Fate {
  readonly object: string;
  /** What becomes of it. */
  readonly fate: string;
  /** What goes with it, and who is left behind. */
  readonly more: readonly string[];
}

/** Of each that is held. `told`: only of these. */
export async function fatesOf({ session }: Call, held: readonly Resource[], told = held): Promise<readonly Fate[]> {
  const around = await aroundOf(session, held);
  const takers = new Map(
    held.filter(isGoing).flatMap((object) => around.goingWith(namedAs(object)).map((one) => [one.metadata.uid, object] as const)),
  );
  return told.map((object) => ({
    object: shownName(object),
    fate: fateOfHeld(object, takers.get(object.metadata.uid)),
    more: isGoing(object) ? takenAlong({ ...namedAs(object), action: 'delete', fields: [] }, around) : [],
  }));
}
export const fateLines = ({ object, fate, more }: Fate): readonly string[] => [
  `  ${object}: ${fate}`,
  ...more.map((text) => `    ${text}`),
];

/** What it has is deleted once it is let go. */
const isGoing = (object: Resource): boolean => isDeleting(object) && !keepsRemote(object) && !isKnownGone(object);

/** What it is in counts for more than what it says itself. */
function fateOfHeld(object: Resource, taker: Resource | undefined): string {
  const path = object.status?.['path'];
  if (!isDeleting(object)) return path === undefined ? 'is made, for the first time' : `is made anew, empty (${String(path)})`;
  if (taker !== undefined && !isKnownGone(object)) return `its cloud resource goes with ${shownName(taker)} (${String(path)})`;
  return fateAlone(object);
}
/** What its deletion means, as far as it is known what there is. */
export const fateAlone = (object: Resource): string =>
  isKnownGone(object) ? `its cloud resource is gone already (${String(object.status?.['path'])})` : fateOf(object);

/** Those that are counted with these, and that something else holds besides. */
export async function fatesBeside(call: Call, beside: readonly Resource[]): Promise<readonly Fate[]> {
  const fates = await fatesOf(call, beside);
  return fates.map(({ fate, ...rest }, at) => {
    const [object] = beside.slice(at);
    return { ...rest, fate: `${fate}; it waits for more than a release${object === undefined ? '' : `: ${stateOf(object).message}`}` };
  });
}
