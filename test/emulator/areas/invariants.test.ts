import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computePlays } from './properties/compute-plays.ts';
import { countsAreLists, instancesAreAtRest, ledgerIsState, nothingDangles } from './properties/invariants.ts';
import type { Play } from './properties/player.ts';
import { perform } from './properties/player.ts';
import { servicePlays } from './properties/service-plays.ts';
import { testAccount } from './test-account.ts';

const sequence = (plays: readonly Play[]) =>
  fc.array(
    fc.record({
      play: fc.nat({ max: plays.length - 1 }),
      a: fc.nat({ max: 200 }),
      b: fc.nat({ max: 200 }),
      wait: fc.constantFrom(0, 0, 1, 5, 30, 600),
    }),
    { minLength: 1, maxLength: 60, size: 'max' },
  );

/** Any sequence of operations, what the documents refuse among them; one that breaks an invariant shrinks to the shortest that does. */
function holdsFor(plays: readonly Play[], seed: number): Promise<void> {
  const property = fc.asyncProperty(sequence(plays), async (steps) => {
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
  return fc.assert(property, { seed, numRuns: 25 });
}

test('instances, volumes, firewalls, images: no reference dangles, counts are lists, events and ledger tell what was done', () =>
  holdsFor(computePlays, 20_230_306));

test('domains, clusters, databases, storage, account: no reference dangles, counts are lists, events and ledger tell what was done', () =>
  holdsFor(servicePlays, 4_147_000));

test('everything together', () => holdsFor([...computePlays, ...servicePlays], 225));
