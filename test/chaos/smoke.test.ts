import { expect, it } from 'vitest';
import { campaign } from './campaign.ts';
import { families } from './plan.ts';

/** The wall clock bounds a suite that others wait for; what it leaves out the full run has. */
const budget = 60;

it('a sample of every family over two kinds breaks no promise', { timeout: 240_000 }, async () => {
  const began = performance.now();
  const elapsed = (): number => (performance.now() - began) / 1000;
  const kinds = ['CloudDomainRecord', 'CloudBucket'];
  const met = new Set<string>();
  for (const kind of kinds) {
    const options = { filter: { kind }, shard: { index: 1, of: 1 }, smoke: true, json: false, seconds: budget, verbose: false };
    const { verdicts, byFamily, executed } = await campaign(options, elapsed, () => undefined);
    expect(verdicts.filter(({ violations }) => violations.length > 0).map(({ id, violations }) => ({ id, violations }))).toEqual([]);
    expect(executed).toBeGreaterThan(0);
    for (const [family, count] of Object.entries(byFamily)) if (count > 0) met.add(family);
  }
  expect(Object.keys(families).filter((family) => !met.has(family))).toEqual([]);
});
