import { rotateAnnotation } from '../../engine/model/annotations.ts';
import { endOf, mostRetiring, overlapOf, shownRetiring } from '../../engine/model/replacing.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { asCollection } from '../../resource/index.ts';
import { shownName, typed } from '../cluster/naming.ts';
import type { Call, Verb } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { registry, renewable } from '../command-line/kinds.ts';
import { chosen } from './chosen.ts';
import { type Gesture, perform } from './gesture.ts';
import { counted } from '../../lib/counted.ts';

/** Has what objects give out renewed. */
export const rotate: Verb = async (call) =>
  perform(
    call,
    (await chosen(call, 'rotate')).map((object) => gestureOf(call, object)),
    ['Nothing to renew.'],
  );

function gestureOf({ session }: Call, object: Resource): Gesture {
  const { rotation } = asCollection(registry.kind(object.kind)) ?? {};
  if (rotation === undefined)
    throw new CliError(3, `${shownName(object)} gives out nothing that it could renew. Kinds that do: ${renewable().join(', ')}`);
  const { path } = object.status ?? {};
  if (path === undefined) throw new CliError(3, `${shownName(object)} has no cloud resource yet, so there is nothing to renew`);
  const hours = overlapOf(object) / 3_600_000;
  const old =
    rotation.reset === undefined
      ? `  another one is made and written to its Secret; what has the old values by now ${hours === 0 ? 'ends to work right after' : `works for ${counted(hours, 'hour')} more`}, and then ${String(path)} is deleted`
      : `  ${String(path)} is given another secret, which is written to its Secret; what has the old one by now is refused from then on`;
  return {
    object,
    annotations: { [rotateAnnotation]: new Date(session.now).toISOString() },
    shown: ['/status/path'],
    level: 'C2',
    expected: object.metadata.name,
    facts: [`${shownName(object)}: what it gives out is renewed`, old, ...waitsFor(object)],
    afterwards: `is renewed. To see it done: kubectl cloud wait ${typed(object)}`,
  };
}

/** The operator has no more than so many work beside the one in use, and what is asked for beyond waits. */
function waitsFor(object: Resource): readonly string[] {
  const [next, ...more] = shownRetiring(object).toSorted((a, b) => endOf(a) - endOf(b));
  if (next === undefined || more.length + 1 < mostRetiring) return [];
  return [
    `  not at once: ${counted(more.length + 1, 'earlier one')} still work beside it, which is the most. It waits until ${next.path} goes at ${next.until}`,
  ];
}
