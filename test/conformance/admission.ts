import { schemaOf } from '../../src/generate/schema/schema.ts';
import type { Structural } from '../../src/generate/schema/structural-schema.ts';
import { broken, holds } from '../../src/plugin/admission/cel.ts';
import { type AnyKind, erase, type Row } from '../../src/resource/index.ts';

/** A schema is made from its kind anew each time; thousands of specs are held to the same few. */
const made = new Map<AnyKind, Structural>();
function schemaFor(kind: AnyKind): Structural {
  const schema = made.get(kind) ?? schemaOf(kind);
  made.set(kind, schema);
  return schema;
}
export const specSchema = (kind: AnyKind): Structural => schemaFor(kind).properties?.['spec'] ?? {};

/** What the API server would say to this spec: by its schema first, then by its CEL rules; `before` makes it an update. */
export function refusals(kind: unknown, spec: Row, before?: Row): readonly string[] {
  const erased = erase(kind);
  const shape = erased.spec.safeParse(spec);
  const bySchema = shape.success ? [] : shape.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  if (bySchema.length > 0) return bySchema;
  return [...broken(specSchema(erased), spec, before), ...(before === undefined ? [] : ofObject(erased, spec, before))];
}

/** What the rules of the whole object say, where the account has what the spec said before. */
function ofObject(kind: AnyKind, spec: Row, before: Row): readonly string[] {
  const status = { ...before };
  return (schemaFor(kind)['x-kubernetes-validations'] ?? []).flatMap(({ rule, message }) =>
    holds(rule, { self: { spec, status }, oldSelf: { spec: before, status } }) ? [] : [message],
  );
}

/** Only what the rules about updates say; a rule that fails on these values counts as silent. */
export const refusalsOfUpdate = (kind: AnyKind, spec: Row, before: Row): readonly string[] => [
  ...(specSchema(kind)['x-kubernetes-validations'] ?? []).flatMap(({ rule, message }) => {
    if (!rule.includes('oldSelf')) return [];
    try {
      return holds(rule, { self: spec, oldSelf: before }) ? [] : [message];
    } catch {
      return [];
    }
  }),
  ...ofObject(kind, spec, before),
];
