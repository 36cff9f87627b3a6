import { isDeleting } from '../../../engine/model/annotations.ts';
import { keepsRemote } from '../../../engine/model/policy.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { effectMeans, isDoneAtRest } from '../../../resource/index.ts';
import { registry } from '../../command-line/kinds.ts';
import type { Around } from '../../objects/around.ts';
import { takenAlong } from '../../objects/taken-along.ts';
import type { Entry } from '../entries.ts';

/** Each with what goes or is left behind with it. What is kept by itself is lost all the same where what it is in goes, which counts for more. */
export function withTakenAlong(entries: readonly Entry[], around: Around): readonly Entry[] {
  const takers = takersIn(entries, around);
  const gone = new Set(takers.keys());
  return entries.map((entry) => {
    const own = around.find(entry);
    const taker = entry.action === 'retain' && own !== undefined ? takers.get(own) : undefined;
    const action = taker === undefined ? entry.action : 'delete';
    const changing = {
      ...entry,
      action: taker === undefined ? actionOf(entry, around) : action,
      fields: entry.changes.map(({ field }) => field),
    };
    const told = [...(taker === undefined ? [] : [goesWith(taker)]), ...takenAlong(changing, around, gone)];
    const loses = lossBy(entry);
    if (told.length + loses.length === 0) return entry;
    return { ...entry, action, message: [...loses, ...(entry.message === undefined ? [] : [entry.message]), ...told].join('; ') };
  });
}
const goesWith = ({ kind, namespace, name }: Entry): string =>
  `it goes with ${kind} ${namespace}/${name}, whatever spec.lifecycle.onDelete of its own says`;

/** By the object of what goes with it. */
function takersIn(entries: readonly Entry[], around: Around): ReadonlyMap<Resource, Entry> {
  const takers = entries.filter((entry) => entry.action === 'replace' || actionOf(entry, around) === 'delete');
  return new Map(takers.flatMap((taker) => around.goingWith(taker).map((one) => [one, taker] as const)));
}

/** In the words in which the operator asks for it: whoever writes its approval into Git sees no question. */
function lossBy({ kind, action, effect, needsApproval }: Entry): readonly string[] {
  const isDone = action === 'change' || action === 'replace';
  if (!isDone || effect === undefined || effect === 'InPlace' || effect === 'Never') return [];
  const means = effectMeans(effect, registry.kind(kind));
  if (effect !== 'Reboot' || isDoneAtRest(registry.kind(kind))) return [means];
  return [`${means}, as soon as ${needsApproval ? 'that is approved' : 'this is applied'}`];
}

/** A deletion that would be held is told as what comes of it once it is not. */
function actionOf(entry: Entry, around: Around): Entry['action'] {
  const own = around.find(entry);
  if (entry.action !== 'wait' || own === undefined || !isDeleting(own)) return entry.action;
  return keepsRemote(own) ? 'retain' : 'delete';
}
