import { Environment } from '@marcbachmann/cel-js';
import { ApiError } from '../requests/api-error.ts';
import { builtin } from './builtin-resources.ts';
import { builtinStrategy } from './builtin-strategy.ts';
import type { Call } from '../requests/call.ts';
import { invalid } from './field-error.ts';
import type { FieldError } from './field-error.ts';
import { child, isObject, list, text } from '../storage/json.ts';
import type { JsonObject } from '../storage/json.ts';
import type { KubeObject } from '../storage/kube-object.ts';
import type { Resource } from './resource.ts';
import { toCel } from '../schema/cel-value.ts';
import type { Store } from '../storage/store.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE';

const GROUP = 'admissionregistration.k8s.io';
const POLICIES = `${GROUP}/validatingadmissionpolicies`;
const BINDINGS = `${GROUP}/validatingadmissionpolicybindings`;
const CODES: Readonly<Record<string, number>> = { Unauthorized: 401, Forbidden: 403, RequestEntityTooLarge: 413, Invalid: 422 };

const environment = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false })
  .registerVariable('object', 'dyn')
  .registerVariable('oldObject', 'dyn')
  .registerVariable('request', 'dyn')
  .registerVariable('variables', 'dyn');

type Context = Record<'object' | 'oldObject' | 'request' | 'variables', unknown>;

function compileErrors(policy: KubeObject): FieldError[] {
  return list(child(policy, 'spec')['validations']).flatMap((validation, n) => {
    const expression = isObject(validation) ? text(validation['expression']) : '';
    const result = environment.check(expression);
    return result.valid
      ? []
      : [invalid(`spec.validations[${n}].expression`, expression, `compilation failed: ${result.error?.message ?? ''}`)];
  });
}

const shared = { group: GROUP, namespaced: false } as const;

export const admissionResources: readonly Resource[] = [
  builtin(
    'ValidatingAdmissionPolicy',
    builtinStrategy({ namespaced: false, fields: ['spec', 'status'], hasStatus: true, hasGeneration: true, validate: compileErrors }),
    {
      ...shared,
      plural: 'validatingadmissionpolicies',
      subresources: ['status'],
    },
  ),
  builtin('ValidatingAdmissionPolicyBinding', builtinStrategy({ namespaced: false, fields: ['spec'], hasGeneration: true }), shared),
];

/** Refuses a write that a bound ValidatingAdmissionPolicy denies. Params, selectors and audit are not looked at. */
export function admit(store: Store, call: Call, operation: Operation, objects: { object?: KubeObject; oldObject?: KubeObject }): void {
  for (const binding of store.list(BINDINGS)) {
    const spec = child(binding, 'spec');
    const policy = store.get(POLICIES, undefined, text(spec['policyName']));
    if (!policy || !list(spec['validationActions']).includes('Deny') || !constrains(policy, call, operation)) continue;
    const denial = firstDenial(policy, contextOf(call, operation, objects));
    if (denial) throw refusal(call, objects.object ?? objects.oldObject, { policy, binding, denial });
  }
}

const has = (rule: JsonObject, field: string, value: string): boolean =>
  list(rule[field]).includes('*') || list(rule[field]).includes(value);

function constrains(policy: KubeObject, call: Call, operation: Operation): boolean {
  const { group, version, plural } = call.resource;
  const resource = call.subresource ? `${plural}/${call.subresource}` : plural;
  return list(child(child(policy, 'spec'), 'matchConstraints')['resourceRules']).some(
    (rule) =>
      isObject(rule) &&
      has(rule, 'apiGroups', group) &&
      has(rule, 'apiVersions', version) &&
      has(rule, 'operations', operation) &&
      has(rule, 'resources', resource),
  );
}

function contextOf(call: Call, operation: Operation, { object, oldObject }: { object?: KubeObject; oldObject?: KubeObject }): Context {
  const { namespace, user } = call;
  const name = object?.metadata.name ?? call.name;
  const request = { operation, name, namespace: namespace ?? '', userInfo: { username: user.name, groups: user.groups ?? [] } };
  return { object: toCel(object ?? null, undefined), oldObject: toCel(oldObject ?? null, undefined), request, variables: {} };
}

interface Denial {
  readonly reason: string;
  readonly message: string;
}

const failed = (expression: string, why: string): Denial => ({
  reason: 'Invalid',
  message: `expression '${expression}' resulted in error: ${why}`,
});

function firstDenial(policy: KubeObject, context: Context): Denial | undefined {
  const spec = child(policy, 'spec');
  for (const validation of list(spec['validations']).filter(isObject)) {
    const expression = text(validation['expression']);
    try {
      if (environment.evaluate(expression, context) !== true) return denialOf(validation, context);
    } catch (error) {
      if (spec['failurePolicy'] !== 'Ignore') return failed(expression, (error as Error).message.split('\n')[0] ?? '');
    }
  }
  return undefined;
}

function denialOf(validation: JsonObject, context: Context): Denial {
  const message = expressedMessage(text(validation['messageExpression']), context);
  const fallback = text(validation['message']).trim() || `failed expression: ${text(validation['expression']).trim()}`;
  return { reason: text(validation['reason']) || 'Invalid', message: message || fallback };
}

function expressedMessage(expression: string, context: Context): string {
  if (expression === '') return '';
  try {
    return text(environment.evaluate(expression, context)).trim();
  } catch {
    return '';
  }
}

function refusal(call: Call, object: KubeObject | undefined, why: { policy: KubeObject; binding: KubeObject; denial: Denial }): ApiError {
  const { group, plural } = call.resource;
  const name = object?.metadata.name ?? call.name;
  const { policy, binding, denial } = why;
  const message = `ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding.metadata.name}' denied request: ${denial.message}`;
  const subject = `${plural}${group ? `.${group}` : ''} "${name}"`;
  return new ApiError(CODES[denial.reason] ?? 422, denial.reason, `${subject} is forbidden: ${message}`, {
    details: { name, ...(group ? { group } : {}), kind: plural, causes: [{ message }] },
  });
}
