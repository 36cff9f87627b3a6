import { z } from 'zod';
import {
  type AnyKind,
  type OutputTarget,
  outputTargets,
  type RefTarget,
  refTargets,
  prefixedIds,
  secretKeys,
  selectors,
} from '../../resource/index.ts';

/** Where in a spec something must be resolved. `*` stands for every element of a list. */
export interface Site {
  readonly at: readonly string[];
  readonly what:
    | { readonly is: 'ref'; readonly target: RefTarget }
    | { readonly is: 'output'; readonly output: OutputTarget; readonly kind: string }
    | { readonly is: 'selector'; readonly kind: string }
    | { readonly is: 'secret' | 'prefixedId' };
}
interface Entry {
  readonly kind: AnyKind;
  readonly sites: readonly Site[];
}

/** All kinds, checked once at start: unique names, references that lead somewhere, exactly one connection. */
export class Registry {
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #taken = new Map<string, ReadonlySet<string>>();
  readonly connection: AnyKind;
  constructor(kinds: readonly AnyKind[]) {
    this.#entries = new Map(kinds.map((kind) => [kind.kind, { kind, sites: sitesOf(kind.spec, []) }]));
    if (this.#entries.size !== kinds.length) throw new Error('two kinds have the same name');
    const [connection, ...more] = kinds.filter(({ mode }) => mode === 'connection');
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
  sites(name: string): readonly Site[] {
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
  #check(kind: AnyKind, sites: readonly Site[]): void {
    for (const { at, what } of sites) {
      const target = what.is === 'ref' ? what.target.kind : 'kind' in what ? what.kind : undefined;
      if (target !== undefined && !this.#entries.has(target))
        throw new Error(`${kind.kind}: spec.${at.join('.')} refers to ${target}, which is no kind`);
    }
  }
}

/** What objects of one kind take from the status of another. */
function* takenFrom(target: string, { kind, sites }: Entry): Iterable<string> {
  for (const { at, what } of sites) {
    if (what.is === 'output' && what.kind === target) yield* Object.values(what.output.fields);
    const borrowed = Object.values(kind.borrows ?? {}).filter(({ ref }) => at[0] === ref);
    if (what.is === 'ref' && what.target.kind === target) yield* borrowed.map(({ status }) => status);
  }
}

function sitesOf(schema: unknown, at: readonly string[]): readonly Site[] {
  if (!(schema instanceof z.ZodType)) return [];
  return marked(schema, at) ?? below(schema, at);
}

function marked(schema: z.ZodType, at: readonly string[]): readonly Site[] | undefined {
  const target = refTargets.get(schema);
  if (target !== undefined) return [{ at, what: { is: 'ref', target } }];
  const selected = selectors.get(schema);
  if (selected !== undefined) return [{ at, what: { is: 'selector', kind: selected.kind } }];
  const result = outputTargets.get(schema);
  if (result !== undefined && schema instanceof z.ZodObject) {
    const inner = unwrap(schema.shape[result.ref]);
    return [{ at, what: { is: 'output', output: result, kind: (inner && refTargets.get(inner)?.kind) ?? '' } }];
  }
  if (prefixedIds.has(schema)) return [{ at, what: { is: 'prefixedId' } }];
  return secretKeys.get(schema) !== undefined ? [{ at, what: { is: 'secret' } }] : undefined;
}

function below(schema: z.ZodType, at: readonly string[]): readonly Site[] {
  if (schema instanceof z.ZodObject) return Object.entries(schema.shape).flatMap(([name, field]) => sitesOf(field, [...at, name]));
  if (schema instanceof z.ZodArray) return sitesOf(schema.element, [...at, '*']);
  const inner = unwrapOnce(schema);
  return inner === undefined ? [] : sitesOf(inner, at);
}

const unwrapOnce = (schema: unknown): unknown =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault ? schema.unwrap() : undefined;
function unwrap(schema: unknown): z.ZodType | undefined {
  if (!(schema instanceof z.ZodType) || refTargets.has(schema)) return schema instanceof z.ZodType ? schema : undefined;
  return unwrap(unwrapOnce(schema)) ?? schema;
}
