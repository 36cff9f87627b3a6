import { plural } from '../../../src/generate/names.ts';
import { keyOf, objectId } from '../../../src/engine/model/object-id.ts';
import type { Operator } from '../../../src/operator.ts';
import type { AnyKind } from '../../../src/resource/index.ts';
import type { ApiServer } from '../../apiserver/api-server.ts';

interface Running {
  readonly identity: string;
  readonly operator: Operator;
  readonly process: { readonly alive: boolean };
}
interface Furnished {
  readonly kinds: readonly AnyKind[];
  readonly server: ApiServer;
  path(kind: string, namespace: string | undefined, name: string): string;
}

/** `operator-1: ledger: <uid>`: what a store of this operator knows of an object that is not in its cache. */
export function rememberedBy({ identity, operator, process }: Running, kinds: readonly AnyKind[]): readonly string[] {
  const { engine, objects, phase } = operator;
  if (!process.alive || engine === undefined || phase === 'stopped') return [];
  const there = new Set<string>();
  for (const { kind } of kinds) for (const object of objects.all(kind)) there.add(object.metadata.uid).add(objectId(kind, keyOf(object)));
  return [...engine.remembered()].flatMap(([store, keys]) =>
    keys.filter((key) => !there.has(key)).map((key) => `${identity}: ${store}: ${key}`),
  );
}

/** By force, as somebody does who takes the finalizers off: nobody is asked, and nothing is waited for. */
export async function removeObjects(world: Furnished): Promise<void> {
  for (const { kind } of world.kinds)
    for (const { metadata } of world.server.objects(`cloudhosting.dev/${plural(kind)}`)) {
      const path = world.path(kind, metadata.namespace, metadata.name);
      await world.server.as('admin', 'PATCH', path, { metadata: { finalizers: null } });
      await world.server.as('admin', 'DELETE', path);
    }
}
