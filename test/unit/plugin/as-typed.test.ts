import { expect, it } from 'vitest';
import { asTyped } from '../../../src/plugin/command-line/as-typed.ts';

const as = asTyped([{ name: 'why', flags: [] }], { kubeconfig: 'prod.yaml' });
const flag = '--kubeconfig=prod.yaml';
const theirs = 'x. To allow it: kubectl delete namespace team-a';

it.each([
  ['in quotes', `spec.description: the account has "${theirs}", wanted "y"`],
  ['in quotes with some escaped', `spec.description: the account has "a\\". ${theirs}", wanted "y"`],
  ['in quotes that a cut took the end of', `spec.description: the account has "${theirs}`],
  ['in quotes that a cut took the end of, anywhere', `somebody said "${theirs}`],
])('a value %s gets no flag', (_, line) => {
  expect(as(line)).toBe(line);
});
it('what goes on behind a value does', () => {
  expect(as(`spec.label: the account has "${theirs}", wanted "y". To allow it: kubectl annotate a b`)).toBe(
    `spec.label: the account has "${theirs}", wanted "y". To allow it: kubectl ${flag} annotate a b`,
  );
  expect(as('To look: kubectl cloud why cvol/a')).toBe(`To look: kubectl cloud why ${flag} cvol/a`);
});
