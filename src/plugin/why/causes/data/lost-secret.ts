import type { Resource } from '../../../../engine/ports/kubernetes.ts';
import { asCollection } from '../../../../resource/index.ts';
import { mergePatch, typed, withKubectl } from '../../../cluster/naming.ts';
import { registry } from '../../../command-line/kinds.ts';
import type { Advice } from '../../advice.ts';

/** Its Secret does not hold what was told once of what it has. `message`: the operator's own words. */
export function lostSecret(object: Resource, message: string): Advice | undefined {
  const isOfAnother = /^Secret \S+ still has what was told of another than /.test(message);
  if (!isOfAnother && !/^Secret \S+ does not hold what was told/.test(message)) return undefined;
  const isMadeAnew = asCollection(registry.kind(object.kind))?.rotation === undefined;
  if (isOfAnother)
    return {
      todo: `Where it was to keep the other one, take spec.adopt back, by the first line. Where it is to have this one, have ${isMadeAnew ? 'another one made: delete this object with what it stands for, which the last two lines do at once, for good, and apply it again.' : 'that renewed by the second line, and its Secret filled with what is told then.'}`,
      commands: [withKubectl('edit', object), ...another(object, isMadeAnew)],
    };
  const renewed = isMadeAnew
    ? 'have another one made: delete this object with what it stands for, which these two lines do at once, for good, and apply it again.'
    : 'have what it gives out renewed, and its Secret filled with that.';
  return { todo: `Restore the Secret with its labels from a backup; or ${renewed}`, commands: another(object, isMadeAnew) };
}

const another = (object: Resource, isMadeAnew: boolean): readonly string[] =>
  isMadeAnew
    ? [mergePatch(object, { spec: { lifecycle: { onDelete: 'Delete' } } }), withKubectl('delete', object)]
    : [`kubectl cloud rotate ${typed(object)}`];
