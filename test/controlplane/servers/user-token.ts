import { createHmac, timingSafeEqual } from 'node:crypto';

export interface User {
  readonly name: string;
  readonly groups: readonly string[];
}

/**
 * A bearer token that carries its user under an HMAC. The API server asks the supervisor's webhook about it, so that
 * users can be made at any time and in any process, without a restart and without state.
 */
export function signUser(user: User, key: string): string {
  const body = Buffer.from(JSON.stringify(user)).toString('base64url');
  return `user.${body}.${mac(body, key)}`;
}

/** The token's user; undefined when we did not sign it. */
export function verifyUser(token: string, key: string): User | undefined {
  const [prefix, body, sent, ...rest] = token.split('.');
  if (prefix !== 'user' || body === undefined || sent === undefined || rest.length > 0) return undefined;
  const expected = Buffer.from(mac(body, key));
  const given = Buffer.from(sent);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined;
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as User;
}

function mac(body: string, key: string): string {
  return createHmac('sha256', key).update(body).digest('base64url');
}
