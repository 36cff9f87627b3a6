import { recreateAnnotation } from '../../engine/model/annotations.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { asCollection } from '../../resource/index.ts';
import type { Call, Verb } from '../command.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { CliError } from '../exit.ts';
import { stateOf } from '../facts.ts';
import { registry } from '../kinds.ts';
import { chosen } from './chosen.ts';
import { type Gesture, perform } from './gesture.ts';

/** Has cloud resources made anew that somebody else deleted. */
export const recreate: Verb = async (call) =>
  perform(
    call,
    (await chosen(call, 'recreate')).map((object) => gestureOf(call, object)),
    ['Nothing to make anew.'],
  );

function gestureOf({ session }: Call, object: Resource): Gesture {
  const { reason = 'not looked at yet', message } = stateOf(object);
  const kind = asCollection(registry.kind(object.kind));
  if (reason !== 'RemoteMissing' || kind === undefined || object.status?.['path'] === undefined)
    throw new CliError(3, [
      `${shownName(object)} is ${reason}: only what was there and is gone (RemoteMissing) is made anew.${message === '' ? '' : ` ${message}`}`,
      `Why it is so: kubectl cloud why ${typed(object)}`,
    ]);
  return {
    object,
    annotations: { [recreateAnnotation]: new Date(session.now).toISOString() },
    shown: ['/status/path'],
    level: kind.defaults.onMissing === 'Stall' ? 'C2' : 'C1',
    expected: object.metadata.name,
    facts: [`${shownName(object)}: another one is made, empty, with another id and other addresses`, `  ${message}`],
    afterwards: `is made anew. To see it done: kubectl cloud wait ${typed(object)}`,
  };
}
