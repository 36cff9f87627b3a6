import { keyOf } from '../../engine/model/object-id.ts';
import type { Difference, UpdateStep } from '../../engine/model/step.ts';
import type { RemoteCache, Resource } from '../../engine/ports/index.ts';
import type { AnyKind, AnyWant, Row } from '../../resource/index.ts';
import type { Expected, WouldSend } from './capture.ts';
import type { ClusterCopy } from './cluster-copy.ts';
import { leaves } from './leaves.ts';

interface Place {
  readonly copy: ClusterCopy;
  readonly expected: Expected;
  readonly kind: AnyKind;
  readonly object: Resource;
  readonly cache: RemoteCache | undefined;
  /** The very call was captured before. */
  readonly again: boolean;
}

/** Lets a captured call have been answered, as far as that can be told without sending it; false where it cannot. */
export async function carryOut(place: Place, { call, change }: WouldSend, step: UpdateStep | undefined): Promise<boolean> {
  if (change.effect === 'Create' || change.cause === 'duplicate') return false;
  const { copy, expected, kind, object, cache, again } = place;
  const { path } = (copy.get(kind.kind, keyOf(object))?.status ?? {}) as { readonly path?: string };
  const row = path === undefined ? undefined : cache?.get(path)?.remote;
  const left = row && !again ? leaves(kind.kind, row, call) : undefined;
  if (path !== undefined && left !== undefined) {
    expected.rows.set(path, left);
    return true;
  }
  if (change.effect === 'Delete') return false;
  if (change.effect === 'Replace') {
    if (path !== undefined) expected.gone.add(path);
    return path !== undefined;
  }
  if (step?.do !== 'update') return false;
  for (const one of step.changes) await putRight(place, one, row ?? {});
  return true;
}

/** What status remembers of a call tells what comes next; else the field no longer counts as different. */
async function putRight({ copy, kind, object }: Place, { field, rule, want }: Difference, row: Row): Promise<void> {
  const known = copy.get(kind.kind, keyOf(object)) ?? object;
  const notes =
    want === undefined ? undefined : rule.notes?.(want, row, { ...known.spec, name: '', recalled: recalled(kind, known) } as AnyWant);
  if (notes !== undefined) {
    const { sending: _, ...status } = known.status ?? {};
    copy.put({ ...known, status: { ...status, ...notes } });
    return;
  }
  const lifecycle = (known.spec['lifecycle'] ?? {}) as { readonly ignoreFields?: readonly string[] };
  const ignoreFields = [...(lifecycle.ignoreFields ?? []), field];
  copy.put({ ...known, spec: { ...known.spec, lifecycle: { ...lifecycle, ignoreFields } } });
}

const recalled = ({ recalls = [] }: AnyKind, { status = {} }: Resource): Row =>
  Object.fromEntries(recalls.map((field) => [field, status[field]]));
