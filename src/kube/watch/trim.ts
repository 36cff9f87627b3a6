import { ourAnnotations } from '../../engine/ports/annotations.ts';
import type { Metadata, Resource } from '../../engine/ports/index.ts';
import { EqualPool } from '../../lib/equal-pool.ts';
import { TextPool } from '../../lib/text-pool.ts';
import type { Row } from '../../resource/index.ts';
import { writerOf } from './field-manager.ts';

/** More than what the objects of a few seconds say: account, finalizer, reasons, times. */
const texts = new TextPool(2000);
/** Lists of conditions, equal in thousands of objects since the same second, and lists of finalizers. */
const lists = new EqualPool(1000);

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
  const kept = texts.share({ kind, metadata, spec: raw.spec ?? {}, ...(raw.status && { status: raw.status }) });
  shareList(kept.status, 'conditions');
  shareList(kept.metadata as unknown as Record<string, unknown>, 'finalizers');
  return kept;
}

function shareList(of: Record<string, unknown> | undefined, name: string): void {
  const list = of?.[name];
  if (of !== undefined && Array.isArray(list)) of[name] = lists.share(list);
}

function optional(from: Partial<Metadata>): Partial<Metadata> {
  const annotations = ofOurs(from.annotations);
  const writtenBy = writerOf(from);
  return {
    ...(from.deletionTimestamp !== undefined && { deletionTimestamp: from.deletionTimestamp }),
    ...(from.finalizers && { finalizers: from.finalizers }),
    ...(annotations && { annotations }),
    ...(from.labels && { labels: fewOf(from.labels) }),
    ...(from.generateName !== undefined && { generateName: from.generateName }),
    ...(writtenBy !== undefined && { writtenBy }),
  };
}

/** Bytes, of one object together; more than the operator itself ever writes. */
const mostAnnotations = 32_768;
const leftOfEach = 1024;
/** Objects are selected by few; whoever gives an object more is not selected by those that come late in the alphabet. */
const mostLabels = 100;

/**
 * Others may write 256 KiB of annotations on every object, which mean nothing here. What is too long to be ours is cut, so that it
 * reads as something that cannot be read, and not as if it were not there.
 */
function ofOurs(annotations: Metadata['annotations']): Metadata['annotations'] {
  if (annotations === undefined) return undefined;
  const ours = Object.entries(annotations).filter(([name]) => ourAnnotations.has(name));
  const isTooMuch = ours.reduce((total, [, value]) => total + value.length, 0) > mostAnnotations;
  return Object.fromEntries(isTooMuch ? ours.map(([name, value]) => [name, value.slice(0, leftOfEach)]) : ours);
}

function fewOf(labels: NonNullable<Metadata['labels']>): NonNullable<Metadata['labels']> {
  const all = Object.entries(labels);
  return all.length <= mostLabels ? labels : Object.fromEntries(all.slice(0, mostLabels));
}
