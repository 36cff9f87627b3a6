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
  /** Rate class of the route where it has its own window; absent: `list` for paged reads, else `general`. */
  readonly rate?: RateClass;
  /** The sibling of `/v4` on which the operation is published. */
  readonly segment?: 'v4beta';
}

/** Windows that the service keeps apart (realities 3); sizes are learned from its headers, never written here. */
export type RateClass =
  | 'general'
  | 'list'
  | 'instance-create'
  | 'volume-create'
  | 'image-list'
  | 'script-list'
  | 'object-write'
  | 'object-storage';

/** JSON whose leaves may be secret. */
export type Body = { readonly [key: string]: BodyValue };
export type BodyValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | Sensitive
  | readonly BodyValue[]
  | { readonly [key: string]: BodyValue };

/** A secret in memory. Every way of printing it gives the same mask; `reveal` belongs to the adapters alone. */
export class Sensitive {
  readonly #value: string;
  constructor(value: string) {
    this.#value = value;
  }
  reveal(): string {
    return this.#value;
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

/** Encodes ids into one path; slashes inside an id (`private/12`) become `%2F`, so an id can never climb (`../`). */
export const path = (strings: TemplateStringsArray, ...ids: readonly (string | number)[]): string =>
  strings.reduce((text, part, index) => `${text}${encodeURIComponent(String(ids[index - 1]))}${part}`);

export const get = (at: string, rate?: RateClass): Call => ({ method: 'GET', path: at, ...(rate && { rate }) });
export const post = (at: string, body?: Body, rate?: RateClass): Call => ({
  method: 'POST',
  path: at,
  ...(body && { body }),
  ...(rate && { rate }),
});
export const put = (at: string, body: Body): Call => ({ method: 'PUT', path: at, body });
export const del = (at: string): Call => ({ method: 'DELETE', path: at });
