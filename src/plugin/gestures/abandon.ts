import { abandonmentValue } from '../../engine/model/abandonment.ts';
import { abandonAnnotation, isDeleting } from '../../engine/model/annotations.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { Verb } from '../command-line/command.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { CliError } from '../exit.ts';
import { type Around, namedAs } from '../objects/around.ts';
import { aroundOf } from '../objects/around-of.ts';
import { takenAlong } from '../objects/taken-along.ts';
import { isStalled, stateOf } from '../objects/facts.ts';
import { chosen } from './chosen.ts';
import { type Gesture, perform } from './gesture.ts';

/** Lets objects go whose cloud resource cannot be reached with the account's token, and leaves that as it is. */
export const abandon: Verb = async (call) => {
  const objects = await chosen(call, 'abandon');
  const around = await aroundOf(call.session, objects);
  return perform(
    call,
    objects.map((object) => gestureOf(object, around)),
    ['Nothing to abandon.'],
  );
};

function gestureOf(object: Resource, around: Around): Gesture {
  const { reason, message, words } = stateOf(object);
  const path = object.status?.['path'];
  if (typeof path !== 'string' || !isDeleting(object) || !isStalled(object)) throw refusal(object);
  const value = abandonmentValue(object, path);
  // What the operator offers is in its condition; where it offers nothing else, there is nothing to accept.
  if ((reason !== 'RemoteNotVisible' && reason !== 'AccountMismatch') || !words.includes(value)) throw refusal(object);
  return {
    object,
    annotations: { [abandonAnnotation]: value },
    shown: ['/status/path'],
    level: 'C2',
    expected: object.metadata.name,
    facts: [
      `${shownName(object)}: the object goes, ${path} stays in account ${String(object.status?.['account'])} with what it costs`,
      `  ${reason}: ${message}`,
      ...takenAlong({ ...namedAs(object), action: 'retain', fields: [] }, around).map((text) => `  ${text}`),
    ],
    afterwards: `is let go. To take ${path} over again: spec.adopt: {id: ${String(object.status?.['id'])}} in a new object`,
  };
}

function refusal(object: Resource): CliError {
  const { reason = 'not looked at yet', message } = stateOf(object);
  const { namespace, name } = object.metadata;
  const way = `kubectl -n ${namespace} patch ${object.kind.toLowerCase()} ${name} --type=merge -p '{"spec":{"lifecycle":{"onDelete":"Retain"}}}', then delete it`;
  return new CliError(3, [
    `${shownName(object)} is ${reason}${isDeleting(object) ? '' : ' and not being deleted'}: only what is being deleted and cannot be reached is abandoned.${message === '' ? '' : ` ${message}`}`,
    `To keep a cloud resource that can be reached: ${way}. Why it is as it is: kubectl cloud why ${typed(object)}`,
  ]);
}
