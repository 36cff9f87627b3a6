export type KStatus = 'Current' | 'InProgress' | 'Failed' | 'Terminating';

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}
/** As much of an object as kstatus and Argo CD look at. */
export interface Judged {
  readonly metadata: { readonly generation: number; readonly deletionTimestamp?: string };
  readonly status?: { readonly observedGeneration?: number; readonly conditions?: readonly Condition[] };
}

/** kstatus's generic rules for a kind that it has no rules of its own for, in its order; the default is Current. */
export function kstatus({ metadata, status }: Judged): KStatus {
  if (metadata.deletionTimestamp !== undefined) return 'Terminating';
  const observed = status?.observedGeneration;
  if (observed !== undefined && observed !== metadata.generation) return 'InProgress';
  return standard(status?.conditions ?? []) ?? readiness(status?.conditions ?? []);
}

/** The first of the two standard conditions that holds decides, in the order of the list. */
function standard(conditions: readonly Condition[]): KStatus | undefined {
  const first = conditions.find(({ type, status }) => (type === 'Reconciling' || type === 'Stalled') && status === 'True');
  if (first === undefined) return undefined;
  return first.type === 'Stalled' ? 'Failed' : 'InProgress';
}

const readiness = (conditions: readonly Condition[]): KStatus => {
  const ready = conditions.find(({ type }) => type === 'Ready');
  return ready === undefined || ready.status === 'True' ? 'Current' : 'InProgress';
};
