/** One CEL rule of `x-kubernetes-validations`. */
export interface Validation {
  readonly rule: string;
  readonly message: string;
  readonly fieldPath?: string;
}

/** An apiextensions/v1 structural schema, reduced to what the kinds need. */
export interface Structural {
  readonly description?: string;
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly format?: string;
  readonly nullable?: true;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: true;
  readonly maximum?: number;
  readonly exclusiveMaximum?: true;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly allOf?: readonly { readonly pattern: string }[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Structural>>;
  readonly items?: Structural;
  readonly additionalProperties?: Structural;
  readonly 'x-kubernetes-int-or-string'?: true;
  readonly 'x-kubernetes-preserve-unknown-fields'?: true;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-validations'?: readonly Validation[];
}

/** The schema at a dotted path (`spec.rules` or `.status.id`), or undefined where the path leads nowhere. */
export const schemaAt = (schema: Structural, path: string): Structural | undefined =>
  path
    .split('.')
    .filter((step) => step !== '')
    .reduce<Structural | undefined>((node, step) => node?.properties?.[step], schema);
