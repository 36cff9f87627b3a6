import { wholeTarget } from '../../engine/outputs/targets.ts';
import type { Resource } from '../../engine/ports/index.ts';
import { type AnyKind, isToldOnce, type Row } from '../../resource/index.ts';

/** Secret that is written for an object, also while it only observes; undefined: none. What is told once nobody tells who takes it over. */
export const secretOf = (kind: AnyKind, { name, spec }: { readonly name: string; readonly spec: Row }): string | undefined =>
  isToldOnce(kind, spec) ? undefined : wholeTarget(kind, { metadata: { name }, spec })?.name;

/** Where what is told once of what it has goes; undefined: nothing of it is. */
export const toldTo = (kind: AnyKind, { metadata: { name }, spec }: Pick<Resource, 'metadata' | 'spec'>): string | undefined =>
  isToldOnce(kind, spec) ? wholeTarget(kind, { metadata: { name }, spec })?.name : undefined;
