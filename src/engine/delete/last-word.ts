import type { ClusterContext } from '../context.ts';
import { asksFor } from '../identity/recovery.ts';
import type { Found } from '../identity/lookup.ts';
import { hasOwnPath, isDeleting } from '../model/annotations.ts';
import { policyOf, shownPolicy } from '../model/policy.ts';
import { openWish } from '../model/step.ts';
import type { Resource } from '../ports/index.ts';

/**
 * Who asks with `spec.adopt` for what a deleted object has, has the last word on it: deleted before it took that, as where Git takes a
 * rename back, its own policy says what becomes of it. It has no finalizer, and the process may end, so the deleted object's status names
 * who would keep it; how it was when it went, `objectMemory` knows.
 */
export function noteHeir(context: ClusterContext, heir: Resource | undefined): void {
  const { engine, object, status } = context;
  engine.objectMemory.departed.delete(object.metadata.uid);
  note(context, heir !== undefined && keeps(context, heir) ? heir : undefined);
  if (heir === undefined && object.status?.['keptFor'] === undefined) delete status['keptFor'];
}
function note({ object, status }: ClusterContext, keeper: Resource | undefined): void {
  status['keptFor'] = keeper && `${object.metadata.uid} ${keeper.metadata.uid} ${keeper.metadata.name}`;
}

/** As it is adopted: kept, where its spec does not say otherwise. */
export const keeps = ({ kind, account }: Pick<ClusterContext, 'kind' | 'account'>, { spec }: Resource): boolean =>
  shownPolicy(policyOf(kind, spec, account, true)) !== 'Delete';

/** Whether anybody asked for something while this object was being deleted, and is no more. */
export const hadHeirs = (context: ClusterContext): boolean => notedIn(context) !== undefined || departed(context).length > 0;

/** The name of who asked for this last, is deleted, and would have kept it. */
export function keeperOf(context: ClusterContext, found: Found): string | undefined {
  const all = departed(context);
  const keeper = all.find((heir) => asksFor(context, undeleted(heir), found) && keeps(context, heir));
  if (keeper !== undefined) note(context, keeper);
  if (keeper !== undefined) return keeper.metadata.name;
  const noted = notedIn(context);
  if (noted !== undefined && !all.some(({ metadata }) => metadata.uid === noted.uid) && isOver(context, noted)) return noted.name;
  noteHeir(context, undefined);
  return undefined;
}

interface Noted {
  readonly uid: string;
  readonly name: string;
}
/** Of this very object: a backup brings status to others. */
function notedIn({ object }: ClusterContext): Noted | undefined {
  const [of, uid, name] = String(object.status?.['keptFor'] ?? '').split(' ');
  return of === object.metadata.uid && uid !== undefined && name !== undefined ? { uid, name } : undefined;
}

/** It is no more, or about to be, and did not take its wish back before. */
function isOver(context: ClusterContext, { uid, name }: Noted): boolean {
  const { engine, object } = context;
  const there = engine.objects.get(object.kind, { namespace: object.metadata.namespace, name });
  if (there?.metadata.uid !== uid) return true;
  return isDeleting(there) && openWish(there) !== undefined && keeps(context, there);
}

/** Since this object is being deleted: who went before did not ask any more. */
function departed({ engine, kind, object: { metadata } }: ClusterContext): readonly Resource[] {
  const going = [...engine.objects.all(kind.kind)].filter(
    (other) =>
      other.metadata.namespace === metadata.namespace &&
      openWish(other) !== undefined &&
      !engine.claims.has(other.metadata.uid) &&
      !hasOwnPath(other) &&
      (other.metadata.deletionTimestamp ?? '') >= (metadata.deletionTimestamp ?? '') &&
      other.metadata.uid !== metadata.uid,
  );
  return [...engine.objectMemory.departed.of(metadata.uid), ...going];
}
const undeleted = (heir: Resource): Resource => {
  const { deletionTimestamp, ...metadata } = heir.metadata;
  return deletionTimestamp === undefined ? heir : { ...heir, metadata };
};
