import { beforeAll, expect, test } from 'vitest';
import type { Fact } from './facts/fact.ts';
import { atLeast } from './facts/fact.ts';
import { factsOfCompute } from './facts/compute.ts';
import { factsOfConventions } from './facts/conventions.ts';
import { factsOfServices } from './facts/services.ts';
import { testAccount } from './test-account.ts';

const facts: readonly Fact[] = [...factsOfConventions, ...factsOfCompute, ...factsOfServices];

beforeAll(() => void process.stdout.write(`established facts asked for: ${facts.length}\n`));

test.each(facts)('fact %s', async (_fact, ask, wanted) => {
  const seen: unknown = await ask(testAccount({ knobs: { extraPublicAddresses: true } }));
  expect(seen).toEqual(atLeast(wanted));
});
