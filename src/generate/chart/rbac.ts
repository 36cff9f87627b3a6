import { type AnyKind, type Mode, sitesOf } from '../../resource/index.ts';
import type { Manifest } from '../crd.ts';
import { crdName, group, plural } from '../names.ts';

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}
/** A rule that only some kinds need. */
export interface NeededRule extends Rule {
  readonly by: readonly AnyKind[];
}

/** In every namespace that the operator serves: its objects, their Events, and a lease for each account. */
export const objectRules = (kinds: readonly AnyKind[]): readonly Rule[] => [
  { apiGroups: [group], resources: kinds.map(({ kind }) => plural(kind)), verbs: ['get', 'list', 'watch', 'patch'] },
  { apiGroups: [group], resources: kinds.map(({ kind }) => `${plural(kind)}/status`), verbs: ['patch'] },
  // What was done once may go some time after its end, if its spec says so. Nothing else of ours is ever deleted.
  ...rule(
    kinds.filter(({ mode }) => isOperating[mode]).map(({ kind }) => plural(kind)),
    ['delete'],
  ),
  { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
  // By name is not possible: each is named after the uid of its account. It is deleted with the account, as its owner.
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'update'] },
];

/**
 * The Secrets and ConfigMaps that objects refer to or give their outputs to, by name, in every namespace or in those that the administrator
 * admits. Neither list nor watch: they would show everything in a namespace. Not delete either: what is no longer named is emptied.
 */
export function secretRules(kinds: readonly AnyKind[]): readonly NeededRule[] {
  const giving = kinds.filter(({ outputs }) => outputs !== undefined);
  const reading = kinds.filter((kind) => giving.includes(kind) || readsConfigMaps(kind));
  const rules = [
    { apiGroups: [''], resources: ['secrets'], verbs: ['get'], by: kinds },
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get'], by: reading },
    { apiGroups: [''], resources: ['secrets', 'configmaps'], verbs: ['create', 'patch'], by: giving },
  ];
  return rules.filter(({ by }) => by.length > 0);
}
const asRule = ({ apiGroups, resources, verbs }: Rule): Rule => ({ apiGroups, resources, verbs });
const readsConfigMaps = ({ spec }: AnyKind): boolean => sitesOf(spec).some(({ what }) => what.is === 'configMap');

/** In the operator's own namespace: the lease, and the Secrets that hold its key and the copies of the accounts' tokens. */
export const ownRules = (lease: string): readonly Rule[] => [
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'update'], resourceNames: [lease] },
  // A name cannot restrict a create.
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
  { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'create', 'patch', 'delete'] },
];

/** Things without a namespace: our own CRDs, to see whether they are as this version needs them, and the cluster's uid. */
export const clusterRules = (kinds: readonly AnyKind[]): readonly Rule[] => [
  { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['get'], resourceNames: kinds.map(crdName) },
  { apiGroups: [''], resources: ['namespaces'], verbs: ['get'], resourceNames: ['kube-system'] },
];

const isAccount: Readonly<Record<Mode, boolean>> = {
  collection: false,
  singleton: false,
  connection: true,
  issued: false,
  operation: false,
};
/** What is done once, whose actions RBAC cannot tell apart: a reboot and what erases a disk take the same verb. */
const isOperating: Readonly<Record<Mode, boolean>> = {
  collection: false,
  singleton: false,
  connection: false,
  issued: false,
  operation: true,
};
const isOwners = ({ mode, accountLevel }: AnyKind): boolean => isAccount[mode] || accountLevel === true;
/** Kinds that users of a namespace get with its `view` and `edit` roles: not the account, nor what concerns the account as a whole. */
const forUsers = (kinds: readonly AnyKind[]): readonly string[] => kinds.filter((kind) => !isOwners(kind)).map(({ kind }) => plural(kind));
const forOwners = (kinds: readonly AnyKind[]): readonly string[] => kinds.filter(isOwners).map(({ kind }) => plural(kind));

const read = ['get', 'list', 'watch'];
const write = ['create', 'delete', 'patch', 'update'];

/** The API server refuses a rule for no resource at all. */
const rule = (resources: readonly string[], verbs: readonly string[]): readonly Rule[] =>
  resources.length > 0 ? [{ apiGroups: [group], resources, verbs }] : [];

export const viewRules = (kinds: readonly AnyKind[]): readonly Rule[] => rule(forUsers(kinds), read);
export const editRules = (kinds: readonly AnyKind[]): readonly Rule[] =>
  rule(forUsers(kinds.filter(({ mode }) => !isOperating[mode])), [...read, ...write]);
/** For those who may have things done once; aggregated into no role. */
export const operateRules = (kinds: readonly AnyKind[]): readonly Rule[] =>
  rule(forUsers(kinds.filter(({ mode }) => isOperating[mode])), [...read, ...write]);
/** Bound by the cluster's administrator to those who own an account; aggregated into no role. */
export const accountAdminRules = (kinds: readonly AnyKind[]): readonly Rule[] => rule(forOwners(kinds), [...read, ...write]);

const rbac = 'rbac.authorization.k8s.io';
const name = 'cloud-operator';
const namespace = 'cloud-operator';
const subjects = [{ kind: 'ServiceAccount', name, namespace }];

const clusterRole = (role: string, rules: readonly Rule[], labels?: Readonly<Record<string, string>>): Manifest => ({
  apiVersion: `${rbac}/v1`,
  kind: 'ClusterRole',
  metadata: { name: role, ...(labels && { labels }) },
  rules,
});

/** The roles of the kustomize base, which serves all namespaces; the chart has a Role per namespace too. */
export const roles = (kinds: readonly AnyKind[]): readonly Manifest[] => [
  clusterRole(name, [...objectRules(kinds), ...secretRules(kinds).map(asRule), ...clusterRules(kinds)]),
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name },
    subjects,
  },
  { apiVersion: `${rbac}/v1`, kind: 'Role', metadata: { name, namespace }, rules: ownRules(name) },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: { name, namespace },
    roleRef: { apiGroup: rbac, kind: 'Role', name },
    subjects,
  },
  clusterRole(`${name}-view`, viewRules(kinds), {
    [`${rbac}/aggregate-to-view`]: 'true',
    [`${rbac}/aggregate-to-edit`]: 'true',
    [`${rbac}/aggregate-to-admin`]: 'true',
  }),
  clusterRole(`${name}-edit`, editRules(kinds), { [`${rbac}/aggregate-to-edit`]: 'true', [`${rbac}/aggregate-to-admin`]: 'true' }),
  clusterRole(`${name}-operate`, operateRules(kinds)),
  clusterRole(`${name}-account-admin`, accountAdminRules(kinds)),
];
