import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Grant, PolicyRule, User } from '../apiserver/authorization.ts';

const chart = new URL('../../charts/cloud-operator/templates/_generated.tpl', import.meta.url);
const name = 'cloud-operator';

/** The operator's ServiceAccount. */
export const operatorUser: User = {
  name: `system:serviceaccount:${name}:${name}`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${name}`],
};
export const operatorToken = 'operator-token';

const text = readFileSync(chart, 'utf8');

/** One table of the chart, as Helm renders it for a release of the usual name. */
function rulesOf(table: string): readonly PolicyRule[] {
  const block = new RegExp(`define "${name}\\.${table}" -}}\\n([\\s\\S]*?)\\{\\{- end }}`).exec(text)?.[1];
  if (block === undefined) throw new Error(`the chart has no table ${table}`);
  return parse(block.replaceAll(/\{\{[^}]*\}\}/g, name)) as readonly PolicyRule[];
}

/** What the chart lets the operator do where it serves all namespaces. */
export const chartGrants: readonly Grant[] = [
  { to: operatorUser.name, rules: [...rulesOf('objectRules'), ...rulesOf('clusterRules')] },
  { to: operatorUser.name, rules: rulesOf('ownRules'), namespace: name },
];
