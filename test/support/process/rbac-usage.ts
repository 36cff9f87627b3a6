import type { AuditEntry } from '../../controlplane/servers/audit-log.ts';
import type { RenderedObject } from './rendered-chart.ts';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}
interface Role {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules: readonly Rule[];
}

const rightsOf = ({ apiGroups, resources, verbs }: Rule, namespace: string): readonly string[] =>
  apiGroups.flatMap((group) => resources.flatMap((resource) => verbs.map((verb) => right(namespace, group, resource, verb))));
const right = (namespace: string, group: string, resource: string, verb: string): string =>
  [namespace, `${resource}${group && `.${group}`}`, verb].filter((part) => part !== '').join(' ');

/** What the rendered roles that are bound to this ServiceAccount allow, as `namespace resource.group verb`. */
export function granted(objects: readonly RenderedObject[], account: { readonly name: string; readonly namespace: string }): Set<string> {
  const bindings = objects.filter(
    ({ kind, subjects }) =>
      kind.endsWith('Binding') && (subjects as { name: string; namespace: string }[] | undefined)?.some((one) => isSame(one, account)),
  );
  return new Set(
    bindings.flatMap(({ metadata, roleRef }) => {
      const { kind, name } = roleRef as { kind: string; name: string };
      const role = objects.find(
        (one) =>
          one.kind === kind && one.metadata.name === name && (kind === 'ClusterRole' || one.metadata.namespace === metadata.namespace),
      ) as unknown as Role;
      return role.rules.flatMap((rule) => rightsOf(rule, metadata.namespace ?? ''));
    }),
  );
}
const isSame = (
  a: { readonly name: string; readonly namespace: string },
  b: { readonly name: string; readonly namespace: string },
): boolean => a.name === b.name && a.namespace === b.namespace;

/** What this user did, in the same words. */
export const used = (entries: readonly AuditEntry[], user: string): Set<string> =>
  new Set(
    entries
      .filter((entry) => entry.user.username === user && entry.objectRef !== undefined)
      .map(({ verb, objectRef = {} }) => {
        const { namespace = '', apiGroup = '', resource = '', subresource } = objectRef;
        const cluster = resource === 'namespaces' || resource === 'customresourcedefinitions';
        return right(cluster ? '' : namespace, apiGroup, subresource === undefined ? resource : `${resource}/${subresource}`, verb);
      }),
  );
