import { kubePath } from '../../kube/http/client.ts';
import type { Reader } from '../cluster/reader.ts';

type Kind = 'Secret' | 'ConfigMap';
interface Named {
  readonly name?: string;
  readonly secretName?: string;
}
interface Source {
  readonly secret?: Named;
  readonly configMap?: Named;
  readonly projected?: { readonly sources?: readonly Source[] };
}
interface Container {
  readonly env?: readonly { readonly valueFrom?: { readonly secretKeyRef?: Named; readonly configMapKeyRef?: Named } }[];
  readonly envFrom?: readonly { readonly secretRef?: Named; readonly configMapRef?: Named }[];
}
interface Pod {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly volumes?: readonly Source[];
    readonly containers?: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly imagePullSecrets?: readonly Named[];
  };
}
interface Page {
  readonly metadata?: { readonly continue?: string };
  readonly items?: readonly Pod[];
}

/** Which pods of a namespace take a Secret or ConfigMap. */
export type UsedBy = (kind: string, name: string) => readonly string[];

/** Undefined where the caller may not list pods. */
export async function podsUsing(reader: Reader, namespace: string): Promise<UsedBy | undefined> {
  const users = new Map<string, string[]>();
  let next: string | undefined = '';
  do {
    const path = `${kubePath('api', 'v1', 'namespaces', namespace, 'pods')}?limit=500${next === '' ? '' : `&continue=${encodeURIComponent(next)}`}`;
    const page = (await reader.optional(path)) as Page | undefined;
    if (page === undefined) return undefined;
    for (const pod of page.items ?? [])
      for (const taken of new Set(takenBy(pod))) users.set(taken, [...(users.get(taken) ?? []), pod.metadata.name]);
    next = page.metadata?.continue;
  } while (next !== undefined && next !== '');
  return (kind, name) => users.get(`${kind}/${name}`) ?? [];
}

function takenBy({ spec }: Pod): readonly string[] {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  return [
    ...(spec.volumes ?? []).flatMap((volume) => [volume, ...(volume.projected?.sources ?? [])].flatMap(ofSource)),
    ...containers.flatMap(({ env = [] }) =>
      env.flatMap(({ valueFrom = {} }) => [...one('Secret', valueFrom.secretKeyRef), ...one('ConfigMap', valueFrom.configMapKeyRef)]),
    ),
    ...containers.flatMap(({ envFrom = [] }) =>
      envFrom.flatMap(({ secretRef, configMapRef }) => [...one('Secret', secretRef), ...one('ConfigMap', configMapRef)]),
    ),
    ...(spec.imagePullSecrets ?? []).flatMap((named) => one('Secret', named)),
  ];
}

const ofSource = ({ secret, configMap }: Source): readonly string[] => [...one('Secret', secret), ...one('ConfigMap', configMap)];

/** A volume says `secretName`, all else `name`. */
function one(kind: Kind, named: Named | undefined): readonly string[] {
  const name = named?.secretName ?? named?.name;
  return name === undefined ? [] : [`${kind}/${name}`];
}
