import * as z from 'zod';
import { plain, problems, type Node, type Use } from './structural-problems.ts';
import type { Structural } from './structural-schema.ts';

interface Walk {
  readonly use: Use;
  readonly problems: string[];
}

/** What a CRD can hold of a zod schema. Throws with the path of every field that it cannot hold. */
export function structural(schema: z.ZodType, at: string, use: Use): Structural {
  const walk: Walk = { use, problems: [] };
  const json = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ zodSchema, path }) => lookForFlags(zodSchema, [at, ...path].join('.'), walk),
  });
  const result = translate(json, at, walk);
  if (walk.problems.length > 0) throw new Error(`not a structural schema:\n  ${walk.problems.join('\n  ')}`);
  return result;
}

/** JSON Schema keeps a pattern's source and loses its flags, so `/^a$/i` would become another rule. */
function lookForFlags(schema: z.core.$ZodTypes, at: string, walk: Walk): void {
  for (const check of schema._zod.def.checks ?? []) {
    const pattern = (check._zod.def as { pattern?: unknown }).pattern;
    if (pattern instanceof RegExp && /[^uv]/.test(pattern.flags)) {
      walk.problems.push(`${at}: the flags of ${String(pattern)} would be lost; write the pattern without flags`);
    }
  }
}

function translate(node: Node, at: string, walk: Walk): Structural {
  const own = node['x-kubernetes-int-or-string'] === true ? intOrString(node) : withNull(node);
  const found = text(number(own));
  const result: { -readonly [K in keyof Structural]: unknown } = {};
  for (const key of plain) if (found[key] !== undefined) result[key] = found[key];
  walk.problems.push(...problems(found, walk.use).map((problem) => `${at}: ${problem}`));
  if (found['properties']) Object.assign(result, object(found, at, walk));
  if (found['items']) result.items = translate(found['items'] as Node, `${at}[]`, walk);
  const values = found['additionalProperties'];
  if (values && !found['properties']) result.additionalProperties = translate(values as Node, `${at}{}`, walk);
  if (found['allOf']) result.allOf = (found['allOf'] as Node[]).map(({ pattern }) => ({ pattern }));
  return result as Structural;
}

function object(node: Node, at: string, walk: Walk): Node {
  const properties = Object.entries(node['properties'] as Record<string, Node>);
  for (const [name, property] of properties) {
    if (!property['description']) walk.problems.push(`${at}.${name}: needs a description; it is the user's manual`);
  }
  const required = ((node['required'] ?? []) as readonly string[]).filter((name) => !isLeftOut(walk, node['properties'] as Fields, name));
  return {
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties.map(([name, property]) => [name, translate(property, `${at}.${name}`, walk)])),
  };
}

type Fields = Readonly<Record<string, Node>>;
/** No null is written into a status (engine/status/next-status.ts): to require it would have the whole status refused. */
const isLeftOut = ({ use }: Walk, fields: Fields, name: string): boolean => use === 'status' && fields[name]?.['nullable'] === true;

/** The bounds of both members, without the `anyOf` that holds them. */
function intOrString({ anyOf, ...node }: Node): Node {
  return Object.assign({}, ...((anyOf ?? []) as Node[]).map(({ type: _type, ...bounds }) => number(bounds)), node) as Node;
}

/** The API server compares a null with the members of the enum. */
const withNull = (node: Node): Node =>
  node['nullable'] === true && Array.isArray(node['enum']) && !node['enum'].includes(null)
    ? { ...node, enum: [...(node['enum'] as unknown[]), null] }
    : node;

/** zod bounds every integer by what a double holds exactly; that is the format, not a rule. */
function number(node: Node): Node {
  const { minimum, maximum, ...rest } = node;
  return {
    ...rest,
    ...(minimum !== Number.MIN_SAFE_INTEGER && minimum !== undefined && { minimum }),
    ...(maximum !== Number.MAX_SAFE_INTEGER && maximum !== undefined && { maximum }),
    ...(node['type'] === 'integer' && !node['format'] && { format: 'int64' }),
  };
}

/** A format says more than zod's pattern for it, which is often beyond RE2. */
const text = (node: Node): Node => (node['type'] === 'string' && node['format'] ? { ...node, pattern: undefined } : node);
