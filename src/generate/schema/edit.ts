import type { AnyKind, AnyRule, Mode } from '../../resource/index.ts';

/** What is always there is never made anew, and another object has the same. */
const canBeReplaced: Readonly<Record<Mode, boolean>> = {
  collection: true,
  singleton: false,
  connection: false,
  issued: true,
  operation: true,
};

/**
 * What becomes of an edit of a field that is set once: THE answer, for admission and for the reference alike.
 * `replace`: let through under `lifecycle.replace: Allow`. `another`: only another object can have the new value.
 */
export function editOf({ mode }: AnyKind, { immutable, effect, read }: AnyRule): 'free' | 'never' | 'another' | 'replace' {
  if (immutable !== true) return 'free';
  if (!canBeReplaced[mode] || effect === 'Never') return 'never';
  // A replacement is made of what is seen to differ, and this is never seen.
  return read === undefined ? 'another' : 'replace';
}
