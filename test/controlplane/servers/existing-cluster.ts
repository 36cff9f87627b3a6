import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { runCommand } from '../command.ts';
import { ControlPlane } from '../control-plane.ts';
import { findTool } from '../programs/finder.ts';
import type { Machine } from '../programs/machine.ts';
import { createRunFolder } from './run-folder.ts';

/** How to run kubectl against a cluster that is not ours. */
interface Access {
  readonly kubectl: string;
  readonly kubeconfig: string;
  readonly folder: string;
}

const NAMESPACE = 'kube-system';

/** Uses the cluster of KUBECONFIG. Leaves one ServiceAccount and its binding there until `stop`. */
export async function existingCluster(machine: Machine): Promise<ControlPlane> {
  const kubeconfig = machine.env['KUBECONFIG'];
  if (!kubeconfig)
    throw new Error('USE_EXISTING_CLUSTER=true needs KUBECONFIG: set it to the kubeconfig of a cluster that tests may change');
  const controlPlane = await useCluster(kubeconfig, machine, async () => undefined);
  machine.log(`Control plane: existing cluster ${controlPlane.url} of KUBECONFIG=${kubeconfig}`);
  return controlPlane;
}

/** Makes an administrator's token for the cluster of a kubeconfig, so that from then on it is used like our own. */
export async function useCluster(kubeconfig: string, machine: Machine, afterStop: () => Promise<void>): Promise<ControlPlane> {
  const access: Access = { kubectl: await findKubectl(machine), kubeconfig, folder: await createRunFolder() };
  const name = `cloud-operator-test-${randomBytes(4).toString('hex')}`;
  const { url, ca } = await endpointOf(access);
  await must(access, ['create', 'serviceaccount', name, '-n', NAMESPACE]);
  await must(access, ['create', 'clusterrolebinding', name, '--clusterrole=cluster-admin', `--serviceaccount=${NAMESPACE}:${name}`]);
  const adminToken = (await must(access, ['create', 'token', name, '-n', NAMESPACE, '--duration=24h'])).trim();
  const coordinates = { url, ca, adminToken, userKey: '', auditLog: '', kubectl: access.kubectl, folder: access.folder, controllers: true };
  const stop = async (): Promise<void> => {
    await must(access, ['delete', 'clusterrolebinding', name]);
    await must(access, ['delete', 'serviceaccount', name, '-n', NAMESPACE]);
    await rm(access.folder, { recursive: true, force: true });
    await afterStop();
  };
  const controlPlane = new ControlPlane(coordinates, { stop }, machine.clock);
  await controlPlane.kubeconfigFor(adminToken);
  return controlPlane;
}

/** Any kubectl will do here; one in PATH spares a build. */
async function findKubectl(machine: Machine): Promise<string> {
  const { code } = await machine.run('kubectl', ['version', '--client']);
  return code === 0 ? 'kubectl' : findTool('kubectl', machine);
}

async function endpointOf(access: Access): Promise<{ url: string; ca: string }> {
  const text = await must(access, ['config', 'view', '--raw', '--minify', '--flatten', '-o', 'json']);
  const view = JSON.parse(text) as { clusters: { cluster: { server: string; 'certificate-authority-data'?: string } }[] };
  const cluster = view.clusters[0]?.cluster;
  if (cluster === undefined) throw new Error(`${access.kubeconfig} has no cluster in its current context`);
  return { url: cluster.server, ca: Buffer.from(cluster['certificate-authority-data'] ?? '', 'base64').toString() };
}

async function must(access: Access, args: readonly string[]): Promise<string> {
  const result = await runCommand(access.kubectl, ['--kubeconfig', access.kubeconfig, ...args]);
  if (result.code === 0) return result.stdout;
  throw new Error(`kubectl ${args.join(' ')} on the cluster of ${access.kubeconfig}: ${result.stderr.trim()}`);
}
