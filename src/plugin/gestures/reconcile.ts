import { reconcileAtAnnotation } from '../../engine/model/annotations.ts';
import type { Level, Verb } from '../command.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { chosen } from './chosen.ts';
import { type Gesture, perform } from './gesture.ts';

/** Each look may be a read of the account. */
const unasked = 100;

/** Has objects looked at now. */
export const reconcile: Verb = async (call) => {
  const objects = await chosen(call, 'reconcile');
  const level: Level = objects.length > unasked ? 'C1' : 'C0';
  const gestures = objects.map((object, index): Gesture => ({
    object,
    annotations: { [reconcileAtAnnotation]: new Date(call.session.now).toISOString() },
    shown: [],
    // Asked once for all.
    level: index === 0 ? level : 'C0',
    expected: '',
    facts:
      index === 0 && objects.length > 1
        ? [`${objects.length} objects are looked at, each by a read of the account`]
        : [`${shownName(object)} is looked at`],
    afterwards: `is looked at. How it is then: kubectl cloud why ${typed(object)}`,
  }));
  return perform(call, gestures, ['No objects here.']);
};
