import { createHash } from 'node:crypto';
import { type Body, type BodyValue, FileContent, Sensitive } from '../../resource/index.ts';

/** A body as it goes over the wire. */
export interface Encoded {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/**
 * `multipart/form-data` (RFC 7578). Made at once and not by a stream, as the gate is asked right before the socket write; the
 * boundary is a digest of what it separates, so equal calls are equal bytes.
 */
export function multipart(body: Body): Encoded {
  const parts = Object.entries(body).map(([name, value]) => partOf(name, value));
  const boundary = parts.reduce((hash, { head, data }) => hash.update(head).update(data), createHash('sha256')).digest('hex');
  const bytes = parts.flatMap(({ head, data }) => [Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), data, Buffer.from('\r\n')]);
  return { type: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.concat([...bytes, Buffer.from(`--${boundary}--\r\n`)]) };
}

interface Part {
  readonly head: string;
  readonly data: Uint8Array;
}

function partOf(name: string, value: BodyValue): Part {
  const disposition = `content-disposition: form-data; name="${quoted(name)}"`;
  if (!isFile(value)) return { head: disposition, data: bytesOf(value) };
  const file = `${disposition}; filename="${quoted(String(value['fileName']))}"`;
  return { head: `${file}\r\ncontent-type: application/octet-stream`, data: bytesOf(value['data']) };
}

const isFile = (value: BodyValue): value is { readonly [key: string]: BodyValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isContent(value) && 'fileName' in value;

const isContent = (value: BodyValue): value is Sensitive | FileContent => value instanceof Sensitive || value instanceof FileContent;

export const bytesOf = (value: BodyValue): Uint8Array =>
  isContent(value) ? value.bytes() : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value ?? null));

/** As browsers do it. */
const quoted = (text: string): string => text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
