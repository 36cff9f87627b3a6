import { InstallationKey } from './engine/identity/marks.ts';
import { KubeError } from './engine/ports.ts';
import { backoff } from './engine/run/backoff.ts';
import { crdHashes } from './generated/crd-hashes.ts';
import { clusterUid, CrdGuard, type CrdMismatch, installationKey, type KubeClient, KubeSecrets } from './kube/index.ts';
import { type Clock, sleep } from './lib/clock.ts';
import type { Random } from './lib/random.ts';
import type { AnyKind } from './resource/index.ts';
import type { Log } from './telemetry/log.ts';

/** Who writes, as the API server and people see it. */
export const manager = 'cloud-operator';

/** What must be known of the cluster before anything is done in it. */
export interface ClusterFacts {
  /** Of the namespace `kube-system`: the default installation. */
  readonly uid: string;
  readonly key: InstallationKey;
  readonly crds: CrdGuard;
}
interface Options {
  readonly settings: { readonly namespace: string; readonly leaseName: string };
  readonly kinds: readonly AnyKind[];
  readonly log: Log;
  readonly hooks: { mismatched(mismatches: readonly CrdMismatch[]): void };
  readonly clock: Clock;
  readonly random: Random;
}

/** Rejects only when `signal` aborts. */
export async function clusterFacts(options: Options, client: KubeClient, signal: AbortSignal): Promise<ClusterFacts> {
  const { settings, kinds, log, hooks, clock } = options;
  const insist = <T>(what: string, read: () => Promise<T>): Promise<T> => untilRead(options, signal, what, read);
  // Whoever comes first makes the key, leader or not.
  const secrets = new KubeSecrets(client, manager);
  const at = { namespace: settings.namespace, name: `${settings.leaseName}-key` };
  const expected = crdHashes.filter(({ kind }) => kinds.some((one) => one.kind === kind));
  const uid = await insist('read the namespace kube-system', () => clusterUid(client, signal));
  const key = await insist('read or make its installation key', () => installationKey(secrets, at, signal));
  const crds = new CrdGuard({ client, expected, clock, log, signal, report: (found) => hooks.mismatched(found) });
  await insist('read the CRDs', () => crds.check());
  crds.start();
  return { uid, key: new InstallationKey(key), crds };
}

/** Nothing can begin without these few reads, so they are repeated until they work, and say why they do not. */
async function untilRead<T>({ clock, log, random }: Options, signal: AbortSignal, what: string, read: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof KubeError) || signal.aborted) throw error;
      log.warn(`the operator cannot ${what} yet; it tries again`, { fault: error.fault, message: error.message });
      await sleep(clock, Math.min(backoff(failures, random), 30_000), signal);
    }
  }
}
