type Json = unknown;

/**
 * The provider's word at the edge: inside all names say `vm`. Exchanging is symmetrical (`vm` <-> word), so that requests
 * in the wrong word find nothing, as they would at the service. Only what is listed here is touched: never texts, labels,
 * nor the keys and values that users choose.
 */
export interface Dialect {
  /** A path without version segment; parameters stay, but for ids that begin with the word. */
  path(path: string): string;
  /** `vms:read_write`; several separated by space or comma. */
  scopes(text: string): string;
  body<T extends Json>(value: T): T;
  /** The X-Filter header; unreadable text stays. */
  filter(text: string): string;
}

const neutral: Dialect = { path: (path) => path, scopes: (text) => text, body: (value) => value, filter: (text) => text };

/** Their keys and values are the user's. */
const opaque = new Set(['stackscript_data', 'metadata', 'preferences']);
const idFields = new Set(['id', 'image', 'kernel', 'images']);
const tokenFields = new Set(['action', 'billing_source', 'created_by']);
/** Host names: of buckets and their clusters, of databases, and of addresses. */
const hostFields = new Set(['hostname', 'domain', 'primary', 'secondary', 'peers', 'rdns']);
const ownHosts = /(?<=\.)[a-z0-9]+(?=(?:objects\.com|usercontent\.com|db\.net)$)/;
/** Generic texts that begin or end with the name of a field. */
const namedInReason = /^[\w.]+(?= is (?:required|not valid))|(?<=^Cannot filter on )[\w.]+$/;
const entityTypes = /^(.+?)(?:_config)?$/;

class Exchange implements Dialect {
  readonly #word: string;
  readonly #names = new Map<string, string>();

  constructor(word: string) {
    this.#word = word;
  }

  path(path: string): string {
    const [, first = '', second, third] = path.split('/');
    return path
      .split('/')
      .map((segment, at) => {
        if (at === 1) return this.#token(segment);
        if (at === 2 && first === 'managed') return this.#name(segment);
        if (at === 2 && first === 'images' && second !== undefined) return this.#id(segment);
        return at === 3 && second === 'kernels' && third !== undefined ? this.#id(segment) : segment;
      })
      .join('/');
  }

  scopes(text: string): string {
    return text.replaceAll(/[a-z_]+(?=:)/g, (area) => this.#name(area));
  }

  body<T extends Json>(value: T): T {
    return this.#value('', value) as T;
  }

  filter(text: string): string {
    try {
      return JSON.stringify(this.#filterValue('', JSON.parse(text)));
    } catch {
      return text;
    }
  }

  #value(field: string, value: Json): Json {
    if (typeof value === 'string') return this.#text(field, value);
    if (Array.isArray(value))
      return field === 'errors' ? value.map((item) => this.#error(item)) : value.map((item) => this.#value(field, item));
    if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
    const renamed: Record<string, Json> = {};
    for (const [key, inner] of Object.entries(value)) renamed[this.#name(key)] = opaque.has(key) ? inner : this.#value(key, inner);
    return renamed;
  }

  #error(item: Json): Json {
    const { field, reason = '' } = item as { readonly field?: string; readonly reason?: string };
    if (field === undefined) return item;
    return { reason: reason.replace(namedInReason, (name) => this.#dotted(name)), field: this.#dotted(field) };
  }

  #text(field: string, text: string): string {
    if (idFields.has(field)) return this.#id(text);
    if (tokenFields.has(field)) return this.#name(text);
    if (field === 'type') return this.#entityType(text);
    if (hostFields.has(field)) return text.replace(ownHosts, (word) => this.#token(word));
    if (field === 'filesystem_path') return this.#devicePath(text);
    if (field === 'url')
      return text.replace(/^\/v4(beta)?(\/.*)$/, (_whole, beta: string | undefined, path: string) => `/v4${beta ?? ''}${this.path(path)}`);
    return field === 'scopes' ? this.scopes(text) : text;
  }

  #filterValue(field: string, value: Json): Json {
    if (Array.isArray(value)) return value.map((item) => this.#filterValue(field, item));
    if (typeof value === 'string') return field === '+order_by' ? this.#dotted(value) : this.#text(field.split('.').at(-1) ?? field, value);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const operator = key.startsWith('+') && key !== '+order_by';
        return [this.#dotted(key), this.#filterValue(operator ? field : key, inner)];
      }),
    );
  }

  #entityType(text: string): string {
    const [, head = ''] = entityTypes.exec(text) ?? [];
    return head === this.#word || head === 'vm' ? this.#name(text) : text;
  }

  /** `/dev/disk/by-id/scsi-0Vm_Volume_<label>` */
  #devicePath(path: string): string {
    return path.replace(/(?<=^\/dev\/disk\/by-id\/scsi-0)[A-Za-z0-9]+(?=_Volume_)/, (word) => {
      const token = this.#token(word.toLowerCase());
      return token.charAt(0).toUpperCase() + token.slice(1);
    });
  }

  #dotted(path: string): string {
    return path
      .split('.')
      .map((part) => this.#name(part))
      .join('.');
  }

  #id(id: string): string {
    const found = /^([^/%]+)(\/|%2F|$)/i.exec(id);
    const head = found?.[1] ?? '';
    return id.includes('/') || id.includes('%') || head === this.#word || head === 'vm' ? this.#token(head) + id.slice(head.length) : id;
  }

  #name(name: string): string {
    let mapped = this.#names.get(name);
    if (mapped === undefined) {
      mapped = name.replaceAll(/[^_\-[\]]+/g, (token) => this.#token(token));
      if (this.#names.size < 10_000) this.#names.set(name, mapped);
    }
    return mapped;
  }

  #token(token: string): string {
    const word = this.#word;
    switch (token) {
      case 'vm':
        return word;
      case 'vms':
        return `${word}s`;
      case word:
        return 'vm';
      case `${word}s`:
        return 'vms';
      default:
        return token;
    }
  }
}

export function createDialect(word: string): Dialect {
  return word === 'vm' ? neutral : new Exchange(word);
}
