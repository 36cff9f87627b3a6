import { minutes, seconds } from '../../resource/index.ts';
import { KubeError } from './kubernetes.ts';

/** There is no watch on Secrets (README: secrets): a token is read this often, so that a rotated one is in use within a minute. */
export const tokenEvery = seconds(60);
/** And the other Secrets and ConfigMaps that objects name. */
export const dataEvery = minutes(5);

/** What to say where the operator may not read the Secrets or ConfigMaps of a namespace; its administrator chose which. Throws whatever else went wrong. */
export function readForbidden(error: unknown, namespace: string, what = 'Secret'): string {
  if (!(error instanceof KubeError) || error.fault !== 'Forbidden') throw error;
  return `the operator may not read ${what}s of namespace ${namespace}. Whoever installed it admits the namespace (secrets.namespaces of the chart), or put object and ${what} into one that is admitted`;
}
