import type { AnyKind } from '../../resource/index.ts';
import type { Manifest } from '../crd.ts';
import { group, plural, version } from '../names.ts';

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

const [secret, label] = ['cloud-operator-key', `${group}/in-use`];

/**
 * Holds on to the installation's key while objects have identities that were signed with it. The Secret is not named in the
 * rule: the deletion of a namespace takes what is in it without naming it.
 */
export const keyPolicySpec = {
  failurePolicy: 'Fail',
  matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['secrets'] }] },
  validations: [
    {
      expression: `oldObject.metadata.name != '${secret}' || !has(oldObject.metadata.labels) || !('${label}' in oldObject.metadata.labels)`,
      messageExpression: `'Secret ' + oldObject.metadata.namespace + '/' + oldObject.metadata.name + ' signs what objects of this cluster have in their cloud accounts; without it nobody can tell what is theirs. Keep a copy (cloud-operator key export), and delete those objects first. If it must go all the same, take its label ${label} away'`,
      reason: 'Forbidden',
    },
  ],
};

/** A policy and its binding; they refuse at admission, because a set deletionTimestamp cannot be undone. */
export const refusing = (name: string, spec: object): readonly Manifest[] => [
  { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicy', metadata: { name }, spec },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'] },
  },
];

export const protectPolicy = (kinds: readonly AnyKind[]): readonly Manifest[] => [
  ...refusing('cloud-operator-protect', protectPolicySpec(kinds)),
  ...refusing('cloud-operator-key', keyPolicySpec),
];
