import type { Effects, Engine, ObjectEffects } from '../context.ts';
import type { Account } from '../model/account.ts';
import { keyOf } from '../model/object-id.ts';
import type { Resource } from '../ports/index.ts';

/** What can be done to this object, whichever version of it is known. */
export function objectEffects(
  { objects, leadership }: Pick<Engine, 'objects' | 'leadership'>,
  object: Resource,
  signal: AbortSignal,
): ObjectEffects {
  const { kind } = object;
  const key = keyOf(object);
  return {
    fetch: () => objects.fetch(kind, key, signal),
    patch: (patch) => objects.patch(kind, key, patch, signal),
    remove: () => objects.remove(object, signal),
    leads: () => leadership.held(),
  };
}

/** Those of an object whose account is connected. */
export const effectsIn = (
  { connection, key }: Account,
  { secrets, configMaps, objects, registry }: Pick<Engine, 'secrets' | 'configMaps' | 'objects' | 'registry'>,
  { effects, signal }: { readonly effects: ObjectEffects; readonly signal: AbortSignal },
): Effects => ({
  ...effects,
  permit: (call, options) => connection.permit(call, options),
  secrets,
  configMaps,
  patchOther: (other, patch) => objects.patch(other.kind, keyOf(other), patch, signal),
  patchAccount: (patch) => objects.patch(registry.connection.kind, key, patch, signal),
});
