import { builtin } from './builtin-resources.ts';
import { builtinStrategy } from './builtin-strategy.ts';
import { customResourceStrategy } from './custom-resource.ts';
import { invalid, required } from './field-error.ts';
import type { FieldError } from './field-error.ts';
import { child, isObject, list, text } from '../storage/json.ts';
import type { JsonObject } from '../storage/json.ts';
import type { KubeObject } from '../storage/kube-object.ts';
import type { Resource } from './resource.ts';
import { ruleFaults } from '../schema/cel-rules.ts';
import type { Structural } from '../schema/structural.ts';

export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

const strings = (value: unknown): string[] => list(value).map(text).filter(Boolean);

function versions(crd: JsonObject): JsonObject[] {
  return list(child(crd, 'spec')['versions']).filter(isObject);
}

function schemaOf(version: JsonObject): Structural | undefined {
  const schema = child(version, 'schema')['openAPIV3Schema'];
  return isObject(schema) ? schema : undefined;
}

/** Names that may be left out are derived from the kind, as on the real server. */
function decode(crd: JsonObject): void {
  const spec = child(crd, 'spec');
  const names = child(spec, 'names');
  names['singular'] ??= text(names['kind']).toLowerCase();
  names['listKind'] ??= `${text(names['kind'])}List`;
  spec['conversion'] ??= { strategy: 'None' };
}

function validate(crd: KubeObject): FieldError[] {
  const spec = child(crd, 'spec');
  const errors: FieldError[] = [];
  const expected = `${text(child(spec, 'names')['plural'])}.${text(spec['group'])}`;
  if (crd.metadata.name !== expected) errors.push(invalid('metadata.name', crd.metadata.name, 'must be spec.names.plural+"."+spec.group'));
  if (!['Namespaced', 'Cluster'].includes(text(spec['scope']))) errors.push(required('spec.scope'));
  if (versions(crd).filter((version) => version['storage'] === true).length !== 1) {
    errors.push(invalid('spec.versions', '', 'must have exactly one version marked as storage version'));
  }
  return [...errors, ...versions(crd).flatMap(versionErrors)];
}

function versionErrors(version: JsonObject, n: number): FieldError[] {
  const schema = schemaOf(version);
  if (!schema) return [required(`spec.versions[${n}].schema.openAPIV3Schema`, 'schemas are required')];
  return faultsOf(schema, `spec.versions[${n}].schema.openAPIV3Schema`).map(({ path, rule, fault }) =>
    invalid(path, rule, `compilation failed: ${fault}`),
  );
}

/** Thousands of clusters in one process have the same few schemas, and compiling their rules is the dearest part of a CRD. */
const known = new Map<string, ReturnType<typeof ruleFaults>>();
function faultsOf(schema: Structural, path: string): ReturnType<typeof ruleFaults> {
  const text = `${path} ${JSON.stringify(schema)}`;
  const faults = known.get(text) ?? ruleFaults(schema, path);
  known.set(text, faults);
  return faults;
}

export const customResourceDefinitions: Resource = builtin(
  'CustomResourceDefinition',
  builtinStrategy({
    namespaced: false,
    fields: ['spec', 'status'],
    hasStatus: true,
    hasGeneration: true,
    decode,
    prepareForCreate: (crd) => {
      crd['status'] = {
        conditions: [],
        acceptedNames: { plural: '', kind: '' },
        storedVersions: strings(versions(crd).map((version) => version['name'])),
      };
    },
    validate,
  }),
  { group: 'apiextensions.k8s.io', namespaced: false, subresources: ['status'], shortNames: ['crd', 'crds'], unconditionalUpdate: false },
);

/** The resources that an established CRD serves, one for each served version. */
export function resourcesOf(crd: KubeObject): Resource[] {
  return versions(crd)
    .filter((version) => version['served'] === true)
    .map((version) => resourceOf(crd, version));
}

function resourceOf(crd: KubeObject, version: JsonObject): Resource {
  const spec = child(crd, 'spec');
  const names = child(spec, 'names');
  const group = text(spec['group']);
  const kind = text(names['kind']);
  const namespaced = spec['scope'] === 'Namespaced';
  const hasStatus = isObject(child(version, 'subresources')['status']);
  const apiVersion = `${group}/${text(version['name'])}`;
  const selectable = list(version['selectableFields']).map((one) => text(isObject(one) ? one['jsonPath'] : '').replace(/^\./, ''));
  return builtin(kind, customResourceStrategy({ apiVersion, kind, namespaced, schema: schemaOf(version) ?? {}, hasStatus }), {
    group,
    version: text(version['name']),
    plural: text(names['plural']),
    singular: text(names['singular']),
    shortNames: strings(names['shortNames']),
    categories: strings(names['categories']),
    namespaced,
    subresources: hasStatus ? ['status'] : [],
    table: `${group}/${text(names['plural'])}`,
    custom: true,
    unconditionalUpdate: false,
    selectableFields: ['metadata.name', ...(namespaced ? ['metadata.namespace'] : []), ...selectable],
  });
}

/** The status that the API server's own controllers give an accepted CRD. */
export function establishedStatus(crd: KubeObject, now: string): JsonObject {
  const { listKind, ...names } = child(child(crd, 'spec'), 'names');
  const condition = (type: string, reason: string, message: string): JsonObject => ({
    type,
    status: 'True',
    lastTransitionTime: now,
    reason,
    message,
  });
  return {
    conditions: [
      condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
      condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
    ],
    acceptedNames: { ...names, listKind },
    storedVersions: strings(
      versions(crd)
        .filter((version) => version['storage'] === true)
        .map((version) => version['name']),
    ),
  };
}
