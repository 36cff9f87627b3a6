/** A custom resource as the API server answers it. */
export interface KubeObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly generation: number;
    readonly annotations?: Record<string, string>;
    readonly finalizers?: readonly string[];
    readonly deletionTimestamp?: string;
    readonly resourceVersion: string;
  };
  readonly spec: Record<string, unknown>;
  readonly status?: Record<string, unknown> & { readonly conditions?: readonly Condition[] };
}
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration: number;
  readonly lastTransitionTime: string;
}
