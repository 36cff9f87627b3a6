import type { Resource } from '../../engine/ports/kubernetes.ts';
import { counted } from '../../lib/counted.ts';
import { namesOf, shownName, typed } from '../cluster/naming.ts';
import { registry } from '../command-line/kinds.ts';
import { isCutOff, pauseOf, stateOf } from '../objects/facts.ts';
import { isGoing } from '../objects/losing.ts';
import { age } from '../output/times.ts';
import { onceConnected } from '../why/causes/of-account.ts';

/** Nobody sees it from its account, until that is mended, or the pause ends, and it is gone. */
export function goingLater(account: Resource | 'missing' | 'unseen', mine: readonly Resource[], now: number): readonly string[] {
  if (typeof account === 'string') return [];
  const isPaused = pauseOf(account, now) !== undefined;
  const going = isPaused || isCutOff(account) ? mine.filter((object) => isGoing(object, now)) : [];
  const [first, second] = going;
  if (first === undefined) return [];
  const [are, wait, has] = second === undefined ? ['is', 'waits', 'it has'] : ['are', 'wait', 'they have'];
  const what = isPaused
    ? `being deleted, and ${wait} for the end of the pause; what ${has} in the account goes then, too`
    : `being deleted; what ${has} in the account ${onceConnected(account)}`;
  const keep =
    second === undefined ? `kubectl cloud why ${typed(first)}` : `kubectl cloud release --keep ${typed(account)} prints the lines`;
  return [`${counted(going.length, 'object')} in it ${are} ${what}: ${namesOf(going)}. To keep that: ${keep}`];
}

/** Objects stay Ready while nobody can look at them. */
export function staleReady(
  account: Resource | 'missing' | 'unseen',
  counts: Readonly<Record<string, number>>,
  now: number,
): readonly string[] {
  const isUnread = account === 'missing' || (account !== 'unseen' && isCutOff(account));
  if (!isUnread || counts['Ready'] === undefined) return [];
  const since = typeof account === 'string' ? undefined : stateOf(account).since;
  const before = since === undefined ? '' : `, at least ${age(since, now)} ago`;
  return [`what is shown as Ready is as of the last read${before}: nothing in it is seen since`];
}

/** A pause without an end is over when somebody remembers it. */
export function forgottenPauses(objects: readonly Resource[], now: number): readonly string[] {
  const lines = objects.flatMap((object) => {
    const paused = object.kind === registry.connection.kind ? undefined : pauseOf(object, now);
    return paused?.startsWith('until it is resumed') === true
      ? [`${shownName(object)} is paused ${paused}: kubectl cloud resume ${typed(object)}`]
      : [];
  });
  return lines.length <= mostPauses ? lines : [...lines.slice(0, mostPauses), `and ${lines.length - mostPauses} more are paused so`];
}
const mostPauses = 5;
