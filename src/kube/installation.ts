import { KubeError } from '../engine/ports/index.ts';
import { kubePath } from './http/client.ts';
import type { KubeClient } from './http/client.ts';

/** The cluster's own identity: the uid of its `kube-system` namespace, which lives as long as the cluster. */
export async function clusterUid(client: KubeClient, signal: AbortSignal): Promise<string> {
  const namespace = (await client.request({ path: kubePath('api', 'v1', 'namespaces', 'kube-system'), signal })) as {
    readonly metadata?: { readonly uid?: string };
  };
  const uid = namespace.metadata?.uid;
  if (uid === undefined) throw new KubeError('Unavailable', 'the namespace kube-system has no uid in the answer of the API server');
  return uid;
}
