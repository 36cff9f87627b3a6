import { widget } from './step.ts';
import type { Conversation } from './step.ts';

const rules = (operations: readonly string[]): unknown => ({
  resourceRules: [{ apiGroups: ['apiserver.test'], apiVersions: ['v1'], operations, resources: ['widgets'] }],
});
const policy = (name: string, operations: readonly string[], validations: unknown[]): unknown => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: { failurePolicy: 'Fail', matchConstraints: rules(operations), validations },
});
const binding = (name: string): unknown => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name },
  // Only the objects of this conversation: policies are for the whole cluster, and other conversations may go on beside it.
  spec: {
    policyName: name,
    validationActions: ['Deny'],
    matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': '{ns}' } } },
  },
});
const asynchronous = 'the type checker writes its findings into the status a moment later';
const root = '/apis/admissionregistration.k8s.io/v1';
const protectedWidget = { free: { protect: true }, size: 1 };

export const policies: Conversation = {
  name: 'policies',
  steps: [
    {
      send: `POST ${root}/validatingadmissionpolicies`,
      body: policy(
        '{ns}-protect',
        ['DELETE'],
        [
          {
            expression: '!(has(oldObject.spec.free) && has(oldObject.spec.free.protect) && oldObject.spec.free.protect)',
            messageExpression: "oldObject.metadata.name + ' is protected'",
            reason: 'Forbidden',
          },
        ],
      ),
      differs: asynchronous,
    },
    {
      send: `POST ${root}/validatingadmissionpolicies`,
      body: policy(
        '{ns}-small',
        ['CREATE', 'UPDATE'],
        [
          { expression: "object.spec.size < 50 && request.name != ''" },
          { expression: 'object.spec.size < 40', message: 'size must stay below 40' },
        ],
      ),
      differs: asynchronous,
    },
    { send: `POST ${root}/validatingadmissionpolicybindings`, body: binding('{ns}-protect'), differs: 'defaults are filled in' },
    { send: `POST ${root}/validatingadmissionpolicybindings`, body: binding('{ns}-small'), differs: 'defaults are filled in' },
    { send: 'POST @widgets?dryRun=All', body: widget('probe', { size: 60 }), until: 422 },
    { send: 'POST @widgets', body: widget('big', { size: 45 }) },
    { send: 'POST @widgets', body: widget('kept', protectedWidget) },
    { send: 'PATCH @widgets/kept', body: { spec: { size: 45 } } },
    { send: 'PATCH @widgets/kept/status', body: { status: { phase: 'not constrained' } } },
    { send: 'DELETE @widgets/kept?dryRun=All', until: 403 },
    { send: 'DELETE @widgets/kept' },
    { send: 'PATCH @widgets/kept', body: { spec: { free: { protect: false } } } },
    { send: 'DELETE @widgets/kept' },
    { send: `DELETE ${root}/validatingadmissionpolicybindings/{ns}-protect` },
    { send: `DELETE ${root}/validatingadmissionpolicybindings/{ns}-small` },
    { send: `DELETE ${root}/validatingadmissionpolicies/{ns}-protect` },
    { send: `DELETE ${root}/validatingadmissionpolicies/{ns}-small` },
  ],
};
