import { expect, it } from 'vitest';
import { heldBy, lostBy } from '../../../src/engine/guard/release-code.ts';
import type { Resource } from '../../../src/engine/ports/kubernetes.ts';
import { apartFrom, peopleLines, personOf } from '../../../src/plugin/status/people.ts';

const key = { namespace: 'shop', name: 'default' };
const held = (name: string, by: string): Resource =>
  ({
    kind: 'CloudVolume',
    metadata: { namespace: 'shop', name, generation: 1 },
    spec: {},
    status: { waitingFor: [by], conditions: [{ type: 'Synced', status: 'False', reason: 'DeletionHeld', observedGeneration: 1 }] },
  }) as never;
const byEach = {
  'namespace shop': heldBy({ key }),
  'kind CloudVolume': lostBy({ key }),
  'kind CloudVolume in namespace shop': lostBy({ key }, 'shop'),
};

it.each(Object.entries(byEach))('what is held of %s is told once, whoever cannot read the account', (words, by) => {
  const people = ['a', 'b', 'c', 'd'].map((name) => personOf(held(name, by)));
  const [line = '', ...more] = peopleLines(people, 0);
  expect(line).toMatch(new RegExp(`^4 objects of ${words}: DeletionHeld: CloudVolume shop/a, .* and 1 more$`));
  expect(more).toHaveLength(1);
});

it('what the account tells of is left out, and nothing else', () => {
  const people = Object.values(byEach).map((by, index) => personOf(held(`v${index}`, by)));
  const left = apartFrom([{ namespace: 'shop' }, { kind: 'CloudVolume' }], people);
  expect(left.map(({ cause }) => cause.object)).toEqual(['CloudVolume shop/v2']);
});
