import type { Metadata, Resource } from '../engine/ports/index.ts';
import { TextPool } from '../lib/text-pool.ts';
import type { Row } from '../resource/index.ts';
import { group } from './api-group.ts';
import { writerOf } from './field-manager.ts';

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
  const annotations = ofOurs(from.annotations);
  const writtenBy = writerOf(from);
  return {
    ...(from.deletionTimestamp !== undefined && { deletionTimestamp: from.deletionTimestamp }),
    ...(from.finalizers && { finalizers: from.finalizers }),
    ...(annotations && { annotations }),
    ...(from.labels && { labels: from.labels }),
    ...(writtenBy !== undefined && { writtenBy }),
  };
}

/** Others may write 256 KiB of annotations on every object, which mean nothing here. */
function ofOurs(annotations: Metadata['annotations']): Metadata['annotations'] {
  return annotations && Object.fromEntries(Object.entries(annotations).filter(([name]) => name.startsWith(`${group}/`)));
}
