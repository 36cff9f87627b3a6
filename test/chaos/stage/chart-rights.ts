import { clusterRules, objectRules, ownRules, secretRules } from '../../../src/generate/chart/rbac.ts';
import { kinds } from '../../../src/generated/kinds.ts';
import type { Grant, User } from '../../apiserver/requests/authorization.ts';

const name = 'cloud-operator';

/** The operator's ServiceAccount. */
export const operatorUser: User = {
  name: `system:serviceaccount:${name}:${name}`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${name}`],
};
export const operatorToken = 'operator-token';

/** What the chart, whose rules are generated from the same tables, lets the operator do where it serves all namespaces and kinds. */
export const chartGrants: readonly Grant[] = [
  { to: operatorUser.name, rules: [...objectRules(kinds), ...secretRules(kinds), ...clusterRules(kinds)] },
  { to: operatorUser.name, rules: ownRules(name), namespace: name },
];
