import type { AnyKind } from '../resource/index.ts';
import type { Manifest } from './crd.ts';
import { group, version } from './names.ts';

/** What a kind's fixture shows: a name, and a spec as a user writes it. */
export interface Sample {
  readonly name: string;
  readonly spec: Readonly<Record<string, unknown>>;
}

export const sampleManifest = (kind: AnyKind, { name, spec }: Sample): Manifest => ({
  apiVersion: `${group}/${version}`,
  kind: kind.kind,
  metadata: { name },
  spec,
});
