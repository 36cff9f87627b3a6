import { objectId } from '../../engine/model/object-id.ts';
import { type Key, KubeError, type Resource } from '../../engine/ports/kubernetes.ts';
import { group, plural } from '../../generate/names.ts';
import type { Millis } from '../../lib/clock.ts';
import type { AnyKind } from '../../resource/index.ts';
import { nearest } from '../cluster/nearest.ts';
import { CliError } from '../exit.ts';
import { registry } from '../command-line/kinds.ts';
import type { Reader } from '../cluster/reader.ts';
import { kubePath } from '../../kube/http/client.ts';
import { keysIn, writingOf } from '../why/causes/data/data-keys.ts';
import type { DataNow } from '../why/causes/data/missing-data.ts';

/** What is known of an object that another one names. `unseen`: the caller may not read it. */
export type Found = Resource | 'missing' | 'unseen';

/** More objects of a kind than these are listed. */
const mostNamed = 4;
/** For so many names that are not there others are looked for that are nearly so: each is held against all of its namespace. */
const mostNear = 100;

const isForbidden = (error: unknown): boolean => error instanceof CliError && error.isForbidden;
const leftOut = (kind: string, namespace: string | undefined): string =>
  `${kind} is left out, because you may not list ${plural(kind)}.${group} in ${namespace === undefined ? 'all namespaces' : `namespace ${namespace}`}`;

/** Kinds of which all is known that there is, in one namespace or, where that is undefined, in all. */
export interface Whole {
  readonly kinds: ReadonlySet<string>;
  readonly namespace: string | undefined;
}

/** Objects that were read, each once. */
export class Landscape {
  readonly #reader: Reader;
  readonly #whole: Whole;
  readonly #known = new Map<string, Found>();
  readonly #lists = new Map<string, Promise<readonly Resource[]>>();
  readonly #near = new Map<string, Promise<string | undefined>>();
  readonly #notes = new Map<string, Promise<void>>();
  readonly #data = new Map<string, Promise<DataNow>>();
  /** How many were asked for by name, of each kind in each namespace. */
  readonly #asked = new Map<string, number>();

  /** What is not among what was listed whole is not asked for: objects may name thousands that are not there. */
  constructor(reader: Reader, known: readonly Resource[] = [], whole: Whole = { kinds: new Set(), namespace: undefined }) {
    this.#reader = reader;
    this.#whole = whole;
    for (const object of known) this.#known.set(objectId(object.kind, object.metadata), object);
  }

  /** All kinds of one namespace, or of all. */
  static async of(reader: Reader, namespace: string | undefined): Promise<Landscape> {
    const lists = await Promise.all(registry.kinds.map((kind) => reader.list(kind, namespace)));
    return new Landscape(reader, lists.flat(), { kinds: new Set(registry.kinds.map(({ kind }) => kind)), namespace });
  }

  /** Of those kinds that the caller may list; `warn` is told of the others. Where these are all, that is the answer. */
  static async ofReadable(
    reader: Reader,
    namespace: string | undefined,
    warn: (message: string) => void,
  ): Promise<{ readonly landscape: Landscape; readonly kinds: readonly string[] }> {
    const lists = await Promise.allSettled(registry.kinds.map((kind) => reader.list(kind, namespace)));
    const refused = lists.flatMap((one, at) =>
      one.status === 'rejected' ? [{ kind: registry.kinds[at], why: one.reason as unknown }] : [],
    );
    const fatal = refused.find(({ why }) => refused.length === lists.length || !isForbidden(why));
    if (fatal !== undefined) throw fatal.why;
    const out = new Set(refused.map(({ kind }) => kind?.kind));
    for (const kind of out) warn(leftOut(String(kind), namespace));
    const found = lists.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    const kinds = registry.kinds.map(({ kind }) => kind).filter((kind) => !out.has(kind));
    return { landscape: new Landscape(reader, found, { kinds: new Set(kinds), namespace }), kinds };
  }

  get now(): Millis {
    return this.#reader.clock.now();
  }

  get all(): readonly Resource[] {
    return [...this.#known.values()].filter((found) => typeof found !== 'string');
  }

  async find(kind: string, key: Key): Promise<Found> {
    const id = objectId(kind, key);
    const known = this.#known.get(id) ?? (this.#isWhole(kind, key) ? 'missing' : await this.#ask(kind, key));
    this.#known.set(id, known);
    return known;
  }

  #isWhole(kind: string, key: Key): boolean {
    const { kinds, namespace } = this.#whole;
    return kinds.has(kind) && (namespace === undefined || namespace === key.namespace);
  }

  /** Whether it is there, and with which keys: of its metadata alone, as no value is needed for that. */
  dataNow({ kind, namespace, name }: Key & { readonly kind: 'Secret' | 'ConfigMap' }): Promise<DataNow> {
    const path = kubePath('api', 'v1', 'namespaces', namespace, `${kind.toLowerCase()}s`, name);
    const read = this.#data.get(path) ?? this.#dataAt(path);
    this.#data.set(path, read);
    return read;
  }

  async #dataAt(path: string): Promise<DataNow> {
    const { client, signal, timeout } = this.#reader;
    try {
      const answer = await client.request({ path, metadataOnly: true, signal, timeout });
      const keys = keysIn(answer);
      return { is: 'there', ...(keys !== undefined && { keys }), written: writingOf(answer) };
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      if (error.fault === 'NotFound') return { is: 'missing' };
      if (error.fault === 'Forbidden') return { is: 'unseen' };
      throw error;
    }
  }

  /** `; did you mean cvol/data?` of what is missing; every namespace is listed once for each kind. */
  near(kind: string, key: Key): Promise<string | undefined> {
    const id = objectId(kind, key);
    const none = this.#near.size < mostNear ? undefined : Promise.resolve(undefined);
    const near = this.#near.get(id) ?? none ?? nearest(this, registry.kind(kind), key);
    if (none === undefined) this.#near.set(id, near);
    return near;
  }
  /** Read once. */
  list(kind: AnyKind, namespace: string): Promise<readonly Resource[]> {
    const id = `${kind.kind} ${namespace}`;
    const listed = this.#lists.get(id) ?? this.#reader.list(kind, namespace);
    this.#lists.set(id, listed);
    return listed;
  }

  /** The first few by name, then all of the kind in the namespace at once: what it costs grows with pages, not with objects. */
  async #ask(kind: string, key: Key): Promise<Found> {
    const of = `${kind} ${key.namespace}`;
    const asked = this.#asked.get(of) ?? 0;
    this.#asked.set(of, asked + 1);
    return (asked < mostNamed ? undefined : await this.#listed(kind, key)) ?? this.#named(kind, key);
  }

  /** Each list is gone through once, however many are looked for in it. */
  #noted(kind: AnyKind, namespace: string): Promise<void> {
    const id = `${kind.kind} ${namespace}`;
    const noted = this.#notes.get(id) ?? this.list(kind, namespace).then((all) => this.#note(all));
    this.#notes.set(id, noted);
    return noted;
  }

  #note(all: readonly Resource[]): void {
    for (const object of all) {
      const id = objectId(object.kind, object.metadata);
      if (!this.#known.has(id)) this.#known.set(id, object);
    }
  }

  /** undefined: the caller may not list it. */
  async #listed(kind: string, key: Key): Promise<Found | undefined> {
    try {
      await this.#noted(registry.kind(kind), key.namespace);
      return this.#known.get(objectId(kind, key)) ?? 'missing';
    } catch (error) {
      if (isForbidden(error)) return undefined;
      throw error;
    }
  }

  async #named(kind: string, key: Key): Promise<Found> {
    try {
      return (await this.#reader.get(registry.kind(kind), key)) ?? 'missing';
    } catch (error) {
      if (error instanceof CliError || (error instanceof KubeError && error.fault === 'Forbidden')) return 'unseen';
      throw error;
    }
  }
}
