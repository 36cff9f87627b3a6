import { isDeepStrictEqual } from 'node:util';
import { cut } from '../../lib/cut.ts';

/** A structural schema as an API server shows it; only what is compared is named. */
export interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly enum?: readonly unknown[];
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-validations'?: readonly { readonly rule: string }[];
}
interface Pair {
  readonly ours: Schema;
  readonly served: Schema;
}
/** What of one keyword would refuse or drop something that our schema admits. */
type Check = (pair: Pair, keyword: string) => string | undefined;

const preserve = 'x-kubernetes-preserve-unknown-fields';
const at = (schema: Schema, keyword: string): unknown => Reflect.get(schema, keyword);
const none = (): undefined => undefined;

const atLeast: Check = ({ ours, served }, keyword) => bound(at(ours, keyword), at(served, keyword), keyword, (a, b) => b <= a);
const atMost: Check = ({ ours, served }, keyword) => bound(at(ours, keyword), at(served, keyword), keyword, (a, b) => b >= a);

function bound(ours: unknown, served: unknown, keyword: string, admits: (ours: number, served: number) => boolean): string | undefined {
  if (served === undefined) return undefined;
  const fits = typeof ours === 'number' && typeof served === 'number' && admits(ours, served);
  return fits ? undefined : `${keyword} is ${JSON.stringify(served)}${ours === undefined ? '' : `, not ${JSON.stringify(ours)}`}`;
}

/** A limit that may be absent, but not another. */
const sameOrNone: Check = ({ ours, served }, keyword) =>
  at(served, keyword) === undefined || isDeepStrictEqual(at(ours, keyword), at(served, keyword)) ? undefined : `${keyword} is another`;
const same: Check = ({ ours, served }, keyword) =>
  isDeepStrictEqual(at(ours, keyword), at(served, keyword)) ? undefined : `${keyword} is another`;
const kept: Check = ({ ours, served }, keyword) =>
  at(ours, keyword) === true && at(served, keyword) !== true ? `${keyword} is gone` : undefined;

const choices: Check = ({ ours, served }) => {
  if (served.enum === undefined) return undefined;
  const missing = ours.enum === undefined ? ['any value'] : ours.enum.filter((value) => !served.enum?.includes(value));
  return missing.length === 0 ? undefined : `${missing.join(', ')} is refused`;
};

const required: Check = ({ ours, served }) => {
  const added = (served.required ?? []).filter((name) => !ours.required?.includes(name));
  return added.length === 0 ? undefined : `${added.join(', ')} is required`;
};

/** A rule that came and speaks of a field that came leaves objects without it as they were. Any other would refuse some that we admit. */
const rules: Check = ({ ours, served }) => {
  const known = new Set(ours['x-kubernetes-validations']?.map(({ rule }) => rule));
  const came = [...added(ours, served)];
  const tighter = served['x-kubernetes-validations']?.find(
    ({ rule }) => !known.has(rule) && !came.some((name) => new RegExp(`\\.${name}\\b`).test(rule)),
  );
  return tighter === undefined ? undefined : `a rule is not ours: ${cut(tighter.rule, 100)}`;
};

/** Names of the fields that came, at any depth. */
function* added(ours: Schema, served: Schema): Generator<string, void> {
  for (const [name, node] of Object.entries(served.properties ?? {})) {
    const known = ours.properties?.[name];
    if (known === undefined) yield name;
    else yield* added(known, node);
  }
}

/** Where ours keeps anything, a field that is described would be held to that. */
const anything: Check = ({ ours, served }) => {
  if (ours[preserve] !== true) return undefined;
  if (served[preserve] !== true) return 'not every field is kept';
  const described = Object.keys(served.properties ?? {}).filter((name) => ours.properties?.[name] === undefined);
  return described.length === 0 ? undefined : `${described.join(', ')} may not be anything`;
};

const checks: Readonly<Record<string, Check>> = {
  description: none,
  title: none,
  example: none,
  externalDocs: none,
  // Followed further down.
  properties: none,
  items: none,
  additionalProperties: none,
  required,
  enum: choices,
  nullable: kept,
  [preserve]: anything,
  'x-kubernetes-validations': rules,
  minimum: atLeast,
  minLength: atLeast,
  minItems: atLeast,
  minProperties: atLeast,
  maximum: atMost,
  maxLength: atMost,
  maxItems: atMost,
  maxProperties: atMost,
  exclusiveMinimum: sameOrNone,
  exclusiveMaximum: sameOrNone,
  multipleOf: sameOrNone,
  pattern: sameOrNone,
  allOf: sameOrNone,
};

/** `spec.size: maximum is 10, not 20`: what a served schema would refuse or drop of what ours admits; none: it fits. */
export function* shortcomings(ours: Schema, served: Schema, path = ''): Generator<string, void> {
  for (const found of ofNode({ ours, served })) yield path === '' ? found : `${path}: ${found}`;
  const others = children(served);
  for (const [name, node] of children(ours)) {
    const below = name === '[]' || path === '' ? `${path}${name}` : `${path}.${name}`;
    const other = others.get(name);
    if (other !== undefined) yield* shortcomings(node, other, below);
    else if (served[preserve] !== true) yield `${below} is not in it`;
  }
}

/** What is not known here, type, default and the way of merging lists among it, has to be the same. */
function ofNode(pair: Pair): readonly string[] {
  const keywords = new Set([...Object.keys(pair.ours), ...Object.keys(pair.served)]);
  return [...keywords].flatMap((keyword) => (checks[keyword] ?? same)(pair, keyword) ?? []);
}

/** By the names of fields; `[]` are those of a list, `*` those of a map. */
function children({ properties, items, additionalProperties }: Schema): ReadonlyMap<string, Schema> {
  const all = new Map(Object.entries(properties ?? {}));
  if (items !== undefined) all.set('[]', items);
  if (typeof additionalProperties === 'object') all.set('*', additionalProperties);
  return all;
}
