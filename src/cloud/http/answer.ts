import type { Millis } from '../../lib/clock.ts';
import { fileDigest, type FileType } from '../../resource/index.ts';

/** Bytes as they came, before anybody believes them. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  readonly requestedAt: Millis;
  readonly answeredAt: Millis;
}

/** `other`: HTML of a balancer, plain text. `broken`: called JSON, but it cannot be parsed. */
export type Content =
  | { readonly is: 'json'; readonly value: unknown }
  | { readonly is: 'file'; readonly value: { readonly digest: string } }
  | { readonly is: 'empty' }
  | { readonly is: 'other' }
  | { readonly is: 'broken' };

/** Reads a body only when it says that it is JSON (README: facts 3), or the file that was asked for. */
export function contentOf({ headers, bytes }: Pick<RawAnswer, 'headers' | 'bytes'>, file?: FileType): Content {
  const [type = ''] = (headers['content-type'] ?? '').toLowerCase().split(';');
  if (file !== undefined && type.trim() === file && bytes.length > 0) return { is: 'file', value: { digest: fileDigest(bytes) } };
  const text = bytes.toString('utf8');
  if (text.trim() === '') return { is: 'empty' };
  if (!/^application\/(.*\+)?json\b/i.test(type)) return { is: 'other' };
  try {
    return { is: 'json', value: JSON.parse(text) as unknown };
  } catch {
    return { is: 'broken' };
  }
}

/** The service's wall clock when it answered, or undefined without a readable `Date`. */
export function dateOf(headers: Readonly<Record<string, string>>): Millis | undefined {
  const at = Date.parse(headers['date'] ?? '');
  return Number.isNaN(at) ? undefined : at;
}

/** `Retry-After` means something on 408, 429 and 503 only: the service sends it with every answer (README: facts 4). */
export function retryAfterOf(status: number, headers: Readonly<Record<string, string>>): Millis | undefined {
  if (status !== 408 && status !== 429 && status !== 503) return undefined;
  const text = headers['retry-after'];
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const until = Date.parse(text);
  const now = dateOf(headers);
  return Number.isNaN(until) || now === undefined ? undefined : Math.max(0, until - now);
}
