import { schemaOf } from '../../generate/schema/schema.ts';
import type { Structural } from '../../generate/schema/structural-schema.ts';
import type { AnyKind, Row } from '../../resource/index.ts';
import { broken } from './cel.ts';
import { misfits } from './misfits.ts';

/** What is wrong with a spec, and in which of its fields, where the schema names one. */
export interface Refused {
  readonly field?: string;
  readonly message: string;
}

const schemas = new Map<string, Structural>();
function specSchema(kind: AnyKind): Structural {
  const known = schemas.get(kind.kind) ?? schemaOf(kind).properties?.['spec'] ?? {};
  schemas.set(kind.kind, known);
  return known;
}

/** What the API server would say to a new object with this spec, as kubectl sends it, as far as its CRD says it: by schema first, then by CEL. */
export function refusalsOf(kind: AnyKind, spec: Row): readonly Refused[] {
  const shape = kind.spec.safeParse(spec);
  if (!shape.success)
    return shape.error.issues.map(({ path, message }) => ({ field: String(path[0] ?? ''), message: `${path.join('.')}: ${message}` }));
  const schema = specSchema(kind);
  const strict = misfits(schema, spec, 'spec').map((message) => ({ field: /spec\.(\w+)/.exec(message)?.[1] ?? '', message }));
  return strict.length > 0 ? strict : broken(schema, spec).map((message) => ({ message }));
}
