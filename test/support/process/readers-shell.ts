import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Cluster } from '../../controlplane/cluster.ts';
import { findHelm } from '../../controlplane/programs/helm.ts';
import { thisMachine } from '../../controlplane/programs/machine.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** What who reads the guides has in a shell: programs in PATH, and what the guides name by a variable. */
export interface ReadersShell {
  /** Goes in front of PATH: kubectl and helm for this cluster, `cloud-operator` and `kubectl cloud`. */
  readonly bin: string;
  readonly variables: Readonly<Record<'KUBECONFIG' | 'KUBECACHEDIR' | 'API' | 'TOKEN' | 'AUDIT_LOG' | 'BACKUP' | 'MANIFESTS', string>>;
}

/** Where the operator's audit log is to be written, so that the guides' `$AUDIT_LOG` is it. */
export const auditLogIn = (folder: string): string => join(folder, 'changes.log');

export async function readersShell(
  cluster: Cluster,
  folder: string,
  account: { readonly url: string; readonly token: string },
): Promise<ReadersShell> {
  const bin = join(folder, 'bin');
  const backup = join(folder, 'backup');
  for (const made of [bin, backup]) await mkdir(made);
  const programs = {
    kubectl: [cluster.coordinates.kubectl],
    helm: [await findHelm(thisMachine(() => undefined))],
    'kubectl-cloud': [process.execPath, `${root}dist/kubectl-cloud`],
    'cloud-operator': [process.execPath, `${root}dist/cloud-operator.mjs`],
  };
  for (const [name, words] of Object.entries(programs)) {
    // One that is in PATH anyway is known by its mere name, and would call itself.
    if (words[0] === name) continue;
    await writeFile(join(bin, name), `#!/bin/sh\nexec ${words.map((word) => `"${word}"`).join(' ')} "$@"\n`, { mode: 0o755 });
  }
  const variables = {
    KUBECONFIG: await cluster.kubeconfigFor(cluster.adminToken),
    KUBECACHEDIR: join(folder, 'cache'),
    API: account.url,
    TOKEN: account.token,
    AUDIT_LOG: auditLogIn(folder),
    BACKUP: backup,
    MANIFESTS: join(folder, 'manifests'),
  };
  return { bin, variables };
}
