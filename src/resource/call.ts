import { createHash } from 'node:crypto';

/** Any value that JSON can carry. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * A request as data, in neutral words: `path` below the versioned base, already encoded. A body may hold
 * {@link Sensitive} values; only the adapter reveals them, at the socket.
 */
export interface Call {
  readonly method: Method;
  readonly path: string;
  readonly body?: Body;
  /** The sibling of `/v4` on which the operation is published. */
  readonly segment?: 'v4beta';
  /**
   * How the body is sent; absent: as JSON. Each field of a `multipart` one is a {@link FilePart} or a text; of a file the field
   * `file` is sent, and nothing else.
   */
  readonly content?: 'multipart' | FileType;
  /** A read answers a file of this type, and not JSON: what is told of it is `{digest}`. */
  readonly answers?: FileType;
}

/** Types of files that are sent, or read, for themselves. */
export type FileType = 'image/png';

/** A file in a `multipart` body. */
export interface FilePart {
  readonly fileName: string;
  readonly data: BodyValue;
}

/** Windows that the service keeps apart; sizes are learned from its headers, never written here. */
export type RateClass =
  | 'general'
  | 'list'
  | 'instance-create'
  | 'volume-create'
  | 'image-list'
  | 'script-list'
  | 'object-write'
  | 'object-storage'
  | 'ticket';

/** JSON whose leaves may be secret. */
export type Body = { readonly [key: string]: BodyValue };
export type BodyValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | Sensitive
  | FileContent
  | readonly BodyValue[]
  | { readonly [key: string]: BodyValue };

/** Bytes of memory that a text takes, at most: one character beyond Latin-1 makes two of each. */
export const textSize = (text: string): number => text.length * 2;

/** A secret in memory. Every way of printing it gives the same mask; `reveal` and `bytes` belong to the adapters alone. */
export class Sensitive {
  readonly #value: string | Uint8Array;
  /** Bytes where it may be a file: as text what is no UTF-8 would be another. */
  constructor(value: string | Uint8Array) {
    this.#value = value;
  }
  reveal(): string {
    return typeof this.#value === 'string' ? this.#value : Buffer.from(this.#value).toString('utf8');
  }
  bytes(): Uint8Array {
    return typeof this.#value === 'string' ? Buffer.from(this.#value, 'utf8') : this.#value;
  }
  /** Bytes of memory that it takes, at most. */
  get size(): number {
    return typeof this.#value === 'string' ? textSize(this.#value) : this.#value.length;
  }
  toJSON(): string {
    return '[redacted]';
  }
  toString(): string {
    return '[redacted]';
  }
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[redacted]';
  }
}

/** A file in memory that everybody may see. It is compared, remembered and printed as its digest; adapters alone send its bytes. */
export class FileContent {
  readonly digest: string;
  readonly #bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.digest = fileDigest(bytes);
  }
  bytes(): Uint8Array {
    return this.#bytes;
  }
  get size(): number {
    return this.#bytes.length;
  }
  toJSON(): string {
    return this.digest;
  }
  toString(): string {
    return this.digest;
  }
}
export const fileDigest = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** One id as a segment of a path: a slash inside it (`private/12`) becomes `%2F`. What would climb out of its place is no id. */
export function segment(id: string | number | undefined): string {
  const text = String(id ?? '');
  if (text.split('/').some((piece) => ['', '.', '..'].includes(piece)))
    throw new Error(`${JSON.stringify(text)} is no id: a path with it would lead elsewhere`);
  return encodeURIComponent(text);
}

/** Encodes ids into one path; an id can never climb (`../`). */
export const path = (strings: TemplateStringsArray, ...ids: readonly (string | number)[]): string =>
  strings.reduce((text, part, index) => `${text}${segment(ids[index - 1])}${part}`);

export const get = (at: string): Call => ({ method: 'GET', path: at });
export const post = (at: string, body?: Body): Call => ({ method: 'POST', path: at, ...(body && { body }) });
/** One file, in a form as browsers send it. */
export const upload = (at: string, field: string, file: FilePart): Call => ({
  ...post(at, { [field]: { ...file } }),
  content: 'multipart',
});
export const put = (at: string, body: Body): Call => ({ method: 'PUT', path: at, body });
/** One file as it is. */
export const putFile = (at: string, content: FileType, file: FileContent): Call => ({ ...put(at, { file }), content });
export const del = (at: string): Call => ({ method: 'DELETE', path: at });
