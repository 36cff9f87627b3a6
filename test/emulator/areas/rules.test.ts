import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { furnished } from './rules/furnished.ts';
import type { Rule } from './rules/rule.ts';
import { rulesOf, tried } from './rules/rule.ts';

/**
 * Every rule that the documents or recordings state, with its place. `given` is what happens before (`Rule`); `answer` is `ok`,
 * a status, a status and its texts, `refused`, a bare field (its text is assumed), or the texts, ` | ` between them. In a change `$absent` takes a
 * field away and `$x65` is a text of 65 letters.
 */
const rules = rulesOf(readFileSync(new URL('rules/rules.tsv', import.meta.url), 'utf8'));

/** `volumes`, `vm/instances`, `account/payments`: the first words of the path. */
function areaOf({ call }: Rule): string {
  const words = /^\S+ (?:beta)?([^?@]*)/.exec(call)?.[1]?.split('/') ?? [];
  return words
    .filter((word) => /^[a-z]/.test(word))
    .slice(0, 2)
    .join('/');
}

test('every stated rule is kept: a table of them with document and line', { timeout: 240_000 }, async () => {
  const broken: string[] = [];
  const kept = new Map<string, number>();
  let account = await furnished();
  for (const rule of rules) {
    const result = await tried(account, rule);
    if (result.broken === undefined) kept.set(areaOf(rule), (kept.get(areaOf(rule)) ?? 0) + 1);
    else broken.push(result.broken);
    // What was accepted, or made for the rule, may stand in the way of the next one.
    if (result.spent) account = await furnished();
  }
  const states = rules.filter((rule) => rule.given.length > 0).length;
  process.stdout.write(`${[...kept].map(([area, count]) => `${area}: ${count}`).join(', ')}\n`);
  process.stdout.write(`rules kept: ${rules.length - broken.length} of ${rules.length}, ${states} of them about states\n`);
  expect(broken).toEqual([]);
});
