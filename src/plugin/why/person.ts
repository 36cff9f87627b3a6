import { objectId } from '../../engine/model/object-id.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { connectionState, isBehind, isStalled, isUnconnected, needsPerson, pauseOf, stateOf } from '../objects/facts.ts';
import { registry } from '../command-line/kinds.ts';
import type { Landscape } from '../objects/landscape.ts';
import { waitsForGood } from './causes/at-rest.ts';
import type { Cause } from './causes/cause.ts';
import { comingAt, isRefusedForGood, mayBeIncomplete, partsToCome, targetsOfRefusal } from './causes/refused.ts';
import { mostFollowed } from './chain.ts';
import { nextOf } from './next.ts';

/** What only a person moves. */
export type Culprit = Resource | Cause;

export interface Looking {
  /** What awaits approval is waited for. */
  readonly patient: boolean;
  readonly seen?: Set<string>;
}

/** What an object waits for, down to what only a person moves, which may be the object itself; undefined: it goes on without one, as far as is to be seen. */
export async function culpritOf(landscape: Landscape, object: Resource, looking: Looking): Promise<Culprit | undefined> {
  const found = await below(landscape, object, { seen: new Set(), ...looking });
  return found === 'soon' ? undefined : found;
}

/** `soon`: the operator only has to look again. */
type Found = Culprit | 'soon' | undefined;
type Walk = Required<Looking>;

async function below(landscape: Landscape, object: Resource, walk: Walk): Promise<Found> {
  const id = objectId(object.kind, object.metadata);
  if (walk.seen.has(id) || walk.seen.size >= mostFollowed) return undefined;
  walk.seen.add(id);
  if (await isBeingCompleted(landscape, object, walk)) return 'soon';
  const found: Found[] = [];
  for (const next of await nextOf(landscape, object, { near: false, data: true })) found.push(await at(landscape, next, walk));
  const culprit = found.find((one) => one !== undefined && one !== 'soon');
  if (culprit !== undefined) return culprit;
  return found.includes('soon') ? 'soon' : alone(landscape, object);
}

/** Nothing else that it waits for needs a person. */
async function alone(landscape: Landscape, object: Resource): Promise<Found> {
  if (mayBeIncomplete(object)) return (await partsToCome(landscape, object)).length > 0 ? 'soon' : object;
  if (isRefusedForGood(object) || isPausedForGood(object, landscape.now)) return object;
  return (await waitsForGood(landscape, object)) ? object : undefined;
}

async function at(landscape: Landscape, next: Culprit, walk: Walk): Promise<Found> {
  if ('reason' in next) return next.reason === 'ThereNow' ? 'soon' : isForPerson(next) ? next : undefined;
  return (await below(landscape, next, walk)) ?? (isPersons(next, walk.patient) ? next : undefined);
}

const forPerson: ReadonlySet<string> = new Set(['NotFound', 'KeyMissing', 'NotAdmitted', 'ReadOnly', 'Unauthorized', 'Forbidden']);
const isForPerson = ({ reason, message }: Cause): boolean => forPerson.has(reason) || (reason === 'Paused' && isEndless(message));

function isPersons(object: Resource, patient: boolean): boolean {
  if (isBehind(object)) return false;
  if (object.kind === registry.connection.kind && isUnconnected(connectionState(object))) return true;
  const isAwaited = patient && stateOf(object).reason === 'ApprovalRequired' && !isStalled(object);
  return needsPerson(object) && !isAwaited;
}

/** Not where somebody's reason says so. */
const isEndless = (paused: string): boolean => /^(?:.*, paused )?until it is resumed/.test(paused.replaceAll(/"[^"]*"/g, ''));
const isPausedForGood = (object: Resource, now: number): boolean =>
  stateOf(object).reason === 'Paused' && isEndless(pauseOf(object, now) ?? '');

/** Of what was refused because something of a target is not there: that comes by itself. */
async function isBeingCompleted(landscape: Landscape, object: Resource, { patient }: Walk): Promise<boolean> {
  for (const target of await targetsOfRefusal(landscape, object))
    for (const one of await comingAt(landscape, target)) {
      const seen = new Set([objectId(object.kind, object.metadata), objectId(target.kind, target.metadata)]);
      if (!isPersons(one, patient) && (await culpritOf(landscape, one, { patient, seen })) === undefined) return true;
    }
  return false;
}
