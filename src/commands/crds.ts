import { readClusterChoice, type Environment } from '../config.ts';
import { crdBundle, crdManifests } from '../generate/crd-bundle.ts';
import { kinds } from '../generated/kinds.ts';
import { applyCrds, KubeClient } from '../kube/index.ts';
import { systemClock } from '../lib/clock.ts';
import { connect } from './cluster.ts';

/** `crds`: the CRDs of this release as YAML. `crds --apply`: server-side apply of them; answers what was applied. */
export async function crds(args: readonly string[], env: Environment): Promise<string> {
  if (!args.includes('--apply')) {
    readClusterChoice(args, env);
    return crdBundle(kinds);
  }
  const choice = readClusterChoice(
    args.filter((arg) => arg !== '--apply'),
    env,
  );
  const client = new KubeClient({ cluster: await connect(systemClock, choice), clock: systemClock, userAgent: 'cloud-operator' });
  try {
    const manifests = crdManifests(kinds);
    await applyCrds(client, manifests, 'cloud-operator', new AbortController().signal);
    return manifests.map(({ metadata }) => `${metadata.name} applied\n`).join('');
  } finally {
    await client.close();
  }
}
