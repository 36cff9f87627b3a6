import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { shortReason } from './counts.ts';
import { families } from './plan.ts';

const read = (path: string): Promise<string> => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
const casesOf = (text: string, family: string): number =>
  Number(new RegExp(`^\\| ${family} +\\|.*\\| *([\\d,]+) *\\|$`, 'm').exec(text)?.[1]?.replaceAll(',', ''));

it.each(Object.keys(families))('test/README.md and COUNTS.md say how many cases %s has', async (family) => {
  const [readme, counts] = [casesOf(await read('test/README.md'), family), casesOf(await read('test/chaos/COUNTS.md'), family)];
  expect(readme).toBeGreaterThan(0);
  expect(counts).toBe(readme);
});

it.each([
  [
    'cannot be prepared: Error: CloudTag prod after 2700 s: {\n "observedGeneration": 1,\n "conditions": [\n  {\n   "type": "Ready",\n   "status": "False",\n   "reason": "Forbidden",\n   "mess',
    'cannot be prepared: Error: CloudTag prod after 2700 s: Ready is False (Forbidden)',
  ],
  ['cannot be prepared: Error: no such thing', 'cannot be prepared: Error: no such thing'],
])('COUNTS.md tells why a scenario is left out in words that a new status field leaves alone', (reason, told) => {
  expect(shortReason(reason)).toBe(told);
});
