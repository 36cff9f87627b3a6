import { expect, it } from 'vitest';
import { demonstrated } from '../support/process/demonstrated.ts';

it('the demo of one of every kind tells all its facts, and what README shows of it', { timeout: 300_000 }, async () => {
  const { said, applied, ...ended } = await demonstrated(['--all']);
  expect(ended).toEqual({ code: 0, stderr: '', missing: undefined });
  expect(said).toMatch(/^14 facts were read back in \d+ s; nothing is left running\.$/m);
  expect(applied).toBeGreaterThan(30);
});
