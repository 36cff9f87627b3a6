import type { AnyKind, AnyWant, Row } from '../../resource/index.ts';
import type { InstallationKey } from '../model/identity.ts';
import type { Resource } from '../ports/index.ts';

/** Whose values were applied, and the key that they are remembered with. */
interface Keeper {
  readonly kind: AnyKind;
  readonly key: InstallationKey;
  readonly object: Resource;
}

/** What was sent was applied: status remembers it as an HMAC, so that only a rotated value is applied again. The fields of status that say so. */
export function appliedValues({ kind, key, object }: Keeper, want: AnyWant, only?: readonly string[]): { readonly applied?: Row } {
  const applied = Object.fromEntries(
    Object.entries(kind.fields).flatMap(([field, rule]) => {
      const value = want[field];
      const remembered = rule.applied === true && value !== undefined && (only === undefined || only.includes(field));
      return remembered ? [[field, key.remember(object.metadata.uid, field, value)]] : [];
    }),
  );
  return Object.keys(applied).length > 0 ? { applied: { ...(object.status?.['applied'] as Row | undefined), ...applied } } : {};
}
