import { apiVersionOf } from './resource.ts';
import type { Resource } from './resource.ts';

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** Discovery documents and the few paths that are no resources. Undefined: not such a path. */
export function discover(path: string, resources: readonly Resource[]): unknown {
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] };
  if (path === '/apis') return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups(resources) };
  if (path === '/version') return { major: '1', minor: '36', gitVersion: 'v1.36.3', platform: 'linux/amd64' };
  const group = /^\/apis\/([^/]+)$/.exec(path)?.[1];
  if (group) return groups(resources).find((one) => one.name === group);
  const version = /^\/apis\/([^/]+\/[^/]+)$|^\/api\/(v1)$/.exec(path);
  if (version) return resourceList(version[1] ?? version[2] ?? '', resources);
  return undefined;
}

interface Group {
  readonly kind: 'APIGroup';
  readonly apiVersion: 'v1';
  readonly name: string;
  readonly versions: { groupVersion: string; version: string }[];
  readonly preferredVersion: unknown;
}

function groups(resources: readonly Resource[]): Group[] {
  const names = [...new Set(resources.map((resource) => resource.group))].filter((group) => group !== '');
  return names.map((name) => {
    const served = [...new Set(resources.filter((resource) => resource.group === name).map((resource) => resource.version))];
    const versions = served.map((version) => ({ groupVersion: `${name}/${version}`, version }));
    return { kind: 'APIGroup', apiVersion: 'v1', name, versions, preferredVersion: versions[0] };
  });
}

function resourceList(groupVersion: string, resources: readonly Resource[]): unknown {
  const served = resources.filter((resource) => apiVersionOf(resource) === groupVersion);
  if (served.length === 0) return undefined;
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: served.flatMap(entries) };
}

function entries(resource: Resource): unknown[] {
  const { plural, singular, namespaced, kind, shortNames, categories } = resource;
  const main = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: VERBS,
    ...(shortNames.length ? { shortNames } : {}),
    ...(categories.length ? { categories } : {}),
  };
  return [
    main,
    ...resource.subresources.map((name) => ({
      name: `${plural}/${name}`,
      singularName: '',
      namespaced,
      kind,
      verbs: ['get', 'patch', 'update'],
    })),
  ];
}
