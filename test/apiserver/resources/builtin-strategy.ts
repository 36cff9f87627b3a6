import type { FieldError } from './field-error.ts';
import { clone } from '../storage/json.ts';
import type { JsonObject } from '../storage/json.ts';
import type { KubeObject } from '../storage/kube-object.ts';
import { metadataErrors, metadataUpdateErrors } from '../storage/object-meta.ts';
import type { Strategy } from './resource.ts';

/** What is special about one built-in kind. */
export interface BuiltinKind {
  readonly namespaced: boolean;
  /** Fields besides `apiVersion`, `kind` and `metadata`; all others are dropped as a typed server does. */
  readonly fields: readonly string[];
  readonly hasStatus?: boolean;
  readonly hasGeneration?: boolean;
  /** Checks types and fills in defaults, in place. Throws BadRequest for what does not decode. */
  readonly decode?: (object: JsonObject) => void;
  readonly prepareForCreate?: (object: KubeObject) => void;
  /** After status and spec were kept apart. */
  readonly prepareForUpdate?: (object: KubeObject, old: KubeObject, subresource: string) => void;
  readonly validate?: (object: KubeObject, old: KubeObject | undefined) => FieldError[];
}

export function builtinStrategy(kind: BuiltinKind): Strategy {
  return {
    decode: (object) => {
      const unknown = dropUnknown(object, kind.fields);
      kind.decode?.(object);
      return unknown;
    },
    prepareForCreate: (object) => {
      if (kind.hasStatus) delete object['status'];
      if (kind.hasGeneration) object.metadata.generation = 1;
      kind.prepareForCreate?.(object);
    },
    prepareForUpdate: (object, old, subresource) => {
      keepApart(kind, object, old, subresource);
      kind.prepareForUpdate?.(object, old, subresource);
    },
    validate: (object, old) => [
      ...metadataErrors(object, kind.namespaced),
      ...(old ? metadataUpdateErrors(object, old) : []),
      ...(kind.validate?.(object, old) ?? []),
    ],
    stored: (object) => object,
  };
}

function keepApart(kind: BuiltinKind, object: KubeObject, old: KubeObject, subresource: string): void {
  if (!kind.hasStatus) return;
  const kept = subresource === 'status' ? 'spec' : 'status';
  if (old[kept] === undefined) delete object[kept];
  else object[kept] = clone(old[kept]);
  if (kind.hasGeneration && JSON.stringify(object['spec']) !== JSON.stringify(old['spec'])) {
    object.metadata.generation = (old.metadata.generation ?? 0) + 1;
  }
}

function dropUnknown(object: JsonObject, fields: readonly string[]): string[] {
  const unknown = Object.keys(object).filter((key) => !['apiVersion', 'kind', 'metadata', ...fields].includes(key));
  for (const key of unknown) delete object[key];
  for (const key of fields) if (object[key] === null) delete object[key];
  return unknown;
}
