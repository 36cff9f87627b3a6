import type { Reply } from '../../engine/ports/index.ts';
import { CloudError } from '../../engine/ports/index.ts';
import type { Millis } from '../../lib/clock.ts';
import type { Row } from '../../resource/index.ts';
import { get } from '../../resource/index.ts';
import type { Request } from './client.ts';

/** A whole collection as read page by page. */
export interface Whole {
  readonly rows: readonly Row[];
  /** No row can have been missed by moving from one page to another; only then absence means anything. */
  readonly complete: boolean;
  /** Requests that it took. */
  readonly calls: number;
  readonly requestedAt: Millis;
}

export type Ask = (request: Request) => Promise<Reply>;

interface Page {
  readonly data: readonly Row[];
  readonly pages: number;
  readonly results: number;
}

/** The largest page, and the one for collections that refuse it (README: facts 6). */
const [largePage, smallPage] = [500, 100];
const attempts = 3;

export interface Reading {
  readonly pageSize?: number;
  /** Told each time that it is read again. */
  readonly onAgain?: () => void;
}

/** Reads all pages, again when rows moved meanwhile; what every attempt saw is kept. */
export async function readWhole(ask: Ask, path: string, { pageSize = largePage, onAgain }: Reading = {}): Promise<Whole> {
  let rows = new Map<string, Row>();
  let [calls, requestedAt, complete] = [0, Infinity, false];
  for (let attempt = 0; attempt < attempts && !complete; attempt += 1) {
    if (attempt > 0) onAgain?.();
    const pages = await readPages(ask, path, pageSize);
    calls += pages.replies.length;
    requestedAt = pages.requestedAt;
    complete = pages.consistent;
    rows = new Map([...(complete ? [] : rows), ...pages.rows]);
  }
  return { rows: [...rows.values()], complete, calls, requestedAt };
}

/** As {@link readWhole}, with smaller pages where large ones are refused. */
export async function readWholeAnySize(ask: Ask, path: string, reading: Omit<Reading, 'pageSize'> = {}): Promise<Whole> {
  try {
    return await readWhole(ask, path, reading);
  } catch (error) {
    if (!(error instanceof CloudError) || !refusesSize(error)) throw error;
    return readWhole(ask, path, { ...reading, pageSize: smallPage });
  }
}

const refusesSize = ({ fault, reasons }: CloudError): boolean =>
  fault === 'Rejected' && reasons.some(({ reason, field }) => field === 'page_size' || /page.?size/i.test(reason));

interface Pages {
  readonly rows: readonly Keyed[];
  readonly replies: readonly Reply[];
  readonly requestedAt: Millis;
  readonly consistent: boolean;
}

async function readPages(ask: Ask, path: string, size: number): Promise<Pages> {
  const request = (page: number): Request => get(`${path}${path.includes('?') ? '&' : '?'}page=${page}&page_size=${size}`);
  const first = await ask(request(1));
  const head = pageOf(first, path);
  const rest = await Promise.all(Array.from({ length: Math.max(0, head.pages - 1) }, (_, index) => askOrNothing(ask, request(index + 2))));
  const replies = [first, ...rest.filter((reply) => reply !== undefined)];
  const pages = [head, ...rest.filter((reply) => reply !== undefined).map((reply) => pageOf(reply, path))];
  const rows = pages.flatMap(({ data }) => keyed(data));
  const distinct = new Set(rows.map(([key]) => key)).size;
  const steady = pages.every(({ results }) => results === head.results);
  const consistent = rest.every((reply) => reply !== undefined) && steady && distinct === rows.length && distinct === head.results;
  return { rows, replies, requestedAt: first.requestedAt, consistent };
}

/** A page that is gone meanwhile is 404 on some collections. */
async function askOrNothing(ask: Ask, request: Request): Promise<Reply | undefined> {
  try {
    return await ask(request);
  } catch (error) {
    if (error instanceof CloudError && error.fault === 'NotFound') return undefined;
    throw error;
  }
}

/** The envelope of a collection; a plain list without page numbers is one page. */
export function pageOf({ body }: Reply, path: string): Page {
  const { data, pages, results } = body as { data?: unknown; pages?: unknown; results?: unknown };
  if (!Array.isArray(data))
    throw new CloudError('Malformed', `GET ${path}: the answer is not a page of a collection (it has no list "data")`);
  const rows = (data as unknown[]).filter((row): row is Row => typeof row === 'object' && row !== null);
  return { data: rows, pages: typeof pages === 'number' ? pages : 1, results: typeof results === 'number' ? results : rows.length };
}

type Keyed = readonly [key: string, row: Row];

/** By id; what has none by its content, and by how many are alike before it on its page: one answer tells no row twice. */
function keyed(page: readonly Row[]): readonly Keyed[] {
  const alike = new Map<string, number>();
  return page.map((row) => {
    if (row['id'] !== undefined) return [`#${String(row['id'])}`, row];
    const content = JSON.stringify(row);
    const before = alike.get(content) ?? 0;
    alike.set(content, before + 1);
    return [`${content} ${before}`, row];
  });
}
