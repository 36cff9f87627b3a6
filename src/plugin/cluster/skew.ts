import type { Session } from '../session.ts';
import { crdStates } from './installed.ts';

/** Says once of which kinds the CRD in the cluster is of another release. Reads go on: what one side does not know is not shown. */
export async function tellSkew(session: Session, kinds: readonly string[]): Promise<void> {
  const states = await crdStates(await session.reader(), [...new Set(kinds)]);
  const other = states.filter(({ state }) => state === 'differs').map(({ name }) => name);
  if (other.length > 0)
    session.warn(
      `The CRDs ${other.join(', ')} are of another release than this plugin, which may not show all that they hold. kubectl cloud version names both.`,
    );
}
