import { createHash } from 'node:crypto';
import type { AnyKind } from '../resource/index.ts';
import { crdName, group, plural, version } from './names.ts';
import { schemaOf } from './schema/schema.ts';
import { schemaAt, type Structural } from './schema/structural-schema.ts';

/** An object as `kubectl` takes it; keys are in the order in which they are printed. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly [key: string]: unknown };
  readonly [key: string]: unknown;
}

interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly jsonPath: string;
  readonly priority?: number;
  readonly description?: string;
}

/** Annotation by which the operator sees at start whether the served CRD is its own. */
export const schemaHashAnnotation = `${group}/schema-hash`;

export function customResourceDefinition(kind: AnyKind): Manifest {
  const schema = schemaOf(kind);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: crdName(kind), annotations: { [schemaHashAnnotation]: hashOf(schema) } },
    spec: {
      group,
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural: plural(kind.kind),
        singular: kind.kind.toLowerCase(),
        shortNames: [kind.shortName],
        categories: ['cloud'],
      },
      scope: 'Namespaced',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: columns(kind, schema),
          schema: { openAPIV3Schema: schema },
        },
      ],
    },
  };
}

export const schemaHash = (kind: AnyKind): string => hashOf(schemaOf(kind));
const hashOf = (schema: Structural): string => createHash('sha256').update(JSON.stringify(schema)).digest('hex');

function columns(kind: AnyKind, schema: Structural): readonly Column[] {
  const own = Object.entries(kind.columns).map(([name, jsonPath]): Column => {
    const field = schemaAt(schema, jsonPath);
    if (!field) throw new Error(`${kind.kind}: column ${name} shows ${jsonPath}, which is no field of the schema`);
    return { name, type: toCome.has(jsonPath) ? 'string' : columnType(field), jsonPath };
  });
  return [...own, ...commonColumns];
}

/** Times that lie ahead: kubectl shows a date as an age, and of these it could only say that they are invalid. */
const toCome: ReadonlySet<string> = new Set(['.status.expires', '.status.rotatesAt']);

const columnType = ({ type, format }: Structural): Column['type'] =>
  format === 'date-time' ? 'date' : type === 'integer' || type === 'number' || type === 'boolean' ? type : 'string';

const commonColumns: readonly Column[] = [
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: 'Synced', type: 'string', jsonPath: '.status.conditions[?(@.type=="Synced")].reason' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  { name: 'Message', type: 'string', jsonPath: '.status.conditions[?(@.type=="Synced")].message', priority: 1 },
];
