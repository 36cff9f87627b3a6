import { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import type { TransferEnd, TransferJob } from '../../engine/ports/index.ts';
import { retryAfterOf } from '../http/answer.ts';
import { ClosedAddress } from './source-agent.ts';

export interface Streaming {
  /** Sockets to what tenants name, and to the account's service. */
  readonly source: Dispatcher;
  readonly target: Dispatcher;
  readonly signal: AbortSignal;
  /** Why nothing more may be sent, asked before each piece. */
  readonly gate: () => string | undefined;
  readonly moved: (sent: number, of: number) => void;
}

/** An end that is known where it happened; what undici makes of it does not count. */
class Ended extends Error {
  override readonly name = 'Ended';
  readonly end: TransferEnd;
  constructor(end: TransferEnd) {
    super(end.is);
    this.end = end;
  }
}
const refused = (message: string): Ended => new Ended({ is: 'refused', message });
const cut = (message: string): Ended => new Ended({ is: 'cut', message });

/** Reads from one address and writes to the other, piece by piece: the next is read once the one before is on its way. */
export async function stream(job: TransferJob, how: Streaming): Promise<TransferEnd> {
  const source: { ended?: Ended } = {};
  try {
    const { length, body } = await opened(job, how);
    const pieces = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const first = await begin(job, pieces);
    return await sent(job, how, { length, pieces: checked(first, pieces, { length, how, source }) });
  } catch (error) {
    if (error instanceof Ended) return error.end;
    return source.ended?.end ?? { is: 'cut', message: `the connection to the service broke (${codeOf(error)})` };
  }
}

/** Codes only: a message may name an address, and with it a secret. */
const codeOf = (error: unknown): string => {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && /^[A-Z_0-9]+$/.test(code) ? code : 'no code';
};

interface Opened {
  readonly length: number;
  readonly body: Dispatcher.ResponseData['body'];
}

async function opened({ from, maxBytes }: TransferJob, { source, signal }: Streaming): Promise<Opened> {
  const headers = { 'accept-encoding': 'identity', accept: '*/*' };
  const answer = await request(from.reveal(), {
    method: 'GET',
    headers,
    dispatcher: source,
    signal,
    headersTimeout: 60_000,
    bodyTimeout: 120_000,
  }).catch((error: unknown) => {
    throw notReached(error);
  });
  const { statusCode: status, body } = answer;
  const length = Number(answer.headers['content-length'] ?? Number.NaN);
  const wrong = unusable(status, length, maxBytes);
  if (wrong === undefined) return { length, body };
  body.on('error', () => undefined).destroy();
  throw wrong;
}

function notReached(error: unknown): Ended {
  if (error instanceof ClosedAddress) return refused(`the source is not read: ${error.message}`);
  return cut(`the source cannot be reached (${codeOf(error)})`);
}

function unusable(status: number, length: number, maxBytes: number): Ended | undefined {
  if (status >= 300 && status < 400) return refused('the source answers with a redirect, which is not followed: name the address itself');
  if (status === 408 || status === 429 || status >= 500) return cut(`the source answers ${status}`);
  if (status !== 200) return refused(`the source answers ${status}: see whether the address is right and still works`);
  if (!Number.isSafeInteger(length))
    return refused('the source does not tell how long it is (Content-Length), and the service takes nothing of unknown length');
  return length <= maxBytes ? undefined : refused(`the source is ${length} bytes long, and the service takes ${maxBytes} at most`);
}

/** The first piece, which shows what it is: nothing is sent before. */
async function begin({ format: { name, begins } }: TransferJob, pieces: AsyncIterator<Buffer>): Promise<Buffer> {
  let first = Buffer.alloc(0);
  while (first.length < begins.length) {
    const next = await pieces.next().catch((error: unknown) => {
      throw cut(`the source broke off (${codeOf(error)})`);
    });
    if (next.done === true) break;
    first = Buffer.concat([first, next.value]);
  }
  if (begins.every((byte, at) => first[at] === byte)) return first;
  await pieces.return?.();
  throw refused(`the source is not compressed with ${name}: it begins otherwise`);
}

interface Checking {
  readonly length: number;
  readonly how: Streaming;
  readonly source: { ended?: Ended };
}

/** All pieces, each of them only when it is asked for. */
async function* checked(first: Buffer, rest: AsyncIterator<Buffer>, { length, how, source }: Checking): AsyncGenerator<Buffer> {
  let count = 0;
  try {
    for (let piece: Buffer | undefined = first; piece !== undefined; piece = await nextOf(rest)) {
      const why = how.gate();
      if (why !== undefined) throw new Ended({ is: 'stopped', message: why });
      count += piece.length;
      if (count > length) throw cut('the source is longer than it said');
      yield piece;
      how.moved(count, length);
    }
    if (count < length) throw cut(`the source broke off after ${count} of ${length} bytes`);
  } catch (error) {
    if (error instanceof Ended) source.ended = error;
    throw error;
  } finally {
    await rest.return?.()?.catch(() => undefined);
  }
}

async function nextOf(pieces: AsyncIterator<Buffer>): Promise<Buffer | undefined> {
  const next = await pieces.next().catch((error: unknown) => {
    throw cut(`the source broke off (${codeOf(error)})`);
  });
  return next.done === true ? undefined : next.value;
}

/** The service may take its time between the last byte and its answer. */
async function sent(
  job: TransferJob,
  { target, signal }: Streaming,
  { length, pieces }: { readonly length: number; readonly pieces: AsyncGenerator<Buffer> },
): Promise<TransferEnd> {
  const headers = { 'content-type': job.contentType, 'content-length': String(length) };
  job.sending();
  const body = Readable.from(pieces, { objectMode: false }).on('error', () => undefined);
  const answer = await request(job.to.reveal(), {
    method: 'PUT',
    headers,
    body,
    dispatcher: target,
    signal,
    headersTimeout: 0,
    bodyTimeout: 120_000,
  });
  await answer.body.dump({ limit: 64 * 1024 }).catch(() => undefined);
  return verdictOf(answer.statusCode, answer.headers['retry-after']);
}

function verdictOf(status: number, wait: string | string[] | undefined): TransferEnd {
  if (status >= 200 && status < 300) return { is: 'done' };
  const retryAfter = typeof wait === 'string' ? retryAfterOf(status, { 'retry-after': wait }) : undefined;
  if (status === 408 || status === 429 || status >= 500)
    return { is: 'cut', message: `the service answers ${status}`, ...(retryAfter !== undefined && { retryAfter }) };
  return status === 413 || status === 400 ? { is: 'refused', message: `the service refuses the data (${status})` } : { is: 'closed' };
}
