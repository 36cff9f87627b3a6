import * as z from 'zod';
import { type AnyKind, asOperation } from './kind.ts';
import {
  accountIds,
  configMapKeys,
  type NamesInside,
  namingTexts,
  type OutputTarget,
  outputTargets,
  prefixedIds,
  type RefTarget,
  refTargets,
  secretKeys,
  selectors,
} from './schema.ts';

/** Where in a spec something must be resolved. `*` stands for every element of a list. */
export interface ReferenceSite {
  readonly at: readonly string[];
  readonly what:
    | { readonly is: 'ref'; readonly target: RefTarget }
    | { readonly is: 'output'; readonly output: OutputTarget; readonly kind: string }
    | { readonly is: 'selector'; readonly kind: string }
    | { readonly is: 'accountId'; readonly own: boolean }
    | { readonly is: 'configMap'; readonly file?: true; readonly names?: NamesInside }
    | { readonly is: 'text'; readonly names: NamesInside }
    | { readonly is: 'secret' | 'prefixedId' };
}
/** What it names is read by name, and nothing tells when it changes. */
export const isReadByName = ({ what }: ReferenceSite): boolean => what.is === 'secret' || what.is === 'configMap';
/** The kind that such a place leads to. */
export const targetOf = (what: ReferenceSite['what']): string | undefined =>
  what.is === 'ref' ? what.target.kind : 'kind' in what ? what.kind : undefined;

/** A value of this field, in the form of the spec: what it has or wants. */
export interface FieldValue {
  readonly field: string;
  readonly value: unknown;
}
/** The ids of others that these values name at such places, by the kind that is referred to. */
export function idsIn(sites: readonly ReferenceSite[], values: readonly FieldValue[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { at, what } of sites) {
    const target = targetOf(what);
    if (target === undefined || what.is === 'output') continue;
    const [field = '', ...inner] = at;
    const ids = values.filter((one) => one.field === field).flatMap(({ value }) => idsAt(value, inner));
    if (ids.length > 0) found.set(target, new Set([...(found.get(target) ?? []), ...ids]));
  }
  return found;
}
/** The ids at the place of a reference, or in the list in whose place a selector stands. */
function idsAt(value: unknown, [step, ...inner]: readonly string[]): readonly string[] {
  if (typeof value === 'number' || typeof value === 'string') return step === undefined || step === '*' ? [String(value)] : [];
  if (Array.isArray(value)) return value.flatMap((element) => idsAt(element, step === '*' ? inner : [step ?? [], inner].flat()));
  if (typeof value !== 'object' || value === null || step === undefined || !Object.hasOwn(value, step)) return [];
  return idsAt((value as Readonly<Record<string, unknown>>)[step], inner);
}

/** These kinds, and those that their specs can refer to, directly or by others: without one of them a reference would lead nowhere. */
export function withReferred(names: readonly string[], kinds: readonly AnyKind[]): ReadonlySet<string> {
  const all = new Set(names);
  for (const name of all) {
    const kind = kinds.find((one) => one.kind === name);
    for (const { what } of sitesOf(kind?.spec)) all.add(targetOf(what) ?? name);
    for (const { on } of Object.values((kind && asOperation(kind)?.operates) ?? {})) all.add(on);
  }
  return all;
}

/** Every place of a spec that must be resolved. */
export function sitesOf(schema: unknown, at: readonly string[] = []): readonly ReferenceSite[] {
  if (!(schema instanceof z.ZodType)) return [];
  return marked(schema, at) ?? below(schema, at);
}

function marked(schema: z.ZodType, at: readonly string[]): readonly ReferenceSite[] | undefined {
  const target = refTargets.get(schema);
  if (target !== undefined) return [{ at, what: { is: 'ref', target } }];
  const selected = selectors.get(schema);
  if (selected !== undefined) return [{ at, what: { is: 'selector', kind: selected.kind } }];
  const result = outputTargets.get(schema);
  if (result !== undefined && schema instanceof z.ZodObject) {
    const inner = unwrap(schema.shape[result.ref]);
    return [{ at, what: { is: 'output', output: result, kind: (inner && refTargets.get(inner)?.kind) ?? '' } }];
  }
  const ofAccount = accountIds.get(schema);
  if (ofAccount !== undefined) return [{ at, what: { is: 'accountId', own: ofAccount.own === true } }];
  const what = ofPlainValue(schema);
  return what && [{ at, what }];
}

function ofPlainValue(schema: z.ZodType): ReferenceSite['what'] | undefined {
  // `has` does not know a schema that was described after it was marked.
  if (prefixedIds.get(schema) !== undefined) return { is: 'prefixedId' };
  const configMap = configMapKeys.get(schema);
  if (configMap !== undefined)
    return { is: 'configMap', ...(configMap.file && { file: true }), ...(configMap.names && { names: configMap.names }) };
  const text = namingTexts.get(schema);
  if (text !== undefined) return { is: 'text', names: text.names };
  return secretKeys.get(schema) === undefined ? undefined : { is: 'secret' };
}

function below(schema: z.ZodType, at: readonly string[]): readonly ReferenceSite[] {
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
