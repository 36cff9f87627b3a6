import { createHash } from 'node:crypto';
import { base32 } from '../../lib/base32.ts';
import type { Millis } from '../../lib/clock.ts';
import { readTime } from '../../lib/utc-time.ts';
import { type Effect, Sensitive } from '../../resource/index.ts';
import { canonical } from '../model/values.ts';

/** Whose change it is. `path`: of the remote, neutral, as in `status.path`. */
export interface Subject {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
}
export interface ContentChange {
  readonly field: string;
  readonly want: unknown;
  readonly have: unknown;
}

/**
 * Names a change by what it is, without key or clock, so that it can be known before the change is merged: 16 characters over
 * the object, its remote, the effect, and of each field what is wanted and what is seen. Undefined where a secret is part of it.
 */
export function contentHash(
  { kind, namespace, name, path }: Subject,
  effect: Effect,
  changes: readonly ContentChange[],
): string | undefined {
  if (changes.some(({ want, have }) => isSecret(want) || isSecret(have))) return undefined;
  const sorted = changes
    .toSorted((a, b) => (a.field < b.field ? -1 : 1))
    .map(({ field, want, have }) => [field, want ?? null, have ?? null]);
  const text = canonical([kind, namespace, name, path, effect, sorted]);
  return base32(createHash('sha256').update(text).digest()).slice(0, 16);
}

const isSecret = (value: unknown): boolean =>
  value instanceof Sensitive || (typeof value === 'object' && value !== null && Object.values(value).some(isSecret));

/** So far ahead it may lie that an approval by content ends. */
const farthest: Millis = 14 * 24 * 3_600_000;
/** So many are kept, until their time is over. */
const most = 8;

export interface ContentFacts {
  /** Annotation `approve-change`. */
  readonly value: string | undefined;
  /** What the change at hand is named. */
  readonly content: string | undefined;
  /** `status.approvals`. */
  readonly spent: readonly string[];
  /** Wall clock. */
  readonly now: Millis;
}
export type ContentVerdict =
  | { readonly is: 'none' }
  /** `spent`: what status must keep from now on. */
  | { readonly is: 'approved'; readonly value: string; readonly spent: readonly string[] }
  | { readonly is: 'refused'; readonly why: string };

const refused = (why: string): ContentVerdict => ({ is: 'refused', why });

/** `<hash>.<until>`: holds once, for exactly this change, and not after its end. */
export function judgeContent({ value, content, spent, now }: ContentFacts): ContentVerdict {
  if (value === undefined) return { is: 'none' };
  const { hash, until } = read(value);
  if (until === undefined) return refused('cannot be read: write <content>.<until>, for example abcdefghijklmnop.2030-01-31T18:00:00Z');
  if (spent.includes(value)) return refused('is spent: it counts once');
  if (content === undefined) return refused('cannot be used for a secret, or while something was not read');
  if (hash !== content) return refused('names another change, or another state than what is seen now');
  if (until <= now) return refused('is over');
  if (until > now + farthest) return refused('ends later than 14 days from now');
  const kept = spent.filter((one) => (read(one).until ?? 0) > now);
  if (kept.length >= most) return refused('is one too many: eight are kept until their time is over');
  return { is: 'approved', value, spent: [...kept, value] };
}

/** Those whose time is not over: nothing else needs to be remembered. */
export const stillSpent = (spent: readonly string[], now: Millis): readonly string[] =>
  [...new Set(spent)].filter((one) => (read(one).until ?? 0) > now).toSorted();

function read(value: string): { readonly hash: string; readonly until: Millis | undefined } {
  const [hash = '', ...end] = value.slice(0, 100).split('.');
  return { hash, until: /^[a-z2-7]{16}$/.test(hash) ? readTime(end.join('.')) : undefined };
}
