import type { Metadata, Resource } from '../engine/ports/index.ts';
import { TextPool } from '../lib/text-pool.ts';
import type { Row } from '../resource/index.ts';
import { writerOf } from './field-manager.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** More than what the objects of a few seconds say: account, finalizer, reasons, times. */
const texts = new TextPool(2000);

/** An object as the API server writes it. */
export interface RawObject {
  readonly metadata?: Partial<Metadata>;
  readonly spec?: Row;
  readonly status?: Row;
}

/** What is kept of an object: who applied which field is half of its size, and only who wrote the spec last is of use here. Undefined for what is no object. */
export function trim(kind: string, raw: RawObject): Resource | undefined {
  const from = raw.metadata;
  if (from?.uid === undefined || from.resourceVersion === undefined || from.name === undefined) return undefined;
  const metadata: Metadata = {
    namespace: from.namespace ?? '',
    name: from.name,
    uid: from.uid,
    generation: from.generation ?? 0,
    resourceVersion: from.resourceVersion,
    creationTimestamp: from.creationTimestamp ?? '',
    ...optional(from),
  };
  return texts.share({ kind, metadata, spec: raw.spec ?? {}, ...(raw.status && { status: raw.status }) });
}

function optional(from: Partial<Metadata>): Partial<Metadata> {
  const annotations = withoutLastApplied(from.annotations);
  const writtenBy = writerOf(from);
  return {
    ...(from.deletionTimestamp !== undefined && { deletionTimestamp: from.deletionTimestamp }),
    ...(from.finalizers && { finalizers: from.finalizers }),
    ...(annotations && { annotations }),
    ...(from.labels && { labels: from.labels }),
    ...(writtenBy !== undefined && { writtenBy }),
  };
}

function withoutLastApplied(annotations: Metadata['annotations']): Metadata['annotations'] {
  if (!annotations || !(LAST_APPLIED in annotations)) return annotations;
  const { [LAST_APPLIED]: _, ...rest } = annotations;
  return rest;
}
