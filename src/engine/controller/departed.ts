import type { Row } from '../../resource/index.ts';
import type { Engine } from '../context.ts';
import { proofOf } from '../identity/proof.ts';
import { naming, objectName } from '../model/account.ts';
import { hasFinalizer, isDeleting } from '../model/annotations.ts';
import { type Adopt, namesPath, openWish } from '../model/step.ts';
import type { Resource } from '../ports/index.ts';

type Known = Pick<Engine, 'objects' | 'objectMemory' | 'registry' | 'key' | 'clusterUid'>;

/**
 * What has nothing has no finalizer, and is gone at once: what it asked for with `spec.adopt` last is remembered for those of its kind that
 * are being deleted, of which it may be one's. As much of it as is asked later (`keeperOf`), because a person writes the rest, as long as it
 * may be and as often as they like.
 */
export function noteDeparted(engine: Known, gone: Resource): void {
  if (gone.status?.['path'] !== undefined) return;
  const wish = wishOf(engine, gone);
  for (const left of engine.objects.all(gone.kind))
    if (wentSince(gone, left) && (isNoted(gone, left) || (wish !== undefined && mayMean(engine, wish, left))))
      engine.objectMemory.asked(left.metadata.uid, asAsked(gone, wish));
}

/** A longer one names nothing that is anywhere. */
const longestWish = 4096;
/** Undefined: it asked for nothing, or had something by what is written on it. */
function wishOf(engine: Known, gone: Resource): Adopt | undefined {
  const wish = openWish(gone);
  if (wish === undefined || JSON.stringify(wish).length > longestWish) return undefined;
  return proofOf({ key: engine.key, name: objectName(naming(engine), gone) }, gone, { restored: true }).is === 'ours' ? undefined : wish;
}

/** It was being deleted by then. */
function wentSince({ metadata: { namespace, deletionTimestamp } }: Resource, left: Resource): boolean {
  const isLeft = left.metadata.namespace === namespace && isDeleting(left) && hasFinalizer(left);
  return isLeft && (deletionTimestamp === undefined || deletionTimestamp >= (left.metadata.deletionTimestamp ?? ''));
}

/** One that took its wish back right before takes it back there, too. */
const isNoted = ({ metadata }: Resource, left: Resource): boolean => String(left.status?.['keptFor'] ?? '').includes(` ${metadata.uid} `);

/** What a match says is compared with the remote, which is not at hand here. */
function mayMean({ registry }: Pick<Known, 'registry'>, { id }: Adopt, { kind, status }: Resource): boolean {
  const { path, id: known } = status ?? {};
  if (id === undefined || typeof path !== 'string') return true;
  const of = registry.kind(kind);
  return namesPath(of, id, path) || (of.ids?.plain?.(String(id)) ?? String(id)) === String(known);
}

/** Of its spec what tells whom it asks for what, and whether it keeps that. */
function asAsked({ kind, metadata, spec }: Resource, wish: Adopt | undefined): Resource {
  const { uid, namespace, name, creationTimestamp, generation, resourceVersion } = metadata;
  const { onDelete, management, protect } = (spec['lifecycle'] ?? {}) as Row;
  const { accountRef } = spec;
  return {
    kind,
    metadata: { uid, namespace, name, creationTimestamp, generation, resourceVersion },
    spec: {
      ...(accountRef !== undefined && { accountRef }),
      ...(wish && { adopt: wish }),
      lifecycle: {
        ...(onDelete !== undefined && { onDelete }),
        ...(management !== undefined && { management }),
        ...(protect !== undefined && { protect }),
      },
    },
  };
}
