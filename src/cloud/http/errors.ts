import type { ApiReason, Fault } from '../../engine/ports/index.ts';
import { CloudError } from '../../engine/ports/index.ts';
import type { Millis } from '../../lib/clock.ts';
import { quoted, wordOrQuoted } from '../../lib/quoted.ts';
import type { Method } from '../../resource/index.ts';
import type { Content } from './answer.ts';
import { retryAfterOf } from './answer.ts';

/** An answer that is no success, or a success that cannot be read. */
export interface Failure {
  readonly method: Method;
  /** Neutral, without the version; for the message. */
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Content['is'];
  /** In neutral words and safe to show. */
  readonly reasons: readonly ApiReason[];
}

interface Rule {
  readonly status: number | readonly [number, number];
  readonly when?: (failure: Failure) => boolean;
  /** Any reason matches. */
  readonly text?: RegExp;
  /** `InDoubt`: `Unknown` for a change, because the service may have done it, else `Unavailable`. */
  readonly fault: Fault | 'InDoubt';
  readonly hint?: (failure: Failure) => string;
  readonly lacks?: (failure: Failure) => string | undefined;
}

const isChange = ({ method }: Failure): boolean => method !== 'GET';
const notJson = ({ content }: Failure): boolean => content !== 'json';
const lacksScope = ({ headers, reasons }: Failure): boolean =>
  headers['x-oauth-scopes'] === undefined
    ? reasons.some(({ reason }) => /not authorized to use this endpoint/i.test(reason))
    : headers['x-oauth-scopes'] !== 'unknown';
const takenScopes = ({ headers }: Failure): string | undefined => headers['x-accepted-oauth-scopes'];
const scopeHint = (failure: Failure): string => `the token lacks a scope; this call needs ${takenScopes(failure) ?? 'another one'}`;

/** The table: the first row that fits says what the service meant. Only recorded texts (README: facts 1 to 3). */
const table: readonly Rule[] = [
  // A success that cannot be read proves nothing about a change.
  { status: [200, 299], when: isChange, fault: 'Unknown', hint: () => 'the change may have been made, but its answer cannot be read' },
  { status: [200, 299], fault: 'Malformed', hint: () => 'the answer is not the JSON that was expected; is a proxy in between?' },
  { status: [300, 399], fault: 'Unavailable', hint: () => 'redirects are refused; correct the URL of the endpoint (--endpoint)' },
  { status: 400, when: notJson, fault: 'Unavailable', hint: () => 'refused by a balancer before the API saw it' },
  { status: 401, when: notJson, fault: 'InDoubt', hint: () => 'not answered by the API itself' },
  { status: 401, when: lacksScope, fault: 'Forbidden', hint: scopeHint, lacks: takenScopes },
  {
    status: 401,
    fault: 'Unauthorized',
    hint: () => 'the token was refused: it is wrong, expired or revoked; put a valid one into its Secret',
  },
  { status: 403, when: notJson, fault: 'InDoubt', hint: () => 'not answered by the API itself' },
  { status: 403, fault: 'Forbidden', hint: () => "the token's user may not do this; grant it or use another user's token" },
  { status: 404, when: notJson, fault: 'InDoubt', hint: () => 'not answered by the API itself' },
  { status: 404, fault: 'NotFound' },
  { status: 408, fault: 'InDoubt' },
  {
    status: 429,
    when: (failure) => notJson(failure) && isChange(failure),
    fault: 'Unknown',
    hint: () => 'throttled by a balancer; the change may have been made',
  },
  { status: 429, fault: 'Throttled' },
  {
    status: 503,
    when: ({ headers }) => headers['x-maintenance-mode'] !== undefined,
    fault: 'Unavailable',
    hint: () => 'the API is in maintenance',
  },
  { status: [500, 599], fault: 'InDoubt' },
  // 400 in JSON: validation, conflict, busy and quota all look alike but for their text.
  // About what is within the one that is written, not about another one.
  { status: 400, text: /record conflict|names must be unique/i, fault: 'Rejected' },
  { status: [400, 499], text: /must be unique|already exists\b|is already (taken|in use)/i, fault: 'NotUnique' },
  { status: [400, 499], text: /\bbusy\b|is already attached|is restoring|restore pending backups/i, fault: 'Busy' },
  { status: [400, 499], text: /provisioning; please wait|until provisioning is complete|must be detached before/i, fault: 'Busy' },
  { status: [400, 499], text: /unable to (perform|preform) a lookup|must have a matching forward entry/i, fault: 'Busy' },
  { status: [400, 499], text: /please try again|please wait|is currently (being )?cloning/i, fault: 'Busy' },
  { status: [400, 499], text: /couldn't choose a configuration profile/i, fault: 'Busy' },
  { status: [400, 499], text: /verification is required|must be activated/i, fault: 'Forbidden' },
  {
    status: [400, 499],
    text: /account limit reached|quota|limit (has been )?(reached|exceeded)|technical justification|too many active|\bsubscription\b/i,
    fault: 'Quota',
  },
  { status: [400, 499], when: notJson, fault: 'InDoubt', hint: () => 'not answered by the API itself' },
  { status: [400, 499], fault: 'Rejected' },
];

const inRange = (status: number, rule: Rule['status']): boolean =>
  typeof rule === 'number' ? status === rule : status >= rule[0] && status <= rule[1];
const fits = (rule: Rule, failure: Failure): boolean =>
  inRange(failure.status, rule.status) &&
  (rule.when === undefined || rule.when(failure)) &&
  (rule.text === undefined || failure.reasons.some(({ reason }) => rule.text?.test(reason)));

const throttleFallback: Millis = 60_000;

/** What an answer that is no success means. */
export function faultOf(failure: Failure): CloudError {
  const rule = table.find((row) => fits(row, failure));
  const wanted = rule?.fault ?? 'InDoubt';
  const fault = wanted === 'InDoubt' ? (isChange(failure) ? 'Unknown' : 'Unavailable') : wanted;
  const retryAfter = retryAfterOf(failure.status, failure.headers) ?? (fault === 'Throttled' ? throttleFallback : undefined);
  return new CloudError(fault, messageOf(failure, rule), {
    status: failure.status,
    reasons: failure.reasons,
    byApi: failure.content === 'json' && failure.headers['x-maintenance-mode'] === undefined,
    lacks: lackedBy(failure, rule),
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

const lackedBy = (failure: Failure, rule: Rule | undefined): string | undefined => rule?.lacks?.(failure);

function messageOf(failure: Failure, rule: Rule | undefined): string {
  const said = failure.reasons.map(reasonText).join('; ');
  const seen =
    said === ''
      ? {
          json: 'no reason given',
          file: 'a file',
          empty: 'empty body',
          other: 'a body that is not JSON',
          broken: 'truncated or broken JSON',
        }[failure.content]
      : said;
  const hint = rule?.hint?.(failure);
  return `${failure.method} ${failure.path}: ${failure.status} ${seen}${hint === undefined ? '' : `; ${hint}`}`;
}

/** It repeats what people wrote. */
const reasonText = ({ reason, field }: ApiReason): string => `${quoted(reason)}${field === undefined ? '' : ` (${wordOrQuoted(field)})`}`;

/** Codes of failures that only come before a connection stands; EHOSTUNREACH and ENETUNREACH end a standing one too. */
const neverSent = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;

/** No answer, or not a whole one. `sent`: bytes may have left this process. */
export function lostFault(request: Pick<Failure, 'method' | 'path'>, sent: boolean, cause: unknown): CloudError {
  const code = codeOf(cause);
  const surelyNot = !sent || neverSent.test(code ?? '');
  const what = cause instanceof Error ? cause.message : String(cause);
  const where = `${request.method} ${request.path}`;
  if (surelyNot) return new CloudError('Unavailable', `${where}: not sent, ${what}`, { cause });
  if (request.method === 'GET') return new CloudError('Unavailable', `${where}: no answer, ${what}`, { cause });
  return new CloudError('Unknown', `${where}: sent, but no answer came, ${what}; the change may have been made`, { cause });
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'cause' in error ? codeOf(error.cause) : undefined;
}

/** The `errors` array of a failed answer (README: facts 1): `field` absent, null or a string. */
export function reasonsOf(value: unknown, show: (text: string) => string, field: (name: string) => string): readonly ApiReason[] {
  const items =
    typeof value === 'object' && value !== null && 'errors' in value && Array.isArray(value.errors) ? (value.errors as unknown[]) : [];
  return items.slice(0, 20).flatMap((item): ApiReason[] => {
    if (typeof item !== 'object' || item === null || !('reason' in item) || typeof item.reason !== 'string') return [];
    const at = 'field' in item && typeof item.field === 'string' && item.field !== '' ? { field: field(show(item.field)) } : {};
    return [{ reason: show(item.reason), ...at }];
  });
}
