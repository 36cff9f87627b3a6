import { sleep, systemClock, type Millis } from '../../src/lib/clock.ts';
import type { Bench } from './bench.ts';
import { edit } from './inhabitants.ts';
import type { Member } from './population.ts';

/** An edit that the API server took, and the path to which its call must go. */
interface Edited {
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly at: Millis;
}

let edits = 0;

/** The volumes of the population, for edits and for changes by others: each costs one call and no job. */
export const volumesOf = ({ members }: Bench): readonly Member[] => members.filter(({ kind }) => kind === 'CloudVolume');

export const pathOfVolume = ({ planted }: Bench, volume: Member): string => `/volumes/${planted.get(volume)}`;

/** A tag that nothing had before. */
export const newTags = (): readonly string[] => ['bench', `new-${(edits += 1)}`];

/** Edits volumes one after the other, `every` so often, until there are no more or `until` says so. */
export async function editVolumes(
  bench: Bench,
  volumes: readonly Member[],
  { every, until = () => false }: { readonly every: Millis; readonly until?: () => boolean },
): Promise<readonly Edited[]> {
  const done: Edited[] = [];
  for (const volume of volumes) {
    if (until()) break;
    const at = await edit(bench.stage.cluster, volume, { tags: newTags() });
    done.push({ path: pathOfVolume(bench, volume), at });
    await sleep(systemClock, every);
  }
  return done;
}

/** Seconds from each edit to its call; an edit without one within `limit` counts as the limit. */
export async function secondsToCall({ stage }: Bench, edited: readonly Edited[], limit: Millis = 60_000): Promise<readonly number[]> {
  const first = Math.min(...edited.map(({ at }) => at));
  const end = systemClock.now() + limit;
  for (;;) {
    const calls = (await stage.evidence.calls(first - 1000)).filter(({ method }) => method === 'PUT');
    const found = edited.map(({ path, at }) => calls.find((call) => call.path === path && call.at > at - 1000)?.at);
    const late = systemClock.now() > end;
    // The call can be seen before the API server's answer to the edit.
    if (late || found.every((at) => at !== undefined))
      return found
        .map((called, index) => Math.max(0, ((called ?? Infinity) - (edited[index]?.at ?? 0)) / 1000))
        .map((one) => Math.min(one, limit / 1000));
    await sleep(systemClock, 200);
  }
}
