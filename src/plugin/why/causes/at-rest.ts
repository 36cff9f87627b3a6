import { isDeleting } from '../../../engine/model/annotations.ts';
import { runsAndUses } from '../../../engine/model/conditions.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { mergePatch, shownName, withKubectl } from '../../cluster/naming.ts';
import { isBehind, stateOf } from '../../objects/facts.ts';
import type { Landscape } from '../../objects/landscape.ts';
import type { Advice } from '../advice.ts';
import { parentOf } from './inside.ts';

/** The operator shuts nothing down for what is in it: in its words, that runs, and this has to wait. */
const waitsForStop = (object: Resource): boolean => !isBehind(object) && stateOf(object).words.includes(runsAndUses);

/** Nobody has asked for the stop of what runs, so that no wait ends this. */
export async function waitsForGood(landscape: Landscape, object: Resource): Promise<boolean> {
  const link = waitsForStop(object) ? parentOf(object) : undefined;
  if (link === undefined) return waitsForStop(object);
  const parent = await landscape.find(link.kind, link.key);
  if (typeof parent === 'string') return true;
  return !isDeleting(parent) && parent.spec['power'] !== 'Off' && !stateOf(parent).off;
}

/** What is done once that is off: what deletes comes last, and says so. */
export function stopped(object: Resource, message: string): Advice | undefined {
  const link = message.includes(runsAndUses) ? parentOf(object) : undefined;
  if (link === undefined) return undefined;
  const parent = { kind: link.kind, metadata: link.key };
  const off = mergePatch(parent, { spec: { power: 'Off' } });
  const which = `sets spec.power: Off in ${shownName(parent)}, which shuts it down (in its manifest, too, where it comes from Git)`;
  const after = 'Set it to On again after that, or take it out where it was not there.';
  const why = `Waiting is not enough: nobody but you stops ${shownName(parent)}.`;
  if (isDeleting(object))
    return {
      todo: `${why} To keep what this object has, type the first line: it goes without that. The second ${which}: what it has is deleted then, at once, for good. ${after}`,
      commands: [mergePatch(object, { spec: { lifecycle: { onDelete: 'Retain' } } }), off],
    };
  if (message.startsWith('the replacement '))
    return {
      todo: `${why} To keep what is there, set the spec back: the first line edits it. The second ${which}: what this object has is deleted then, at once, for good, and made anew, empty. ${after}`,
      commands: [withKubectl('edit', object), off],
    };
  return { todo: `${why} The line ${which}: the change is made then. ${after}`, commands: [off] };
}
