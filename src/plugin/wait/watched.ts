import { objectId } from '../../engine/model/object-id.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { shownTime } from '../../lib/utc-time.ts';
import type { Clock, Millis } from '../../lib/clock.ts';
import { shownName } from '../cluster/naming.ts';
import { cacheOf } from '../cluster/watching.ts';
import type { Session } from '../session.ts';
import type { Step, Verdict } from './goal.ts';

export interface Watching {
  readonly judge: (object: Resource | undefined, before: Resource) => Verdict;
  readonly limit: Millis;
  /** Looked at again so often, where time alone changes a verdict. */
  readonly every?: Millis;
  readonly tell: (step: Step) => void;
}

/** Follows objects by one watch for each kind and namespace, until all are reached, one failed, or time ran out. */
export async function watched(session: Session, objects: readonly Resource[], watching: Watching): Promise<ReadonlyMap<string, Verdict>> {
  const verdicts = new Map<string, Verdict>();
  const wanted = new Map(objects.map((object) => [objectId(object.kind, object.metadata), object]));
  const { promise: over, resolve: end, reject: refuse } = Promise.withResolvers<'judged' | 'late' | 'interrupted'>();
  const kinds = [...new Set(objects.map(({ kind }) => kind))];
  const namespaces = [...new Set(objects.map(({ metadata }) => metadata.namespace))];
  const cache = await cacheOf(session, { kinds, namespaces, refuse });
  const look = (before: Resource): void => {
    const verdict = watching.judge(cache.get(before.kind, before.metadata), before);
    const known = verdicts.get(shownName(before));
    verdicts.set(shownName(before), verdict);
    if (known?.reason !== verdict.reason || known.message !== verdict.message)
      watching.tell({ at: shownTime(session.now), object: shownName(before), verdict, isFirst: known === undefined || known === waiting });
    if (verdict.state === 'failed' || [...verdicts.values()].every(({ state }) => state === 'reached')) end('judged');
  };
  const timer = session.host.clock.after(watching.limit, () => end('late'));
  const repeat = repeater(session.host.clock, watching.every, () => wanted.forEach(look));
  const stop = (): void => end('interrupted');
  session.host.signal.addEventListener('abort', stop);
  try {
    cache.start();
    await Promise.race([cache.synced(), over]);
    for (const object of wanted.values()) verdicts.set(shownName(object), waiting);
    cache.subscribe((kind, key) => {
      const before = wanted.get(objectId(kind, key));
      if (before !== undefined) look(before);
    });
    repeat.start();
    if (wanted.size === 0) end('judged');
    await over;
    session.host.signal.throwIfAborted();
    return verdicts;
  } finally {
    timer.cancel();
    repeat.cancel();
    session.host.signal.removeEventListener('abort', stop);
    await cache.stop();
  }
}

/** Does it at once, and again every so often. */
function repeater(clock: Clock, every: Millis | undefined, work: () => void): { start(): void; cancel(): void } {
  let next: { cancel(): void } | undefined;
  const start = (): void => {
    work();
    if (every !== undefined) next = clock.after(every, start);
  };
  return { start, cancel: () => next?.cancel() };
}

const waiting: Verdict = { state: 'waiting', reason: '', message: '' };
