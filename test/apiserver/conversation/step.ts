/**
 * One request of a conversation. Strings may hold `{ns}` (a namespace of its own), `{name.uid}`, `{name.resourceVersion}`
 * and `{name.continue}` of an earlier step's answer.
 */
export interface Step {
  /** Method and path; `@widgets`, `@secrets`, ... stand for that collection in the conversation's namespace. */
  readonly send: string;
  readonly body?: unknown;
  /** A body that is sent as it is. */
  readonly raw?: string;
  /** Content type; short for the two patches: `merge` and `json`. Default: JSON, for a PATCH a merge patch. */
  readonly type?: string;
  readonly as?: string;
  /** Content type of the answer; short for metadata alone: `metadata`. Default: JSON. */
  readonly accept?: 'metadata';
  /** Without rights, or with a token that nobody knows. Default: the administrator. */
  readonly user?: 'nobody' | 'unknown';
  /** Repeats the request until it has this status: for what controllers do in their own time. */
  readonly until?: number;
  /** Why only the status is compared. */
  readonly differs?: string;
}

export interface Conversation {
  readonly name: string;
  readonly steps: readonly Step[];
}

export const COLLECTIONS: Readonly<Record<string, string>> = {
  widgets: '/apis/apiserver.test/v1/namespaces/{ns}/widgets',
  secrets: '/api/v1/namespaces/{ns}/secrets',
  configmaps: '/api/v1/namespaces/{ns}/configmaps',
  serviceaccounts: '/api/v1/namespaces/{ns}/serviceaccounts',
  events: '/api/v1/namespaces/{ns}/events',
  newevents: '/apis/events.k8s.io/v1/namespaces/{ns}/events',
  leases: '/apis/coordination.k8s.io/v1/namespaces/{ns}/leases',
  crds: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
};

/** A widget's manifest. */
export function widget(name: string, spec: unknown, metadata: Record<string, unknown> = {}): unknown {
  return { apiVersion: 'apiserver.test/v1', kind: 'Widget', metadata: { ...(name ? { name } : {}), ...metadata }, spec };
}
