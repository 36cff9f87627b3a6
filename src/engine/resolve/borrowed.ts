import type { AnyWant, Row } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import { admittedTarget } from './target.ts';

/** Status fields of targets that the kind's functions need ({@link Kind.borrows}). */
export function borrowed(context: ClusterContext): Pick<AnyWant, 'borrowed'> {
  const { kind, object, engine } = context;
  if (kind.borrows === undefined) return {};
  const values = Object.entries(kind.borrows).flatMap(([name, { ref, status }]) => {
    const site = engine.registry.sites(kind.kind).find(({ at, what }) => at[0] === ref && what.is === 'ref');
    const reference = onlyAt(object.spec, site?.at ?? []);
    const found =
      site?.what.is === 'ref' && reference !== undefined ? admittedTarget(context, site.what.target.kind, reference) : undefined;
    const value = found?.status?.[status];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return { borrowed: Object.fromEntries(values) };
}

/** What stands at this place of a spec, where exactly one thing does. */
function onlyAt(spec: unknown, at: readonly string[]): Row | undefined {
  const [step, ...rest] = at;
  if (step === undefined) return spec as Row | undefined;
  if (step !== '*') return onlyAt((spec as Row | undefined)?.[step], rest);
  return Array.isArray(spec) && spec.length === 1 ? onlyAt(spec[0], rest) : undefined;
}
