import { nothingLeft } from '../../../engine/model/conditions.ts';
import { fateOf, keepsRemote } from '../../../engine/model/policy.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { mergePatch, withKubectl } from '../../cluster/naming.ts';
import { registry } from '../../command-line/kinds.ts';
import { hasNothingLeft, stateOf } from '../../objects/facts.ts';
import { isProtected, withoutProtection } from '../../objects/protected.ts';
import type { Advice } from '../advice.ts';

/**
 * What this field names is not there, and this object has something in the account. Who let that go on purpose does not create it: then
 * this one goes too, and what becomes of what it has is said before. Undefined: it is no reason to let go of it.
 */
export function letGoBefore(object: Resource, field: string, isFixed: boolean): Advice | undefined {
  const isParent = field === `spec.${registry.kind(object.kind).parent?.ref ?? ''}`;
  if (object.status?.['path'] === undefined || (isFixed && !isParent)) return undefined;
  return handedOn(object) ?? letGo(object, field, isFixed);
}

function letGo(object: Resource, field: string, isFixed: boolean): Advice {
  const here = isFixed ? 'this object waits for ever' : 'and this object is not wanted without it';
  const edit = isFixed ? [] : [withKubectl('edit', object)];
  const { words, commands } = deletion(object, edit.length);
  return {
    todo: `Create it${isFixed ? '' : `, or correct ${field} with the first line`}. If it was let go on purpose, ${here}: ${words}.`,
    commands: [...edit, ...commands],
  };
}

/** In the engine's words. */
const handedOver = 's by now, and what is in it stays. To keep this, too: ';
export const isHandedOver = (object: Resource): boolean => stateOf(object).words.includes(handedOver);
function handedOn(object: Resource): Advice | undefined {
  if (!isHandedOver(object)) return undefined;
  const { namespace, name } = object.metadata;
  return {
    todo: `What it is in was handed over, as in a rename. Follow it as the message says: the first line shows the manifest that is to be applied under another name. Delete this object only when that one is there: before, what it has may go with it.${isProtected(object) ? ' It has spec.lifecycle.protect: true, which the second line takes off then: nothing is deleted in the account.' : ''}`,
    commands: [
      `kubectl -n ${namespace} get ${object.kind.toLowerCase()} ${name} -o yaml`,
      ...(isProtected(object) ? [withoutProtection(object)] : []),
    ],
  };
}

const ordinals = ['first', 'second', 'third'] as const;
/** `before`: how many lines stand above its own. */
function deletion(object: Resource, before: number) {
  const remove = withKubectl('delete', object);
  if (hasNothingLeft(object)) return { words: `the ${ordinals[before]} line deletes it, and ${nothingLeft}`, commands: [remove] };
  if (keepsRemote(object)) return { words: `the ${ordinals[before]} line deletes it, and ${fateOf(object)}`, commands: [remove] };
  const keep = mergePatch(object, { spec: { lifecycle: { onDelete: 'Retain' } } });
  const words = `the ${ordinals[before + 1]} line deletes it, and ${fateOf(object)}; to have that stay, type the ${ordinals[before]} one before`;
  return { words, commands: [keep, remove] };
}
