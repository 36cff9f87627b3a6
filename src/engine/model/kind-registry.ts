import {
  type AnyConnection,
  type AnyKind,
  asConnection,
  asOperation,
  type ReferenceSite,
  sitesOf,
  targetOf,
} from '../../resource/index.ts';

interface Entry {
  readonly kind: AnyKind;
  readonly sites: readonly ReferenceSite[];
}

/** All kinds, checked once at start: unique names, references that lead somewhere, exactly one connection. */
export class Registry {
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #taken = new Map<string, ReadonlySet<string>>();
  readonly connection: AnyConnection;
  constructor(kinds: readonly AnyKind[]) {
    this.#entries = new Map(kinds.map((kind) => [kind.kind, { kind, sites: sitesOf(kind.spec) }]));
    if (this.#entries.size !== kinds.length) throw new Error('two kinds have the same name');
    const [connection, ...more] = kinds.flatMap((kind) => asConnection(kind) ?? []);
    if (connection === undefined || more.length > 0) throw new Error('exactly one kind must have the mode "connection"');
    this.connection = connection;
    for (const { kind, sites } of this.#entries.values()) this.#check(kind, sites);
  }
  get kinds(): readonly AnyKind[] {
    return [...this.#entries.values()].map(({ kind }) => kind);
  }
  kind(name: string): AnyKind {
    return this.#entry(name).kind;
  }
  sites(name: string): readonly ReferenceSite[] {
    return this.#entry(name).sites;
  }
  /** Status fields of a kind that specs of others take their values from. */
  taken(name: string): ReadonlySet<string> {
    const known = this.#taken.get(name) ?? new Set([...this.#entries.values()].flatMap((entry) => [...takenFrom(name, entry)]));
    this.#taken.set(name, known);
    return known;
  }
  #entry(name: string): Entry {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new Error(`there is no kind ${name}`);
    return entry;
  }
  #check(kind: AnyKind, sites: readonly ReferenceSite[]): void {
    for (const { at, what } of sites) {
      const target = targetOf(what);
      if (target !== undefined && !this.#entries.has(target))
        throw new Error(`${kind.kind}: spec.${at.join('.')} refers to ${target}, which is no kind`);
    }
    for (const [action, { on }] of Object.entries(asOperation(kind)?.operates ?? {}))
      if (this.#entries.get(on)?.kind.actions?.[action] === undefined) throw new Error(`${kind.kind}: ${on} knows no action ${action}`);
  }
}

/** What tells that something can be made below the parent. */
const shownBy = ({ parent, appears }: AnyKind, at: readonly string[]): readonly string[] =>
  appears !== undefined && parent?.ref === at[0] ? [appears.shownBy] : [];

/** What objects of one kind take from the status of another. */
function* takenFrom(target: string, { kind, sites }: Entry): Iterable<string> {
  for (const { at, what } of sites) {
    if (what.is === 'output' && what.kind === target) yield* Object.values(what.output.fields);
    const borrowed = Object.values(kind.borrows ?? {}).filter(({ ref }) => at[0] === ref);
    if (what.is !== 'ref' || what.target.kind !== target) continue;
    yield* borrowed.map(({ status }) => status);
    yield* what.target.placedBy === undefined ? [] : [what.target.placedBy];
    yield* shownBy(kind, at);
  }
}
