import { seconds } from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import type { Outcome } from '../model/outcome.ts';

/**
 * Before anything is signed under an installation that nobody has named: from here on only what is in use can be named, because
 * another name would prove nothing of what was signed (README: installation). An outcome: it was named meanwhile.
 */
export async function useInstallation({ engine, account, name, effects }: ReconcileContext): Promise<Outcome | undefined> {
  const { kind } = engine.registry.connection;
  const known = engine.objects.get(kind, account.key);
  if (known === undefined || known.spec['installation'] !== undefined || known.status?.['installationInUse'] === true) return undefined;
  const { uid } = known.metadata;
  const body = { metadata: { uid }, status: { installation: name.installation, installationInUse: true } };
  const now = await engine.installationUse.begin(uid, engine.clock.monotonic(), () =>
    effects.patchAccount({ type: 'merge', body, subresource: 'status' }),
  );
  return now.spec['installation'] === undefined ? undefined : { is: 'Quiet', recheckAfter: seconds(2) };
}
