import { array, assert, asyncProperty, constantFrom, nat, record } from 'fast-check';
import { expect, test } from 'vitest';
import { computePlays } from './properties/compute-plays.ts';
import { countsAreLists, instancesAreAtRest, ledgerIsState, nothingDangles } from './properties/invariants.ts';
import type { Play } from './properties/player.ts';
import { perform } from './properties/player.ts';
import { servicePlays } from './properties/service-plays.ts';
import { testAccount } from './test-account.ts';

const sequence = (plays: readonly Play[]) =>
  array(
    record({
      play: nat({ max: plays.length - 1 }),
      a: nat({ max: 200 }),
      b: nat({ max: 200 }),
      wait: constantFrom(0, 0, 1, 5, 30, 600),
    }),
    { minLength: 1, maxLength: 60, size: 'max' },
  );

/** Any sequence of operations, what the documents refuse among them; one that breaks an invariant shrinks to the shortest that does. */
function holds(plays: readonly Play[], seed: number) {
  return asyncProperty(sequence(plays), async (steps) => {
    const api = testAccount({ seed, knobs: { extraPublicAddresses: true } });
    for (const { play, a, b, wait } of steps) {
      const chosen = plays[play];
      if (chosen === undefined) continue;
      expect([200, 400, 404]).toContain((await perform(api, chosen, a, b)).status);
      api.seconds(wait);
    }
    ledgerIsState(api);
    api.seconds(20_000);
    ledgerIsState(api);
    nothingDangles(api);
    await countsAreLists(api);
    await instancesAreAtRest(api);
  });
}

test.each([
  ['instances, volumes, firewalls, images', computePlays, 20_230_306],
  ['domains, clusters, databases, storage, account', servicePlays, 4_147_000],
  ['everything together', [...computePlays, ...servicePlays], 225],
] as const)('no reference dangles, counts are lists, events and ledger tell what was done: %s', async (_name, plays, seed) => {
  await expect(assert(holds(plays, seed), { seed, numRuns: 25 })).resolves.toBeUndefined();
});
