import { shownTime } from '../../lib/utc-time.ts';
import { minutes } from '../../resource/index.ts';
import type { ClusterContext, ClusterEngine } from '../context.ts';
import type { ReadAccount } from '../model/account.ts';
import { annotation, isDeleting, releaseAnnotation } from '../model/annotations.ts';
import { keyOf } from '../model/object-id.ts';
import { shownPlan } from '../model/policy.ts';
import { holdOf, releasedNow } from './deletion-brake.ts';
import { recreatedNow, massLossStops } from './mass-loss-stop.ts';
import { belongsTo, lastOf, type MassHold, nameOf, type Released, releasedIn } from './release-code.ts';

/** Holds that stand now, for the account's status. */
export function holdsOf(engine: ClusterEngine, account: ReadAccount): readonly MassHold[] {
  const deletions = [...leftIn(engine, account)].toSorted().flatMap((namespace) => holdOf(engine, account, namespace) ?? []);
  return [...deletions, ...massLossStops(engine, account)];
}

type Looking = Pick<ClusterContext, 'engine' | 'object' | 'status' | 'signal'>;

/** Called when the account object is looked at: notes what its annotation releases, and wakes what was released by then. */
export async function learnRelease(context: Looking, account: ReadAccount): Promise<void> {
  const { engine, object, status } = context;
  const namespaces = [...leftIn(engine, account)];
  const known = releasedIn(object);
  const added = await acceptRelease(context, known, () => holdable(engine, account, namespaces));
  const young = engine.clock.now() - remembered;
  const kept = known.filter(({ of, at }) => of !== added?.of && (namespaces.includes(of) || Date.parse(at) > young));
  const released = added === undefined ? kept : [...kept, added];
  Object.assign(status, { released: released.length === 0 ? undefined : released });
  // What it lets go reads only what is noted.
  if (added !== undefined) engine.wake(object.kind, object.metadata, { urgent: true });
  if (known.length === 0) return;
  const free = namespaces.flatMap((namespace) => releasedNow(engine, account, namespace));
  for (const { kind, metadata } of [...free, ...recreatedNow(engine, account)]) engine.wake(kind, metadata);
}

/** After that nothing of it is under way, where nothing is being deleted any more. */
const remembered = minutes(60);

async function acceptRelease(
  { engine, object, signal }: Looking,
  known: readonly Released[],
  holdable: () => readonly string[],
): Promise<Released | undefined> {
  const value = annotation(object, releaseAnnotation);
  if (value === undefined || known.some((one) => one.value === value)) return undefined;
  const of = holdable().find((one) => lastOf(one, value) > -Infinity);
  if (of === undefined) return undefined;
  const live = await engine.objects.annotated(object.kind, keyOf(object), releaseAnnotation, signal);
  const by = live?.manager === undefined ? {} : { by: live.manager };
  return { of, value, ...by, at: shownTime(engine.clock.now()) };
}

/** All that a release may be of: these namespaces, each kind, and each kind in each namespace that has some of it. */
function holdable(engine: ClusterEngine, account: ReadAccount, namespaces: readonly string[]): readonly string[] {
  const names = new Set(namespaces);
  for (const { kind } of engine.registry.kinds) {
    names.add(kind);
    for (const object of engine.objects.all(kind))
      if (belongsTo(account, object)) names.add(nameOf({ kind, namespace: object.metadata.namespace }));
  }
  return [...names];
}

/** Where something is being deleted or replaced: only there it can be held. */
function leftIn(engine: ClusterEngine, account: ReadAccount): ReadonlySet<string> {
  const all = new Set<string>();
  for (const kind of engine.registry.kinds)
    for (const object of engine.objects.all(kind.kind))
      if ((isDeleting(object) || shownPlan(object)?.effect === 'Replace') && belongsTo(account, object)) all.add(object.metadata.namespace);
  return all;
}
