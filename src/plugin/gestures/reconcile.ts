import type { Millis } from '../../lib/clock.ts';
import { pauseOf } from '../objects/facts.ts';
import { reconcileAtAnnotation } from '../../engine/model/annotations.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { Level, Verb } from '../command-line/command.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { durationOf, on } from '../command-line/flag.ts';
import { registry } from '../command-line/kinds.ts';
import { waitFor } from '../wait/wait.ts';
import { chosenOrAccount } from './chosen.ts';
import { type Gesture, perform } from './gesture.ts';
import { counted } from '../../lib/counted.ts';

/** Each look may be a read of the account. */
const unasked = 100;

/** Has objects looked at now, or all that the lists of an account show. */
export const reconcile: Verb = async (call) => {
  const { flags, session } = call;
  const waits = on(flags, 'wait') && !on(flags, 'dryRun');
  const limit = durationOf(flags, 'timeout');
  const chosen = await chosenOrAccount(call, 'reconcile');
  const isPaused = (object: Resource): boolean => !isAccount(object) && pauseOf(object, session.now) !== undefined;
  const objects = chosen.filter((object) => !isPaused(object));
  const level: Level = objects.length > unasked ? 'C1' : 'C0';
  const gestures = objects.map((object, index): Gesture => ({
    object,
    annotations: { [reconcileAtAnnotation]: new Date(session.now).toISOString() },
    shown: [],
    // Asked once for all.
    level: index === 0 ? level : 'C0',
    expected: '',
    facts:
      index === 0 && objects.length > 1
        ? [`${counted(objects.length, 'object is', 'objects are')} looked at, each by a read of the account`]
        : [
            `${shownName(object)} is looked at${isAccount(object) ? ': its token at once, and each of its lists within half a minute' : ''}`,
          ],
    afterwards: `is looked at. How it is then: kubectl cloud why ${typed(object)}`,
  }));
  const paused = chosen.filter(isPaused).map((object) => pausedLine(object, session.now));
  const done = await perform(call, gestures, paused.length > 0 ? [] : ['No objects here.']);
  if (waits) return waitFor(call, chosen, { what: 'LookedAt', limit, patient: false });
  return paused.length === 0 ? done : { ...done, exit: 3, lines: [...done.lines, ...paused] };
};

const pausedLine = (object: Resource, now: Millis): string =>
  `${shownName(object)}: is paused ${pauseOf(object, now)}, so nobody looks at it. To go on: kubectl cloud resume ${typed(object)}`;

const isAccount = ({ kind }: Resource): boolean => kind === registry.connection.kind;
