import type { Engine } from '../../../engine/context.ts';
import { accountKey } from '../../../engine/model/account.ts';
import type { Resource } from '../../../engine/ports/index.ts';

/** The operator has read long ago what the service offers; here that may still be on its way, and what is not offered would look as if it could be made. */
export async function catalogued(
  { accounts, registry }: Pick<Engine, 'accounts' | 'registry'>,
  objects: readonly Resource[],
): Promise<void> {
  const reads = objects.flatMap((object) =>
    Object.values(registry.kind(object.kind).fields).flatMap(({ catalogue }) =>
      catalogue === undefined ? [] : (accounts.get(accountKey(object))?.connection.catalogued(catalogue.path) ?? []),
    ),
  );
  await Promise.all(reads);
}
