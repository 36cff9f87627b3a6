import type { AnyKind } from '../resource/index.ts';
import type { Manifest } from './crd.ts';
import { group, plural, version } from './names.ts';

const guarded = (object: string): string =>
  `has(${object}.spec) && has(${object}.spec.lifecycle) && has(${object}.spec.lifecycle.protect) && ${object}.spec.lifecycle.protect`;

/** What the policy says; the chart wraps the same in its own names and labels. */
export const protectPolicySpec = (kinds: readonly AnyKind[]) => ({
  failurePolicy: 'Fail',
  matchConstraints: {
    resourceRules: [
      { apiGroups: [group], apiVersions: [version], operations: ['DELETE'], resources: kinds.map(({ kind }) => plural(kind)) },
    ],
  },
  validations: [
    {
      expression: `!(${guarded('oldObject')})`,
      messageExpression:
        "oldObject.kind + ' ' + oldObject.metadata.name + ' has spec.lifecycle.protect: true, so that it cannot be deleted: set it to false first if the deletion is meant'",
      reason: 'Forbidden',
    },
  ],
});

/** Refuses deletion of protected objects at admission, because a set deletionTimestamp cannot be undone (design 4.6). */
export const protectPolicy = (kinds: readonly AnyKind[]): readonly Manifest[] => [
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'cloud-operator-protect' },
    spec: protectPolicySpec(kinds),
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'cloud-operator-protect' },
    spec: { policyName: 'cloud-operator-protect', validationActions: ['Deny'] },
  },
];
