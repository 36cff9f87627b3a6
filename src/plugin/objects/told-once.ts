import type { Resource } from '../../engine/ports/kubernetes.ts';
import { wholeTarget } from '../../engine/outputs/targets.ts';
import { namesToldOnce } from '../../engine/outputs/told-once.ts';
import { isToldOnce } from '../../resource/index.ts';
import { registry } from '../command-line/kinds.ts';

interface Listed {
  readonly kind: string;
  readonly name: string;
  readonly missing?: readonly string[];
}

/** Where what is told once of what it has goes; undefined: nothing of it is. */
export function toldSecret(object: Resource): string | undefined {
  const kind = registry.kind(object.kind);
  return isToldOnce(kind, object.spec) ? wholeTarget(kind, object)?.name : undefined;
}

/** The same, where its status says that it was written. */
export function toldIn(object: Resource): string | undefined {
  const name = toldSecret(object);
  const listed = ((object.status?.['outputs'] ?? []) as readonly Listed[]).find((one) => one.kind === 'Secret' && one.name === name);
  const lacks = namesToldOnce(registry.kind(object.kind), object.spec).some((key) => listed?.missing?.includes(key));
  return listed === undefined || lacks ? undefined : name;
}
