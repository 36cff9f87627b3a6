import { KubeError } from './kubernetes.ts';

/** What to say where the operator may not read the Secrets or ConfigMaps of a namespace; its administrator chose which. Throws whatever else went wrong. */
export function readForbidden(error: unknown, namespace: string, what = 'Secret'): string {
  if (!(error instanceof KubeError) || error.fault !== 'Forbidden') throw error;
  return `the operator may not read ${what}s of namespace ${namespace}. Whoever installed it admits the namespace (secrets.namespaces of the chart), or put object and ${what} into one that is admitted`;
}
