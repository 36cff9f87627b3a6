import type { Millis } from '../../lib/clock.ts';
import type { OpenCloud } from '../host.ts';
import type { Session } from '../session.ts';

/** Longer than answers take. */
const patience: Millis = 5000;

/** Says once that the account's rate window is waited for, where that holds the work up. */
export async function tellingOfWaits<T>(session: Session, connector: OpenCloud, work: () => Promise<T>): Promise<T> {
  const longest = (): number => Math.max(0, ...connector.figures().flatMap(({ queueAge }) => Object.values(queueAge)));
  const look = (): void => {
    if (longest() * 1000 < patience / 2) timer = session.host.clock.after(patience, look);
    else
      session.warn(
        `waiting for the rate window of the account: at most ${session.accounts.share} % of it are taken, so that the operator has the rest. It goes on within a minute or two`,
      );
  };
  let timer = session.host.clock.after(patience, look);
  try {
    return await work();
  } finally {
    timer.cancel();
  }
}
