import { keyOf } from '../../engine/model/object-id.ts';
import type { Difference } from '../../engine/model/step.ts';
import type { RemoteCache, Resource } from '../../engine/ports/index.ts';
import { leaves } from '../../kinds/for-plugin/leaves.ts';
import type { AnyKind } from '../../resource/index.ts';
import type { Expected, WouldSend } from './ports/capture.ts';
import type { ClusterCopy } from './ports/cluster-copy.ts';
import { supposedLeft } from './supposed-kinds.ts';
import type { Decided } from './turned.ts';

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
export function carryOut(place: Place, sent: WouldSend, decided: Decided | undefined): boolean {
  const { effect, cause } = sent.change;
  if (effect === 'Create' || cause === 'duplicate') return false;
  if (isLeft(place, sent)) return true;
  if (effect === 'Delete') return false;
  return effect === 'Replace' ? isGone(place) : isPutRight(place, decided);
}

const pathOf = ({ copy, kind, object }: Place): string | undefined => {
  const path = copy.get(kind.kind, keyOf(object))?.status?.['path'];
  return typeof path === 'string' ? path : undefined;
};

/** It is known what the remote is after that call. */
function isLeft(place: Place, { call }: WouldSend): boolean {
  const { expected, kind, cache, again } = place;
  const path = pathOf(place);
  const row = path === undefined ? undefined : cache?.get(path)?.remote;
  const left = row === undefined || again ? undefined : (supposedLeft(kind, row, call) ?? leaves(kind.kind, row, call));
  if (path !== undefined && left !== undefined) expected.rows.set(path, left);
  return left !== undefined;
}

function isGone(place: Place): boolean {
  const path = pathOf(place);
  if (path !== undefined) place.expected.gone.add(path);
  return path !== undefined;
}

function isPutRight(place: Place, decided: Decided | undefined): boolean {
  if (decided?.step.do !== 'update') return false;
  for (const one of decided.step.changes) putRight(place, one, decided.present);
  return true;
}

/** What status remembers of a call tells what comes next; else the field no longer counts as different. */
function putRight({ copy, kind, object }: Place, { field, rule, want }: Difference, present: Decided['present']): void {
  const known = copy.get(kind.kind, keyOf(object)) ?? object;
  const notes = want === undefined ? undefined : rule.notes?.(want, present.remote, present.want);
  if (notes !== undefined) {
    const { sending: _, ...status } = known.status ?? {};
    copy.put({ ...known, status: { ...status, ...notes } });
    return;
  }
  const lifecycle = (known.spec['lifecycle'] ?? {}) as { readonly ignoreFields?: readonly string[] };
  const ignoreFields = [...(lifecycle.ignoreFields ?? []), field];
  copy.put({ ...known, spec: { ...known.spec, lifecycle: { ...lifecycle, ignoreFields } } });
}
