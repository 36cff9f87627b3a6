import type { Clock, Millis } from '../../../lib/clock.ts';
import type { OpenCloud } from '../../host.ts';

/** Longer than answers take. */
const patience: Millis = 5000;

/** Says once that the account's rate window is waited for, where that holds the work up. */
export async function tellingOfWaits<T>(
  { clock, warn }: { readonly clock: Clock; readonly warn: (line: string) => void },
  connector: OpenCloud,
  work: () => Promise<T>,
): Promise<T> {
  const longest = (): number => Math.max(0, ...connector.figures().flatMap(({ queueAge }) => Object.values(queueAge)));
  const look = (): void => {
    if (longest() * 1000 < patience / 2) timer = clock.after(patience, look);
    else
      warn(
        'waiting for the rate window of the account: at most 20 % of it are taken, so that the operator has the rest. It goes on within a minute or two',
      );
  };
  let timer = clock.after(patience, look);
  try {
    return await work();
  } finally {
    timer.cancel();
  }
}
