import type { BackendResponse } from '../../support/virtual/backend.ts';
import type { ApiError } from './api-error.ts';

export function jsonResponse(status: number, body: string, warnings: readonly string[] = []): BackendResponse {
  const warning = warnings.length > 0 ? { warning: warnings.map((line) => `299 - ${JSON.stringify(line)}`) } : {};
  return { status, headers: { 'content-type': 'application/json', 'cache-control': 'no-cache, private', ...warning }, body };
}

export function textResponse(status: number, body: string): BackendResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}

/** What a path that nobody serves gets: no Status body. */
export const pageNotFound = (): BackendResponse => textResponse(404, '404 page not found\n');

export function errorResponse(error: ApiError): BackendResponse {
  const seconds = error.body.details?.retryAfterSeconds;
  const response = jsonResponse(error.code, JSON.stringify(error.body));
  return seconds === undefined ? response : { ...response, headers: { ...response.headers, 'retry-after': String(seconds) } };
}
