import type { Resource } from '../../engine/ports/kubernetes.ts';
import { isGiven } from '../../resource/index.ts';
import { registry } from '../command-line/kinds.ts';
import { toldTo } from '../dry/given-out.ts';

interface Listed {
  readonly kind: string;
  readonly name: string;
  readonly missing?: readonly string[];
}

/** Where what is told once of what it has goes; undefined: nothing of it is. */
export const toldSecret = (object: Resource): string | undefined => toldTo(registry.kind(object.kind), object);

/** The same, where its status says that it was written. */
export function toldIn(object: Resource): string | undefined {
  const name = toldSecret(object);
  const listed = ((object.status?.['outputs'] ?? []) as readonly Listed[]).find((one) => one.kind === 'Secret' && one.name === name);
  return listed === undefined || toldOnce(object).some((key) => listed.missing?.includes(key)) ? undefined : name;
}

export const toldOnce = ({ kind, spec }: Resource): readonly string[] =>
  Object.entries(registry.kind(kind).outputs ?? {}).flatMap(([name, output]) =>
    output.toldOnce !== undefined && isGiven(output, spec) ? [name] : [],
  );
