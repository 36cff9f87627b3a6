import { type AnyKind, placesOf, type Row } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import { isReady } from '../model/conditions.ts';
import { keyFrom, kindReferred } from './named.ts';

/** A job runs on what a field refers to, or it is not ready yet; also where nobody knows. */
export function isAtWork(context: ClusterContext, field: string): boolean {
  const { engine, object, kind, account } = context;
  const target = kindReferred(engine, kind, field);
  const reference = object.spec[field] as Row | undefined;
  if (target === undefined || reference === undefined || account.connection.cache.eventsReadAt() === undefined) return true;
  const paths = pathsOf(context, target, reference);
  return paths.length === 0 || paths.some((path) => account.connection.cache.jobs(path).some(isOpen));
}
const isOpen = ({ status }: { readonly status: string }): boolean => status === 'scheduled' || status === 'started';

/** None where it is not ready. */
function pathsOf({ engine, object }: ClusterContext, target: AnyKind, reference: Row): readonly string[] {
  if (typeof reference['name'] !== 'string') return placesOf(target).map((place) => `${place}/${String(reference['external'])}`);
  const named = engine.objects.get(target.kind, keyFrom(object, reference));
  const path = named?.status?.['path'];
  return named !== undefined && isReady(named) && typeof path === 'string' ? [path] : [];
}
