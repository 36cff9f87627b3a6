import type { Row } from '../resource/index.ts';
import { annotation, intentAnnotation } from './annotations.ts';
import { canonical } from './drift.ts';
import type { Resource } from './ports.ts';

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

/** An intent whose attempts were all struck is none. A text that cannot be read counts as one open attempt: it may hide a remote. */
export function intentOf(object: Resource): Intent | undefined {
  const text = annotation(object, intentAnnotation);
  return text === undefined ? undefined : parseIntent(text);
}

function parseIntent(text: string): Intent | undefined {
  try {
    const intent = JSON.parse(text) as Intent;
    return Array.isArray(intent.attempts) && intent.attempts.length > 0 && typeof intent.key?.in === 'string' ? intent : undefined;
  } catch {
    return undefined;
  }
}

export const formatIntent = (intent: Intent): string => canonical(intent);
