import { isDeleting } from '../../../engine/model/annotations.ts';
import { keepsRemote } from '../../../engine/model/policy.ts';
import { effectMeans } from '../../../resource/index.ts';
import { registry } from '../../command-line/kinds.ts';
import type { Around } from '../../objects/around.ts';
import { takenAlong } from '../../objects/taken-along.ts';
import type { Entry } from '../entries.ts';

export function withTakenAlong(entry: Entry, around: Around): Entry {
  const told = takenAlong({ ...entry, action: actionOf(entry, around), fields: entry.changes.map(({ field }) => field) }, around);
  const loses = lossBy(entry);
  if (told.length + loses.length === 0) return entry;
  return { ...entry, message: [...loses, ...(entry.message === undefined ? [] : [entry.message]), ...told].join('; ') };
}

/** In the words in which the operator asks for it: whoever writes its approval into Git sees no question. */
const lossBy = ({ kind, action, effect }: Entry): readonly string[] =>
  (action === 'change' || action === 'replace') && (effect === 'Rebuild' || effect === 'Replace')
    ? [effectMeans(effect, registry.kind(kind))]
    : [];

/** A deletion that would be held is told as what comes of it once it is not. */
function actionOf(entry: Entry, around: Around): Entry['action'] {
  const own = around.find(entry);
  if (entry.action !== 'wait' || own === undefined || !isDeleting(own)) return entry.action;
  return keepsRemote(own) ? 'retain' : 'delete';
}
