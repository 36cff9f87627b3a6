import type { Row } from '../../resource/index.ts';

/** Names of objects, made of what people call the remotes; each is given once for a kind. */
export class Names {
  readonly #taken = new Set<string>();
  readonly #byId: boolean;

  /** `byId`: after their ids instead. */
  constructor(byId = false) {
    this.#byId = byId;
  }

  /** Those that objects have already. */
  take(kind: string, name: string): void {
    this.#taken.add(`${kind} ${name}`);
  }

  give(kind: string, row: Row, id: string | number): string {
    const plain = cleaned(this.#byId ? `${kind.replace(/^Cloud/, '')}-${id}` : calledIn(row), 53);
    const name = plain === '' || this.#taken.has(`${kind} ${plain}`) ? cleaned(`${plain}-${id}`, 63) : plain;
    this.take(kind, name);
    return name;
  }
}

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
