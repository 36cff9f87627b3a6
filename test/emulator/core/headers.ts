import type { Operation } from '../contract/operation.ts';
import type { Token } from './accounts.ts';

/** On every answer. */
const constant: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'HEAD, GET, OPTIONS, POST, PUT, DELETE',
  'access-control-allow-headers': 'Authorization, Origin, X-Requested-With, Content-Type, Accept, X-Filter',
  'access-control-expose-headers': 'X-OAuth-Scopes, X-Accepted-OAuth-Scopes, X-Status',
  'access-control-allow-credentials': 'true',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'x-xss-protection': '1; mode=block',
  'strict-transport-security': 'max-age=31536000',
  'content-security-policy': "default-src 'none'",
  vary: 'Authorization, X-Filter',
  server: 'nginx',
};

/** What the operation needs, as the service writes it: `*` for public, two scopes joined by a comma. */
export function acceptedScopes(operation: Operation): string {
  if (operation.acceptedScopes !== undefined) return operation.acceptedScopes;
  if (operation.auth === 'none' || operation.scopes === undefined || operation.scopes.length === 0) return '*';
  return operation.scopes.join(',');
}

interface HeaderParts {
  readonly operation: Operation | undefined;
  readonly token: Token | undefined;
  readonly now: number;
  readonly rate: Readonly<Record<string, string>>;
  readonly scope: (scope: string) => string;
}

/** The headers of any JSON answer; `scope` writes a scope in the provider's words. */
export function answerHeaders({ operation, token, now, rate, scope }: HeaderParts): Readonly<Record<string, string>> {
  const maxAge = operation?.cacheSeconds ?? 60;
  const held = token === undefined ? 'unknown' : token.scopes.map(scope).join(' ');
  return {
    ...constant,
    date: new Date(now).toUTCString(),
    'x-oauth-scopes': held,
    'x-accepted-oauth-scopes': operation === undefined ? '*' : acceptedScopes(operation).split(',').map(scope).join(','),
    // Catalogues have no s-maxage.
    'cache-control': maxAge === 60 ? 'private, max-age=60, s-maxage=60' : `private, max-age=${maxAge}`,
    ...rate,
  };
}
