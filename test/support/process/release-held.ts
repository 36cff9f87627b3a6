import { sleep, systemClock, type Millis } from '../../../src/lib/clock.ts';
import type { Cluster } from '../../controlplane/cluster.ts';

interface Hold {
  readonly release: string;
  readonly message: string;
}

async function holdOf(cluster: Cluster, namespace: string): Promise<Hold | undefined | 'gone'> {
  // In a list, as the demo's own kubectl knows few flags.
  const { stdout } = await cluster.kubectl(['-n', namespace, 'get', 'cloudaccount', '-o', 'json']);
  const [account] = (JSON.parse(stdout) as { readonly items: readonly { readonly status?: { readonly held?: readonly Hold[] } }[] }).items;
  return account === undefined ? 'gone' : account.status?.held?.[0];
}

/**
 * Where too many are deleted at once, a person lets them go by the line that the account shows. It is of what was held when
 * it was read: what was asked to go a moment later joins, and the account shows another line.
 */
export async function releaseHeld(
  cluster: Cluster,
  namespace: string,
  limit: Millis,
  say: (message: string) => void = () => {},
): Promise<void> {
  const begun = systemClock.monotonic();
  const given = new Set<string>();
  for (;;) {
    const hold = await holdOf(cluster, namespace);
    // So few that nothing was held.
    if (hold === 'gone') return;
    if (hold === undefined && given.size > 0) return;
    if (hold !== undefined && !given.has(hold.release)) {
      given.add(hold.release);
      say(hold.message);
      await cluster.kubectl([
        '-n',
        namespace,
        'annotate',
        'cloudaccount/default',
        '--overwrite',
        `cloudhosting.dev/release=${hold.release}`,
      ]);
    }
    if (systemClock.monotonic() - begun > limit)
      throw new Error(`the deletion of everything was neither held and let go nor over within ${limit / 1000} s`);
    await sleep(systemClock, 200);
  }
}
