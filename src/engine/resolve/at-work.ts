import { type AnyKind, placesOf, type Row } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import { isReady, isStalled, reasonOf } from '../model/conditions.ts';
import type { Work } from '../model/outcome.ts';
import { keyFrom, kindReferred } from './named.ts';

/** What is under way at what a field refers to: a job runs on it, it is not ready yet, or nobody knows. Undefined: nothing. */
export function workAt(context: ClusterContext, field: string): Work | undefined {
  const { engine, object, kind, account } = context;
  const target = kindReferred(engine, kind, field);
  const reference = object.spec[field] as Row | undefined;
  if (target === undefined || reference === undefined || account.connection.cache.eventsReadAt() === undefined) return {};
  const paths = pathsOf(context, target, reference);
  if (paths.length === 0) return stuckAt(context, target, reference);
  return paths.some((path) => account.connection.cache.jobs(path).some(isOpen)) ? {} : undefined;
}

/** It is at rest, and no wait makes it ready. Of another namespace's nothing is told. */
function stuckAt({ engine, object }: ClusterContext, target: AnyKind, reference: Row): Work {
  const key = keyFrom(object, reference);
  const named = engine.objects.get(target.kind, key);
  if (named === undefined || key.namespace !== object.metadata.namespace || !isStalled(named)) return {};
  return {
    at: `${target.kind} ${key.name}`,
    stuck: `is not Ready and needs a person (${reasonOf(named, 'Stalled')}): kubectl cloud why -n ${key.namespace} ${target.shortName}/${key.name}`,
  };
}
const isOpen = ({ status }: { readonly status: string }): boolean => status === 'scheduled' || status === 'started';

/** None where it is not ready. */
function pathsOf({ engine, object }: ClusterContext, target: AnyKind, reference: Row): readonly string[] {
  if (typeof reference['name'] !== 'string') return placesOf(target).map((place) => `${place}/${String(reference['external'])}`);
  const named = engine.objects.get(target.kind, keyFrom(object, reference));
  const path = named?.status?.['path'];
  return named !== undefined && isReady(named) && typeof path === 'string' ? [path] : [];
}
