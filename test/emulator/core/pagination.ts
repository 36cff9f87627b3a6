import type { Page } from '../contract/context.ts';
import type { ErrorItem } from '../contract/refusal.ts';
import { Refusal, notFound } from '../contract/refusal.ts';

interface PageRequest {
  readonly page: number;
  readonly size: number;
}

/** Bounds of document 1 (25..500, default 100; page from 1). The texts are assumed. */
export function pageRequest(query: URLSearchParams): PageRequest {
  const items: ErrorItem[] = [];
  const read = (name: string, fallback: number, [low, high]: readonly [number, number], reason: string): number => {
    const given = query.get(name);
    if (given === null) return fallback;
    const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
    if (!(value >= low && value <= high)) items.push({ reason, field: name });
    return value;
  };
  const page = read('page', 1, [1, Infinity], 'Must be 1 or greater');
  const size = read('page_size', 100, [25, 500], 'Must be 25-500');
  if (items.length > 0) throw new Refusal(400, items);
  return { page, size };
}

interface PageRules {
  readonly emptyPages: 0 | 1;
  readonly pastEnd: 'empty' | 'refused';
}

export function cutPage<T>(rows: readonly T[], request: PageRequest, rules: PageRules, view: (row: T) => unknown): Page {
  const pages = rows.length === 0 ? rules.emptyPages : Math.ceil(rows.length / request.size);
  const last = Math.max(pages, 1);
  const page = request.page > 2 ** 64 / request.size ? last : request.page;
  if (page > last && rules.pastEnd === 'refused') throw notFound();
  const start = (page - 1) * request.size;
  return { data: rows.slice(start, start + request.size).map(view), page, pages, results: rows.length };
}
