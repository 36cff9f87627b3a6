import type { Body, BodyValue } from '../../resource/index.ts';
import { FileContent, Sensitive } from '../../resource/index.ts';

/** What goes over the wire, and the secrets in it, so that no error text can repeat one. */
export interface RequestBody {
  readonly json: unknown;
  readonly secrets: readonly string[];
}

/** The only place that reveals secrets of a body. */
export function revealBody(body: Body | undefined): RequestBody {
  const secrets: string[] = [];
  const reveal = (value: BodyValue): unknown => {
    if (value instanceof Sensitive) {
      secrets.push(value.reveal());
      return value.reveal();
    }
    if (typeof value !== 'object' || value === null || value instanceof FileContent) return value;
    if (Array.isArray(value)) return value.map((item: BodyValue) => reveal(item));
    return Object.fromEntries(Object.entries(value).map(([key, inner]: [string, BodyValue]) => [key, reveal(inner)]));
  };
  return { json: body === undefined ? undefined : reveal(body), secrets };
}

/** Text of the service made safe to show: our secrets masked, control characters gone, and not endless. */
export function safeText(text: string, secrets: readonly string[]): string {
  let safe = text;
  for (const secret of secrets) if (secret.length >= 4) for (const form of formsOf(secret)) safe = safe.replaceAll(form, '[redacted]');
  return safe.replace(/\p{Cc}+/gu, ' ').slice(0, 500);
}

/** A secret as an answer may echo it: as it is, or as part of a URL, of JSON or of base64; the longest first. */
const formsOf = (secret: string): readonly string[] => {
  const base64 = Buffer.from(secret, 'utf8').toString('base64').replace(/=+$/, '');
  const forms = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    base64,
    base64.replaceAll('+', '-').replaceAll('/', '_'),
  ];
  return [...new Set(forms)].toSorted((a, b) => b.length - a.length);
};
