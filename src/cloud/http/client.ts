import type { Dispatcher } from 'undici';
import type { Reply } from '../../engine/ports/index.ts';
import { CloudError } from '../../engine/ports/index.ts';
import type { Clock, Millis } from '../../lib/clock.ts';
import type { Body, Call, Method, Sensitive } from '../../resource/index.ts';
import type { Content, RawAnswer } from './answer.ts';
import { contentOf, dateOf } from './answer.ts';
import { createDialect, type Dialect } from './dialect.ts';
import { faultOf, lostFault, reasonsOf } from './errors.ts';
import type { Limits } from './exchange.ts';
import { defaultLimits, exchange, Lost } from './exchange.ts';
import { bytesOf, multipart } from './multipart.ts';
import { type Patience, patiently } from './patience.ts';
import { pathTemplate } from './path-template.ts';
import { revealBody, safeText } from './request-body.ts';

/** A {@link Call} with what only this adapter uses. */
export interface Request extends Call {
  /** `X-Filter`, in neutral words. */
  readonly filter?: Body;
  /** Nothing of it is translated, nor of its answer. */
  readonly verbatim?: true;
}

/** What the outside may know of one request. `status` is 0 when no answer came. */
export interface CallObserved {
  readonly method: Method;
  readonly template: string;
  readonly status: number;
  readonly seconds: number;
}

/** Every answer's head, good or bad, before anybody reads its body. */
export interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: boolean;
  readonly requestedAt: Millis;
  readonly answeredAt: Millis;
  /** Wall clock of the service, or ours without its `Date`. */
  readonly apiTime: Millis;
  readonly dated: boolean;
}

/** What a request calls itself; `caller` is the kind that asks, absent for the connection's own. */
export type UserAgent = (caller?: string) => string;
export const userAgentOf =
  (product: string): UserAgent =>
  (caller = 'connection') =>
    `${product} (${caller})`;

export interface ClientOptions {
  /** Ends in `/v4`. */
  readonly url: string;
  readonly dialect: Dialect;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly limits?: Limits;
  readonly userAgent: UserAgent;
  readonly onCall?: ((call: CallObserved) => void) | undefined;
  /** Absent: each request is sent once. */
  readonly patience?: Patience | undefined;
}

export interface Sending {
  readonly token: Sensitive;
  readonly signal: AbortSignal;
  readonly gate?: (() => string | undefined) | undefined;
  /** Kind that asks. */
  readonly caller?: string | undefined;
  /** Called once when an answer's head is known, also before a rejection. */
  readonly onHead?: ((head: Head) => void) | undefined;
}

const untranslated = createDialect('vm');
/** A header holds ASCII; JSON can say all else in it. */
const inAscii = (json: string): string => json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const usableToken = /^[\u0021-\u007e]+$/;

/** One request, one answer or a {@link CloudError}: no retries but for {@link Patience}, no redirects, no budget. */
export class Client {
  readonly #options: ClientOptions;
  readonly #origin: string;
  readonly #base: string;

  constructor(options: ClientOptions) {
    const url = new URL(options.url);
    this.#options = options;
    this.#origin = url.origin;
    this.#base = url.pathname.replace(/\/+$/, '');
  }

  get dialect(): Dialect {
    return this.#options.dialect;
  }

  async send(request: Request, sending: Sending): Promise<Reply> {
    const dialect = this.#dialectOf(request);
    const token = sending.token.reveal();
    if (!usableToken.test(token))
      throw new CloudError('Unauthorized', 'the token is empty or holds characters that no token has; correct it in its Secret');
    const { json, secrets } = revealBody(request.body);
    const raw = await this.#answer(request, sending.signal, () =>
      this.#exchange(request, json, { ...sending, authorization: `Bearer ${token}` }),
    );
    const content = contentOf(raw, isSuccess(raw.status) ? request.answers : undefined);
    const head = this.#head(raw, content);
    sending.onHead?.(head);
    const value = success(raw.status, content);
    if (value !== undefined)
      return {
        body: content.is === 'file' ? value : dialect.answer(value),
        apiTime: head.apiTime,
        requestedAt: raw.requestedAt,
        answeredAt: raw.answeredAt,
      };
    const show = (text: string): string => safeText(text, [...secrets, token]);
    const reasons = reasonsOf(content.is === 'json' ? content.value : undefined, show, (name) => dialect.field(name));
    const needed = raw.headers['x-accepted-oauth-scopes'];
    const headers = { ...raw.headers, ...(needed !== undefined && { 'x-accepted-oauth-scopes': dialect.scopes(needed).join(' and ') }) };
    throw faultOf({
      method: request.method,
      path: safeText(request.path, secrets),
      status: raw.status,
      headers,
      content: content.is,
      reasons,
    });
  }

  #answer(call: Request, signal: AbortSignal, once: () => Promise<RawAnswer>): Promise<RawAnswer> {
    const { patience, clock } = this.#options;
    return patience === undefined ? once() : patiently(once, { call, patience, clock, signal });
  }

  async #exchange(
    request: Request,
    json: unknown,
    { signal, gate, caller, authorization }: Sending & { authorization: string },
  ): Promise<RawAnswer> {
    const { dispatcher, clock, userAgent, limits = defaultLimits } = this.#options;
    const dialect = this.#dialectOf(request);
    const begun = clock.monotonic();
    const body = encoded(request, json, dialect);
    const options = {
      origin: this.#origin,
      path: this.#path(request),
      method: request.method,
      headersTimeout: 0,
      bodyTimeout: 0,
      headers: {
        authorization,
        accept: request.answers === undefined ? 'application/json' : `${request.answers}, application/json`,
        'user-agent': userAgent(caller),
        ...(request.filter !== undefined && { 'x-filter': inAscii(JSON.stringify(dialect.request(request.filter))) }),
        ...(body !== undefined && { 'content-type': body.type }),
      },
      ...(body !== undefined && { body: body.bytes }),
    };
    try {
      const answer = await exchange(options, { dispatcher, clock, limits, signal, gate });
      this.#observe(request, answer.status, begun);
      return answer;
    } catch (error) {
      if (!(error instanceof Lost) || error.why !== 'gate') this.#observe(request, 0, begun);
      throw lostToFault(request, error);
    }
  }

  #path(request: Request): string {
    const base = request.segment === 'v4beta' ? this.#base.replace(/\/v4$/, '/v4beta') : this.#base;
    return base + this.#dialectOf(request).path(request.path);
  }

  #dialectOf({ verbatim }: Request): Dialect {
    return verbatim === true ? untranslated : this.#options.dialect;
  }

  #head({ status, headers, requestedAt, answeredAt }: RawAnswer, content: Content): Head {
    const date = dateOf(headers);
    const apiTime = date ?? this.#options.clock.now();
    return {
      status,
      headers,
      json: content.is === 'json' || content.is === 'file',
      requestedAt,
      answeredAt,
      apiTime,
      dated: date !== undefined,
    };
  }

  #observe({ method, path }: Request, status: number, begun: Millis): void {
    this.#options.onCall?.({ method, template: pathTemplate(path), status, seconds: (this.#options.clock.monotonic() - begun) / 1000 });
  }
}

/** Files are not in anybody's words; all else is. */
function encoded({ content, body }: Request, json: unknown, dialect: Dialect): { type: string; bytes: string | Uint8Array } | undefined {
  if (content === 'multipart') return multipart(body ?? {});
  if (content !== undefined) return { type: content, bytes: bytesOf(body?.['file']) };
  return json === undefined ? undefined : { type: 'application/json', bytes: JSON.stringify(dialect.request(json)) };
}

const isSuccess = (status: number): boolean => status >= 200 && status <= 299;

/** The value of a success; undefined when the answer is none. 204 has no body. */
function success(status: number, content: Content): object | undefined {
  if (!isSuccess(status)) return undefined;
  if (content.is === 'file') return content.value;
  if (content.is === 'json' && typeof content.value === 'object' && content.value !== null) return content.value;
  return status === 204 && content.is === 'empty' ? {} : undefined;
}

function lostToFault(request: Request, error: unknown): CloudError {
  if (!(error instanceof Lost)) return lostFault(request, true, error);
  const stopped = error.why === 'gate' || (error.why === 'aborted' && (!error.sent || request.method === 'GET'));
  if (stopped) return new CloudError('Abandoned', `${request.method} ${request.path}: ${error.message}`);
  if (error.why === 'too-large' && request.method === 'GET') return new CloudError('Malformed', `GET ${request.path}: ${error.message}`);
  return lostFault(request, error.sent, error);
}
