import type { Row } from '../../resource/index.ts';
import { annotation, intentAnnotation, remoteAnnotation } from '../run/annotations.ts';
import { canonical } from '../converge/drift.ts';
import type { Outcome } from '../outcome.ts';
import type { Resource } from '../ports.ts';

/** One POST that was about to be sent. Struck when it is known not to have made anything. */
export interface Attempt {
  readonly n: number;
  /** The service's clock, RFC 3339, just before the socket write. */
  readonly at: string;
  readonly nonce?: string;
}
/** Persisted in one annotation before the first POST and removed with the identity's arrival (design 4.3). */
export interface Intent {
  /** Where to look (a collection) and what a match must equal. */
  readonly key: { readonly in: string; readonly is: Row };
  /** Ids that matched before the first attempt, and so are not ours. */
  readonly before: readonly (string | number)[];
  readonly attempts: readonly Attempt[];
}

/**
 * The create that is open, if any; one whose attempts were all struck is none. An annotation that is gone or cannot be read
 * is healed from its copy in status, which is there while an outcome is not known (design 4.4).
 */
export function intentOf(object: Resource): Intent | undefined {
  const told = parse(annotation(object, intentAnnotation));
  if (told !== 'unreadable' && told !== undefined) return openOf(told);
  return annotation(object, remoteAnnotation) === undefined ? openOf(copyOf(object)) : undefined;
}

const openOf = (intent: Intent | undefined): Intent | undefined => ((intent?.attempts.length ?? 0) > 0 ? intent : undefined);

function parse(text: string | undefined): Intent | 'unreadable' | undefined {
  if (text === undefined) return undefined;
  try {
    return asIntent(JSON.parse(text)) ?? 'unreadable';
  } catch {
    return 'unreadable';
  }
}
function copyOf({ status }: Resource): Intent | undefined {
  return status?.['path'] === undefined ? asIntent(status?.['intent']) : undefined;
}
function asIntent(value: unknown): Intent | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { key, before, attempts } = value as Partial<Intent>;
  const whole = typeof key?.in === 'string' && typeof key.is === 'object' && Array.isArray(before) && Array.isArray(attempts);
  return whole && attempts.every(({ at }: Attempt) => !Number.isNaN(Date.parse(at))) ? (value as Intent) : undefined;
}

/** Something may have been sent, and what it was is lost: only a person can tell whether it made anything. */
export function intentIsLost(object: Resource): Outcome | undefined {
  if (parse(annotation(object, intentAnnotation)) !== 'unreadable' || intentOf(object) !== undefined) return undefined;
  return {
    is: 'Stalled',
    reason: 'IdentityConflict',
    message: `annotation ${intentAnnotation} cannot be read, so a create may be open of which nobody knows. Look into the account for what this object may have made, delete it or write spec.adopt, and remove the annotation`,
  };
}

export const formatIntent = (intent: Intent): string => canonical(intent);
