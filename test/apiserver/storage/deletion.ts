import { conflict, forbidden } from '../requests/api-error.ts';
import { parseBody } from '../requests/call.ts';
import type { Call } from '../requests/call.ts';
import { child, clone, list, text } from './json.ts';
import type { JsonObject } from './json.ts';
import type { KubeObject } from './kube-object.ts';
import { kindSubject, resourceSubject } from '../resources/resource.ts';

export const ORPHAN_FINALIZER = 'orphan';
export const FOREGROUND_FINALIZER = 'foregroundDeletion';

const IMMORTAL = new Set(['default', 'kube-system', 'kube-public']);

const isNamespace = (call: Call): boolean => call.resource.group === '' && call.resource.plural === 'namespaces';

export function deleteOptions(call: Call): JsonObject {
  const options = call.body.trim() === '' ? {} : parseBody(call);
  const policy = call.query.get('propagationPolicy');
  return policy === null ? options : { ...options, propagationPolicy: policy };
}

/** Throws where the object may not be deleted as it is. */
export function checkDeletable(call: Call, object: KubeObject, options: JsonObject): void {
  if (isNamespace(call) && IMMORTAL.has(object.metadata.name)) {
    throw forbidden(resourceSubject(call.resource), object.metadata.name, 'this namespace may not be deleted');
  }
  const { uid, resourceVersion } = child(options, 'preconditions');
  const { name, uid: actualUid, resourceVersion: actualVersion } = object.metadata;
  if (text(uid) !== '' && uid !== actualUid) {
    throw conflict(
      kindSubject(call.resource),
      name,
      `the UID in the precondition (${text(uid)}) does not match the UID in record (${actualUid}). The object might have been deleted and then recreated`,
    );
  }
  if (text(resourceVersion) !== '' && resourceVersion !== actualVersion) {
    throw conflict(
      kindSubject(call.resource),
      name,
      `the ResourceVersion in the precondition (${text(resourceVersion)}) does not match the ResourceVersion in record (${actualVersion}). The object might have been modified`,
    );
  }
}

/** Whether anybody still has to do something before the object may go. */
export function mayGo(object: KubeObject): boolean {
  const contentLeft = object.kind === 'Namespace' && object.apiVersion === 'v1' && list(child(object, 'spec')['finalizers']).length > 0;
  return (object.metadata.finalizers ?? []).length === 0 && !contentLeft;
}

/** The object as a delete leaves it while finalizers are pending; the same object when a delete came before. */
export function markDeleted(call: Call, object: KubeObject, options: JsonObject, now: string): KubeObject {
  const marked = clone(object);
  const { metadata } = marked;
  const finalizers = withPolicy(metadata.finalizers ?? [], text(options['propagationPolicy']));
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  if (metadata.deletionTimestamp) return marked;
  if (isNamespace(call)) {
    metadata.deletionTimestamp = now;
    marked['status'] = { ...child(marked, 'status'), phase: 'Terminating' };
  } else if (finalizers.length > 0) {
    metadata.deletionTimestamp = now;
    metadata.deletionGracePeriodSeconds = 0;
    if (metadata.generation !== undefined) metadata.generation += 1;
  }
  return marked;
}

/** The finalizers of the garbage collector follow the propagation policy; all others stay. */
function withPolicy(finalizers: readonly string[], policy: string): string[] {
  if (policy === '') return [...finalizers];
  const others = finalizers.filter((one) => one !== ORPHAN_FINALIZER && one !== FOREGROUND_FINALIZER);
  if (policy === 'Orphan') return [...others, ORPHAN_FINALIZER];
  return policy === 'Foreground' ? [...others, FOREGROUND_FINALIZER] : others;
}
