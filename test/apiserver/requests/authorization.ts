import { forbidden } from './api-error.ts';
import type { Route } from './route.ts';

/** As in a Role or ClusterRole, so that tests can take the rules of the chart. */
export interface PolicyRule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

/** Rules for one user or group; `namespace` absent: everywhere, cluster-scoped resources included. */
export interface Grant {
  readonly to: string;
  readonly rules: readonly PolicyRule[];
  readonly namespace?: string;
}

export interface User {
  readonly name: string;
  readonly groups?: readonly string[];
}

const has = (list: readonly string[] | undefined, value: string): boolean =>
  list !== undefined && (list.includes('*') || list.includes(value));

export class Authorizer {
  readonly #grants: () => readonly Grant[];

  constructor(grants: () => readonly Grant[]) {
    this.#grants = grants;
  }

  /** Throws Forbidden in the words of the real server. */
  check(user: User, verb: string, route: Route, selected: string): void {
    const name = route.name || selected;
    if (this.#allowed(user, (grant) => covers(grant, verb, route, name))) return;
    const what = route.subresource ? `${route.plural}/${route.subresource}` : route.plural;
    const where = route.namespace === undefined ? 'at the cluster scope' : `in the namespace "${route.namespace}"`;
    const why = `User "${user.name}" cannot ${verb} resource "${what}" in API group "${route.group}" ${where}`;
    throw forbidden({ group: route.group, kind: route.plural }, name, why);
  }

  allowsPath(user: User, verb: string, path: string): boolean {
    return this.#allowed(user, (grant) =>
      grant.rules.some((rule) => has(rule.verbs, verb) && pathMatches(rule.nonResourceURLs ?? [], path)),
    );
  }

  #allowed(user: User, test: (grant: Grant) => boolean): boolean {
    const groups = [...(user.groups ?? []), ...(user.name === 'system:anonymous' ? ['system:unauthenticated'] : ['system:authenticated'])];
    if (groups.includes('system:masters')) return true;
    return this.#grants().some((grant) => (grant.to === user.name || groups.includes(grant.to)) && test(grant));
  }
}

function covers(grant: Grant, verb: string, route: Route, name: string): boolean {
  if (grant.namespace !== undefined && grant.namespace !== namespaceOf(route)) return false;
  return grant.rules.some((rule) => ruleCovers(rule, verb, route, name));
}

/** A request for a namespace object itself counts as being in that namespace. */
function namespaceOf(route: Route): string | undefined {
  return route.namespace ?? (route.group === '' && route.plural === 'namespaces' && route.name ? route.name : undefined);
}

function ruleCovers(rule: PolicyRule, verb: string, route: Route, name: string): boolean {
  if (!has(rule.verbs, verb) || !has(rule.apiGroups, route.group)) return false;
  if (rule.resourceNames && rule.resourceNames.length > 0 && !rule.resourceNames.includes(name)) return false;
  const resources = rule.resources ?? [];
  if (!route.subresource) return has(resources, route.plural);
  return has(resources, `${route.plural}/${route.subresource}`) || resources.includes(`*/${route.subresource}`);
}

function pathMatches(patterns: readonly string[], path: string): boolean {
  return patterns.some((pattern) => (pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : pattern === path));
}
