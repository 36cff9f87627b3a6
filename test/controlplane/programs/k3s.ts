import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ControlPlane } from '../control-plane.ts';
import { useCluster } from '../servers/existing-cluster.ts';
import { ToolsMissing } from './finder.ts';
import type { Machine } from './machine.ts';
import { pinned } from './pinned.ts';

/** The last resort: K3s in Docker. `missing` says why nothing before it worked, and is thrown when there is no Docker either. */
export async function startK3s(machine: Machine, missing: ToolsMissing): Promise<ControlPlane> {
  machine.log(`Trying K3s in Docker (${pinned.k3sImage}), because ${missing.missing.join(', ')} could not be found or built`);
  const { K3sContainer } = await import('@testcontainers/k3s');
  const container = await new K3sContainer(pinned.k3sImage)
    .withCommand(['server', '--disable=traefik', '--disable=metrics-server'])
    .start()
    .catch((error: Error) => {
      throw new ToolsMissing(missing.missing, [...missing.reasons, `K3s in Docker: ${error.message}`]);
    });
  const folder = await mkdtemp(join(tmpdir(), 'cloud-operator-k3s-'));
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, container.getKubeConfig(), { mode: 0o600 });
  const remove = async (): Promise<void> => {
    await container.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const controlPlane = await useCluster(kubeconfig, machine, remove).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  machine.log(`Control plane: K3s in Docker, ${pinned.k3sImage}, ${controlPlane.url}`);
  return controlPlane;
}
