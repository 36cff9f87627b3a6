import type { ClusterChoice } from '../config.ts';
import { fromKubeconfig, inCluster, type Cluster } from '../kube/index.ts';
import type { Clock } from '../lib/clock.ts';

/** A kubeconfig that was named wins; then the pod's ServiceAccount; then what kubectl would use. */
export function connect(clock: Clock, choice: ClusterChoice): Promise<Cluster> {
  if (choice.kubeconfig === undefined && choice.inCluster) return inCluster(clock, choice.inCluster);
  // Several files are merged as kubectl merges them: only the loader's own reading of KUBECONFIG can do that.
  const path = choice.kubeconfig === undefined || choice.kubeconfig.includes(':') ? {} : { path: choice.kubeconfig };
  return fromKubeconfig(clock, { ...path, ...(choice.context !== undefined && { context: choice.context }) });
}
