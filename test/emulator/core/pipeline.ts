import { Answer } from '../contract/answer.ts';
import { problems } from '../contract/fields.ts';
import type { Knobs } from '../contract/knobs.ts';
import type { Operation } from '../contract/operation.ts';
import { Refusal, refusal } from '../contract/refusal.ts';
import type { Token } from './accounts.ts';
import { checkGrants } from './grants.ts';

/** Throws the 401s of a missing, unknown or expired token. */
export function authenticate(operation: Operation, token: Token | undefined, sent: boolean): void {
  if (operation.outside === true || operation.auth === 'none') return;
  if (token === undefined && (operation.auth !== 'optional' || sent)) throw refusal(401, 'Invalid Token');
}

/** Throws the 403 of an account that is not activated. */
export function requireActivated({ accountInactive }: Knobs, operation: Operation, token: Token | undefined): void {
  if (!accountInactive || token === undefined || operation.auth === 'none') return;
  throw refusal(403, 'Your account must be activated before you can use this endpoint');
}

function satisfies(held: readonly string[], wanted: string): boolean {
  const [area = '', level = ''] = wanted.split(':');
  return held.some((scope) => {
    if (scope === '*') return true;
    const [heldArea, heldLevel] = scope.split(':');
    return heldArea === area && (heldLevel === 'read_write' || heldLevel === '*' || heldLevel === level);
  });
}

function checkScopes(operation: Operation, token: Token | undefined): void {
  if (token === undefined) return;
  if (operation.scopesWaivedForUnrestricted === true && !token.user.restricted) return;
  if ((operation.scopes ?? []).every((scope) => satisfies(token.scopes, scope))) return;
  throw refusal(401, 'Your OAuth token is not authorized to use this endpoint.');
}

/** The parsed body; an absent one counts as `{}` (assumed). */
function readBody(operation: Operation, raw: Buffer): Readonly<Record<string, unknown>> {
  if (operation.raw === true || raw.length === 0 || operation.method === 'GET') return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(raw.toString('utf8'));
  } catch {
    throw refusal(400, 'Invalid JSON');
  }
  if (parsed === null) return {};
  if (typeof parsed !== 'object' || Array.isArray(parsed)) throw refusal(400, 'Invalid JSON');
  return parsed as Readonly<Record<string, unknown>>;
}

interface Submission {
  readonly params: Readonly<Record<string, string>>;
  readonly raw: Buffer;
  /** From the provider's words. */
  readonly translate: <T>(body: T) => T;
}

/** Scopes, grants, then every bad field at once. */
export function authorizeAndValidate(operation: Operation, token: Token | undefined, sent: Submission): Readonly<Record<string, unknown>> {
  checkScopes(operation, token);
  checkGrants(token?.user, operation.grant ?? [], sent.params);
  const body = sent.translate(readBody(operation, sent.raw));
  const found = operation.body === undefined ? [] : problems(operation.body, body);
  if (found.length > 0) throw new Refusal(400, found);
  return body;
}

/** What goes out for a refusal; anything else that is thrown is a defect of the emulator and goes on to the caller of `handle`. */
export function answerForError(error: unknown): Answer {
  if (error instanceof Refusal) return new Answer(error.status, { errors: error.items }, error.headers);
  throw error;
}
