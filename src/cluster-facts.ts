import { InstallationKey } from './engine/model/identity.ts';
import { KubeError, type KeyUse, type Leadership } from './engine/ports/index.ts';
import { schemaOf } from './generate/schema/schema.ts';
import { backoff } from './lib/backoff.ts';
import { crdHashes } from './generated/crd-hashes.ts';
import {
  bytesOf,
  clusterUid,
  CrdGuard,
  type CrdMismatch,
  type ExpectedCrd,
  type KubeClient,
  KeySecret,
  KubeSecrets,
} from './kube/index.ts';
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
  readonly keyUse: KeyUse;
  readonly crds: CrdGuard;
}
interface Options {
  readonly settings: { readonly namespace: string; readonly leaseName: string };
  readonly kinds: readonly AnyKind[];
  readonly log: Log;
  readonly hooks: { mismatched(mismatches: readonly CrdMismatch[]): void };
  readonly clock: Clock;
  readonly random: Random;
  readonly leadership: Leadership;
}

/** Rejects only when `signal` aborts. */
export async function clusterFacts(options: Options, client: KubeClient, signal: AbortSignal): Promise<ClusterFacts> {
  const { settings, kinds, log, hooks, clock, leadership } = options;
  const insist = <T>(what: string, read: () => Promise<T>): Promise<T> => untilRead(options, signal, what, read);
  // Whoever comes first makes the key, leader or not.
  const keys = new KeySecret(new KubeSecrets(client, manager), settings.namespace, clock);
  const expected = expectedCrds(kinds);
  const uid = await insist('read the namespace kube-system', () => clusterUid(client, signal));
  const ring = await insist('read or make its installation key', () => keys.readOrMake(`${settings.leaseName}-key`, signal));
  const crds = new CrdGuard({ client, expected, clock, log, signal, report: (found) => hooks.mismatched(found) });
  await insist('read the CRDs', () => crds.check());
  crds.start();
  const labelled = new KeySecret(new KubeSecrets(client, manager, leadership), settings.namespace, clock);
  const keyUse: KeyUse = { show: (inUse, until) => labelled.mark(settings.leaseName, inUse, ring, until) };
  return { uid, key: new InstallationKey(bytesOf(ring.current), ring.previous.map(bytesOf), ring.madeAt), keyUse, crds };
}

const expectedCrds = (kinds: readonly AnyKind[]): readonly ExpectedCrd[] =>
  crdHashes.flatMap((crd) => {
    const kind = kinds.find((one) => one.kind === crd.kind);
    return kind === undefined ? [] : [{ ...crd, schema: () => schemaOf(kind) }];
  });

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
