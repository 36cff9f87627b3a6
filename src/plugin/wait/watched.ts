import { objectId } from '../../engine/model/object-id.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { shownTime } from '../../lib/utc-time.ts';
import type { KubeObjects } from '../../kube/watch/objects.ts';
import type { Clock, Millis } from '../../lib/clock.ts';
import { shownName } from '../cluster/naming.ts';
import { cacheOf } from '../cluster/watching.ts';
import type { Session } from '../session.ts';
import type { Step, Verdict } from './goal.ts';
import type { Vain } from './vain.ts';

export interface Watching {
  readonly judge: (object: Resource | undefined, before: Resource) => Verdict;
  readonly limit: Millis;
  /** Looked at again so often, where time alone changes a verdict. */
  readonly every?: Millis;
  readonly tell: (step: Step) => void;
  /** Asked every so often, because what the waited-for wait for is not watched. */
  readonly vain?: Vain;
  /** Asked before a verdict of failure ends it all, and every so often as long as it is doubted. */
  readonly doubt?: (object: Resource, verdict: Verdict) => Promise<Verdict>;
}

/** Follows objects by one watch for each kind and namespace, until all are reached, one failed, or time ran out. */
export async function watched(session: Session, objects: readonly Resource[], watching: Watching): Promise<ReadonlyMap<string, Verdict>> {
  const wanted = new Map(objects.map((object) => [objectId(object.kind, object.metadata), object]));
  const { promise: over, resolve: end, reject: refuse } = Promise.withResolvers<'judged' | 'late' | 'interrupted'>();
  const kinds = [...new Set(objects.map(({ kind }) => kind))];
  const namespaces = [...new Set(objects.map(({ metadata }) => metadata.namespace))];
  const cache = await cacheOf(session, { kinds, namespaces, refuse });
  const { verdicts, conclude, waits } = bookOf(session, watching, () => end('judged'));
  const { look, stillWaiting, settled } = looking(cache, watching, conclude);
  const ask = asking(session.host.clock, async () => {
    const vain = (await watching.vain?.(stillWaiting([...wanted.values()].filter(waits)))) ?? [];
    for (const [object, verdict] of vain.filter(([one]) => waits(one))) conclude(object, verdict);
  });
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
    if (watching.vain !== undefined) ask.start();
    if (wanted.size === 0) end('judged');
    await over;
    session.host.signal.throwIfAborted();
    return verdicts;
  } finally {
    timer.cancel();
    repeat.cancel();
    await ask.stop();
    await settled();
    session.host.signal.removeEventListener('abort', stop);
    await cache.stop();
  }
}

interface Looks {
  readonly look: (before: Resource) => void;
  /** As they are now, without those that would have failed but for a doubt, which is asked about again. */
  readonly stillWaiting: (all: readonly Resource[]) => readonly Resource[];
  readonly settled: () => Promise<unknown>;
}
/** Judges what is there. A failure is doubted before it counts; what is gone is beyond doubt, and so is what cannot be asked about. */
function looking(cache: KubeObjects, { doubt, judge }: Watching, conclude: (before: Resource, verdict: Verdict) => void): Looks {
  const open = new Map<Resource, Promise<void>>();
  const liveOf = ({ kind, metadata }: Resource): Resource | undefined => cache.get(kind, metadata);
  const judged = (before: Resource): Verdict => judge(liveOf(before), before);
  const doubted = async (before: Resource, live: Resource, verdict: Verdict): Promise<void> => {
    const second = (await doubt?.(live, verdict).catch(() => undefined)) ?? verdict;
    const now = judged(before);
    conclude(before, now.state === 'failed' ? second : now);
    open.delete(before);
  };
  const look = (before: Resource): void => {
    const [live, verdict] = [liveOf(before), judged(before)];
    const isDoubtful = verdict.state === 'failed' && live?.metadata.uid === before.metadata.uid && doubt !== undefined;
    if (!isDoubtful) conclude(before, verdict);
    else if (!open.has(before)) open.set(before, doubted(before, live, verdict));
  };
  const stillWaiting = (all: readonly Resource[]): readonly Resource[] => {
    const failing = new Set(all.filter((before) => judged(before).state === 'failed'));
    failing.forEach(look);
    return all.filter((before) => !failing.has(before)).flatMap((before) => liveOf(before) ?? []);
  };
  return { look, stillWaiting, settled: () => Promise.all(open.values()) };
}

/** What was judged of each so far; `end`: that ends the wait. */
function bookOf(session: Session, { tell }: Watching, end: () => void) {
  const verdicts = new Map<string, Verdict>();
  const reached = new Set<string>();
  const conclude = (object: Resource, verdict: Verdict): void => {
    const name = shownName(object);
    const known = verdicts.get(name);
    verdicts.set(name, verdict);
    if (verdict.state === 'reached') reached.add(name);
    else reached.delete(name);
    if (known?.reason !== verdict.reason || known.message !== verdict.message)
      tell({ at: shownTime(session.now), object: name, verdict, isFirst: known === undefined || known === waiting });
    if (verdict.state === 'failed' || reached.size === verdicts.size) end();
  };
  const waits = (object: Resource): boolean => verdicts.get(shownName(object))?.state === 'waiting';
  return { verdicts, conclude, waits };
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

const askedEvery: Millis = 15_000;
/** Does it at once, and again some time after it was done; what cannot be read now is read the next time. */
function asking(clock: Clock, work: () => Promise<void>): { start(): void; stop(): Promise<void> } {
  let next: { cancel(): void } | undefined;
  let running = Promise.resolve();
  let isOver = false;
  const once = async (): Promise<void> => {
    await work().catch(() => undefined);
    if (!isOver) next = clock.after(askedEvery, start);
  };
  const start = (): void => void (running = once());
  const stop = async (): Promise<void> => {
    isOver = true;
    await running;
    next?.cancel();
  };
  return { start, stop };
}

const waiting: Verdict = { state: 'waiting', reason: '', message: '' };
