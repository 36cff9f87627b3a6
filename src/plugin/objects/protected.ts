import type { Resource } from '../../engine/ports/kubernetes.ts';
import { mergePatch } from '../cluster/naming.ts';

/** Admission refuses to delete it. */
export const isProtected = ({ spec }: Pick<Resource, 'spec'>): boolean =>
  (spec['lifecycle'] as { readonly protect?: boolean } | undefined)?.protect === true;

/** Before one is deleted that is handed over. With Retain, so that what it has stays should it be deleted too early. */
export const withoutProtection = (object: Parameters<typeof mergePatch>[0]): string =>
  mergePatch(object, { spec: { lifecycle: { protect: false, onDelete: 'Retain' } } });
