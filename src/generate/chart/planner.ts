import type { AnyKind } from '../../resource/index.ts';
import type { Manifest } from '../crd.ts';
import { group, plural, version } from '../names.ts';
import { refusing } from './policy.ts';
import { clusterRules, type Rule } from './rbac.ts';

/** A verb of nobody but a planner, and of those who may do everything. */
const verb = 'plan';

/** RBAC knows no dry run: what may be planned may be written, as far as RBAC is asked. */
export const plannerRules = (kinds: readonly AnyKind[]): readonly Rule[] => [
  { apiGroups: [group], resources: kinds.map(({ kind }) => plural(kind)), verbs: ['get', 'list', 'create', 'patch', verb] },
  ...clusterRules(kinds),
];

const may = (what: string): string =>
  `authorizer.group('${group}').resource(request.resource.resource).namespace(request.namespace).check('${what}').allowed()`;

/** Whoever may plan and may not update has these rights for dry runs alone. */
export const plannerPolicySpec = (kinds: readonly AnyKind[]) => ({
  failurePolicy: 'Fail',
  matchConstraints: {
    resourceRules: [
      { apiGroups: [group], apiVersions: [version], operations: ['CREATE', 'UPDATE'], resources: kinds.map(({ kind }) => plural(kind)) },
    ],
  },
  validations: [
    {
      expression: `(has(request.dryRun) && request.dryRun) || !${may(verb)} || ${may('update')}`,
      messageExpression: `'user ' + request.userInfo.username + ' may plan ' + request.resource.resource + '.${group} in namespace ' + request.namespace + ', and not change them: only dry runs are admitted (kubectl cloud plan, kubectl apply --dry-run=server)'`,
      reason: 'Forbidden',
    },
  ],
});

const name = 'cloud-operator-planner';
/** The policy first: without it the role is one of a writer. */
export const planner = (kinds: readonly AnyKind[]): readonly Manifest[] => [
  ...refusing(name, plannerPolicySpec(kinds)),
  { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules: plannerRules(kinds) },
];
