import { createHash } from 'node:crypto';
import type { Row } from '../../../resource/index.ts';
import type { Place } from './layout.ts';

/** Where a name must be one object's alone. */
type Scope = Omit<Place, 'name'>;

/** Names of objects, made of what people call the remotes; each is given once for a kind in a namespace. */
export class Names {
  readonly #taken = new Set<string>();
  readonly #byId: boolean;

  /** `byId`: after their ids instead. */
  constructor(byId = false) {
    this.#byId = byId;
  }

  /** Those that objects have already. */
  take(place: Place): void {
    this.#taken.add(keyOf(place));
  }

  /** `above`: what it lies below, where others are called the same. */
  give(scope: Scope, row: Row, id: string | number, above?: Row): string {
    const { kind } = scope;
    const called = above === undefined ? calledIn(row) : `${calledIn(row)}-${calledIn(above)}`;
    const plain = cleaned(this.#byId ? `${kind.replace(/^Cloud/, '')}-${id}` : called, 53);
    const name =
      [plain, cleaned(`${plain}-${id}`, longest)].find((one) => this.#isFree({ ...scope, name: one })) ?? this.#hashed(scope, plain, id);
    this.take({ ...scope, name });
    return name;
  }

  #isFree(place: Place): boolean {
    return place.name !== '' && !this.#taken.has(keyOf(place));
  }

  /** Others may be called as this one with its id would be. */
  #hashed(scope: Scope, plain: string, id: string | number): string {
    for (let nth = 0; ; nth += 1) {
      const name = distinct(plain, `${id} ${nth}`);
      if (this.#isFree({ ...scope, name })) return name;
    }
  }
}

export const keyOf = ({ kind, namespace, name }: Place): string => `${kind} ${namespace}/${name}`;

/** A record is called after what it says of which name. */
export const calledIn = ({ label, domain, summary, tag, name, type }: Row): string =>
  String(
    label ?? domain ?? summary ?? ([name === '' ? 'apex' : name, type].filter((word) => typeof word === 'string').join('-') || tag || ''),
  );

const cleaned = (text: string, most: number): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, most)
    .replaceAll(/^-+|-+$/g, '');

/** A name that is told from others by a hash of what has it. */
export function distinct(text: string, what: string): string {
  const hash = createHash('sha256').update(what).digest('hex').slice(0, 8);
  return `${text.slice(0, longest - hash.length - 1).replace(/-+$/, '')}-${hash}`.replace(/^-/, '');
}
/** Of a label's value, so that names can be labels too. */
export const longest = 63;
