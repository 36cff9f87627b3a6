import { recreateAnnotation } from '../../engine/model/annotations.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { type AnyKind, asCollection } from '../../resource/index.ts';
import type { Call, Verb } from '../command.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { CliError } from '../exit.ts';
import { stateOf } from '../facts.ts';
import { registry } from '../kinds.ts';
import { commandsFor, todoOf } from '../why/actions.ts';
import { chosen } from './chosen.ts';
import { type Gesture, perform } from './gesture.ts';
import { goneWith } from './gone-with.ts';

/** Has cloud resources made anew that somebody else deleted. */
export const recreate: Verb = async (call) => {
  const gestures: Gesture[] = [];
  for (const object of await chosen(call, 'recreate')) gestures.push(await gestureOf(call, object));
  return perform(call, gestures, ['Nothing to make anew.']);
};

/** The account gives it some: it shows what no spec asks for. */
const hasAddresses = ({ status, fields }: AnyKind): boolean =>
  ['publicIPv4', 'address'].some((field) => field in status.shape && !(field in fields));

async function gestureOf({ session }: Call, object: Resource): Promise<Gesture> {
  const { reason, message } = stateOf(object);
  const kind = asCollection(registry.kind(object.kind));
  if (reason !== 'RemoteMissing' || kind === undefined || object.status?.['path'] === undefined) throw new CliError(3, refusal(object));
  return {
    object,
    annotations: { [recreateAnnotation]: new Date(session.now).toISOString() },
    shown: ['/status/path'],
    level: kind.defaults.onMissing === 'Stall' ? 'C2' : 'C1',
    expected: object.metadata.name,
    facts: [
      `${shownName(object)}: another one is made, empty, with another id${hasAddresses(kind) ? ' and other addresses' : ''}`,
      `  ${message}`,
      ...(await goneWith(session, object)),
    ],
    afterwards: `is made anew. To see it done: kubectl cloud wait ${typed(object)}`,
  };
}

/** What never was there is not made anew: it is made, once nothing that is gone is named any more. */
function refusal(object: Resource): readonly string[] {
  const { reason = 'not looked at yet', message } = stateOf(object);
  if (reason === 'RemoteMissing')
    return [
      `${shownName(object)} never had anything of the account that could be made anew: ${message}`,
      todoOf(reason, object),
      ...commandsFor(reason, object).map((line) => `  ${line}`),
    ];
  return [
    `${shownName(object)} is ${reason}: only what was there and is gone (RemoteMissing) is made anew.${message === '' ? '' : ` ${message}`}`,
    `Why it is so: kubectl cloud why ${typed(object)}`,
  ];
}
