import { wholeTarget } from '../../engine/outputs/targets.ts';
import { type AnyKind, isToldOnce, type Row } from '../../resource/index.ts';

/** Secret that is written for an object, also while it only observes; undefined: none. What is told once nobody tells who takes it over. */
export const secretOf = (kind: AnyKind, { name, spec }: { readonly name: string; readonly spec: Row }): string | undefined =>
  isToldOnce(kind, spec) ? undefined : wholeTarget(kind, { metadata: { name }, spec })?.name;
