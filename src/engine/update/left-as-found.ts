import type { AnyWant } from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import type { Identity } from '../model/identity.ts';

/**
 * Fields of an adopted remote whose absence would clear them, and that the spec never set. Adopting a volume must not detach
 * it from a running server only because nobody wrote down where it is (README: effects). Kept in status until the spec sets them.
 */
export function leftAsFound({ kind, object, status }: ReconcileContext, { how }: Identity, want: AnyWant): readonly string[] {
  const cleared = Object.entries(kind.fields).flatMap(([field, { unset }]) => (unset === 'clear' ? [field] : []));
  if (how !== 'adopted' || cleared.length === 0) return [];
  const known = (object.status?.['leftAsFound'] as readonly string[] | undefined) ?? cleared;
  const left = known.filter((field) => want[field] === undefined);
  status['leftAsFound'] = left;
  return left;
}
