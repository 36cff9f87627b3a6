import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { families } from './plan.ts';

const read = (path: string): Promise<string> => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
const casesOf = (text: string, family: string): number =>
  Number(new RegExp(`^\\| ${family} +\\|.*\\| *([\\d,]+) *\\|$`, 'm').exec(text)?.[1]?.replaceAll(',', ''));

it.each(Object.keys(families))('test/README.md and COUNTS.md say how many cases %s has', async (family) => {
  const [readme, counts] = [casesOf(await read('test/README.md'), family), casesOf(await read('test/chaos/COUNTS.md'), family)];
  expect(readme).toBeGreaterThan(0);
  expect(counts).toBe(readme);
});
