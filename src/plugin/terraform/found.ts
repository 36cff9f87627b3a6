import { type AnyKind, asCollection, collectionOf, itemOf } from '../../resource/index.ts';
import type { AccountReader } from '../account/account-reader.ts';
import type { Remote, Standing } from '../dry/standing.ts';
import { idOf, isPart, listed, parentOf, partText, remotesOf } from '../orphans/remotes.ts';
import { registry } from '../command-line/kinds.ts';
import type { Item } from './items.ts';

export type Found = { readonly remote: Remote } | { readonly why: string };

/** Looks for what a state names, by the account's lists: a page for 500. */
export class Finder {
  readonly #account: AccountReader;
  readonly #standing: Standing;
  /** Kinds that this user sees. */
  readonly #visible: ReadonlySet<string>;
  readonly #lists = new Map<string, Promise<readonly Remote[]>>();

  constructor(account: AccountReader, standing: Standing, visible: readonly AnyKind[]) {
    this.#account = account;
    this.#standing = standing;
    this.#visible = new Set(visible.map(({ kind }) => kind));
  }

  async find(item: Item): Promise<Found> {
    const kind = registry.kinds.find((one) => one.kind === item.kind);
    if (kind === undefined) return { why: `this release has no ${item.kind}; keep it in Terraform` };
    if (!this.#visible.has(kind.kind)) return { why: `user ${this.#account.shown.user} does not see it` };
    const remote = await this.#remoteOf(kind, item);
    if (remote === undefined)
      return { why: `${kind.kind} ${item.id} is not in account ${this.#account.shown.id}: run terraform plan, which will say so too` };
    const ownerless = this.#standing.of(remote);
    if (ownerless === undefined) return { why: 'an object stands for it already' };
    if (isPart(remote)) return { why: partText };
    if (ownerless.tag === 'foreign') return { why: 'it has the tag of another installation of the operator, which manages it' };
    return { remote };
  }

  /** All that lies beside it below the same. */
  beside({ kind, collection }: Remote): Promise<readonly Remote[]> {
    return kind.parent === undefined || asCollection(kind) === undefined ? Promise.resolve([]) : this.#list(kind, collection);
  }

  async #remoteOf(kind: AnyKind, item: Item): Promise<Remote | undefined> {
    if (kind.parent !== undefined && (await this.#parentOf(kind, item)) === undefined) return undefined;
    const want = { name: '', ...item.want };
    if (asCollection(kind) === undefined) return this.#singletonAt(kind, collectionOf(kind, want));
    const list = await (kind.parent === undefined ? this.#all(kind) : this.#list(kind, collectionOf(kind, want)));
    const { sought } = item;
    const same = list.filter(({ row }) => (sought === undefined ? String(idOf(kind, row)) === String(item.id) : sought.fits(row)));
    if (sought !== undefined) return same.length === 1 ? same[0] : undefined;
    // Lists of one kind may give the same id twice, as those of database engines do.
    return same.length > 1 ? same.find(({ collection }) => collection === collectionOf(kind, want)) : same[0];
  }

  async #singletonAt(kind: AnyKind, collection: string): Promise<Remote | undefined> {
    const row = await this.#account.found(collection);
    return row && { kind, row, collection, path: itemOf(kind, row, collection) };
  }

  async #parentOf(kind: AnyKind, { want }: Item): Promise<Remote | undefined> {
    const ref = kind.parent?.ref ?? '';
    const above = parentOf(kind, ref);
    return (await this.#all(above)).find(({ row }) => String(idOf(above, row)) === String(want[ref]));
  }

  #all(kind: AnyKind): Promise<readonly Remote[]> {
    return this.#once(kind.kind, () => remotesOf(this.#account, kind));
  }
  #list(kind: AnyKind, collection: string): Promise<readonly Remote[]> {
    return this.#once(`${kind.kind} ${collection}`, () => listed(this.#account, kind, collection));
  }
  #once(key: string, read: () => Promise<readonly Remote[]>): Promise<readonly Remote[]> {
    const known = this.#lists.get(key) ?? read();
    this.#lists.set(key, known);
    return known;
  }
}
