import type { Dispatcher } from 'undici';

/** undici takes headers as an object, a flat list or pairs; servers want one lower-case record. */
export function flattenHeaders(headers: Dispatcher.DispatchOptions['headers']): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of headerPairs(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : String(value);
  }
  return flat;
}

type HeaderPair = [string, number | string | readonly string[] | undefined];

function headerPairs(headers: Dispatcher.DispatchOptions['headers']): HeaderPair[] {
  if (!headers) return [];
  if (Array.isArray(headers) && headers.every((part) => typeof part === 'string')) {
    return headers.flatMap((name, at): HeaderPair[] => (at % 2 === 0 ? [[name, headers[at + 1]]] : []));
  }
  if (Symbol.iterator in headers) return [...(headers as Iterable<HeaderPair>)];
  return Object.entries(headers);
}

export function pathWithQuery(path: string, query: Dispatcher.DispatchOptions['query']): string {
  if (!query) return path;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query as Record<string, unknown>)) {
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) search.append(name, String(one));
  }
  return `${path}${path.includes('?') ? '&' : '?'}${search.toString()}`;
}

/** Collects a request body whatever form it has; a stream is read to its end. */
export async function readBody(body: Dispatcher.DispatchOptions['body']): Promise<Buffer> {
  if (body === null || body === undefined) return Buffer.alloc(0);
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body as string);
  if (!(Symbol.asyncIterator in body))
    throw new TypeError('the in-process dispatcher takes request bodies as string, Buffer or stream only');
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<string | Buffer>) chunks.push(Buffer.from(chunk as string));
  return Buffer.concat(chunks);
}
