import { annotation, intentAnnotation, remoteAnnotation } from '../model/annotations.ts';
import { objectId, parseObjectId } from '../model/object-id.ts';
import { canonical, isRecord } from '../model/values.ts';
import type { Row } from '../../resource/index.ts';
import type { Key, Resource } from '../ports/index.ts';

/** Objects by what their open creates make, because every create asks for those of its own key. Whether they count is read from the object. */
export class OpenCreateIndex {
  readonly #objects = new Map<string, Set<string>>();
  readonly #texts = new Map<string, readonly string[]>();
  /** Natural keys (with their account) that have a create under way in this process. */
  readonly inFlight = new Set<string>();

  /** Told of every change of an object; undefined: it is gone. */
  note(kind: string, key: Key, object: Resource | undefined): void {
    this.#set(objectId(kind, key), kind, object === undefined ? [] : textsOf(object));
  }
  forget(id: string): void {
    this.#set(id, parseObjectId(id).kind, []);
  }
  known(): Iterable<string> {
    return this.#texts.keys();
  }

  #set(id: string, kind: string, now: readonly string[]): void {
    const before = this.#texts.get(id) ?? [];
    if (now.length === before.length && now.every((text, n) => text === before[n])) return;
    for (const made of madeBy(kind, before)) this.#remove(made, id);
    for (const made of madeBy(kind, now)) this.#objects.set(made, (this.#objects.get(made) ?? new Set()).add(id));
    if (now.length > 0) this.#texts.set(id, now);
    else this.#texts.delete(id);
  }

  /** Ids of the objects of this kind whose annotation or status tells of a create of this key (canonical text). */
  of(kind: string, key: string): Iterable<string> {
    return this.#objects.get(`${kind} ${key}`) ?? [];
  }

  #remove(made: string, id: string): void {
    const all = this.#objects.get(made);
    if (all?.delete(id) === true && all.size === 0) this.#objects.delete(made);
  }
}

function textsOf(object: Resource): readonly string[] {
  if (annotation(object, remoteAnnotation) !== undefined) return [];
  return [annotation(object, intentAnnotation), object.status?.['intent']].filter((text) => typeof text === 'string');
}

const madeBy = (kind: string, texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => keyIn(text)).map((key) => `${kind} ${key}`));

/** People can write annotations: what cannot be read tells of nothing. */
function keyIn(text: string): readonly string[] {
  try {
    const { key } = JSON.parse(text) as { readonly key?: unknown };
    return isKey(key) ? [canonical(key)] : [];
  } catch {
    return [];
  }
}

/** A few plain values, as natural keys are: to sort thousands of fields, for each change of each object, would take the time of everybody. */
const isKey = (key: unknown): boolean =>
  isRecord(key) && isRecord(key['is']) && Object.keys(key).length === 2 && typeof key['in'] === 'string' && isFlat(key['is']);
const isFlat = (is: Row): boolean =>
  Object.keys(is).length <= 16 && Object.values(is).every((value) => typeof value !== 'object' || value === null);
