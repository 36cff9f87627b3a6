/** The versions that tests, demo and bench run on. Changing one means: new go.mod and go.sum under `modules/`. */
export const pinned = {
  kubernetes: '1.36.3',
  etcd: '3.6.14',
  helm: '4.3.1',
  /** Of the Go module; Prometheus calls the same one 3.16.0. */
  prometheus: '0.316.0',
  argocd: '3.2.11',
  crane: '0.22.1',
  cosign: '3.1.3',
  k3sImage: 'rancher/k3s:v1.35.0-k3s1',
} as const;

/** The programs of a control plane, in the order in which they are built. */
export const TOOLS = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kubectl'] as const;
export type Tool = (typeof TOOLS)[number];

/** Without it the API works, but namespaces stay `Terminating` and owned objects are not collected. */
export const OPTIONAL_TOOL: Tool = 'kube-controller-manager';

export type ToolPaths = Partial<Record<Tool, string>>;

/** `1.36` of `1.36.3` or `Kubernetes v1.36.3`; empty when there is no version in the text. */
export function minorOf(version: string): string {
  return /(\d+\.\d+)\.\d+/.exec(version)?.[1] ?? '';
}
