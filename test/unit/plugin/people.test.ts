import { expect, it } from 'vitest';
import { heldBy, lostBy } from '../../../src/engine/guard/release-code.ts';
import type { Resource } from '../../../src/engine/ports/kubernetes.ts';
import { Landscape } from '../../../src/plugin/objects/landscape.ts';
import { apartFrom, type Behind, behindOf, groupLines, groupsForPerson, needyOf } from '../../../src/plugin/status/people.ts';

const key = { namespace: 'shop', name: 'default' };
const held = (name: string, by: string): Resource =>
  ({
    kind: 'CloudVolume',
    metadata: { namespace: 'shop', name, generation: 1 },
    spec: {},
    status: {
      observedGeneration: 1,
      waitingFor: [by],
      conditions: [{ type: 'Synced', status: 'False', reason: 'DeletionHeld', observedGeneration: 1 }],
    },
  }) as never;
/** Nothing of what it waits for is to be read. */
const behind = (object: Resource): Promise<Behind> => behindOf(new Landscape({} as never), object, true);
const byEach = {
  'namespace shop': heldBy({ key }),
  'kind CloudVolume': lostBy({ key }),
  'kind CloudVolume in namespace shop': lostBy({ key }, 'shop'),
};

it.each(Object.entries(byEach))('what is held of %s is told once, whoever cannot read the account', async (words, by) => {
  const people = await Promise.all(['a', 'b', 'c', 'd'].map((name) => behind(held(name, by))));
  const [line = '', ...more] = groupLines(groupsForPerson(people), 0);
  expect(line).toMatch(new RegExp(`^4 objects of ${words}: DeletionHeld: CloudVolume shop/a, b, c, d$`));
  expect(more).toHaveLength(1);
});

it('what the account tells of is left out, and nothing else', async () => {
  const people = await Promise.all(Object.values(byEach).map((by, index) => behind(held(`v${index}`, by))));
  const left = apartFrom([{ namespace: 'shop' }, { kind: 'CloudVolume' }], people);
  expect(left.map((one) => needyOf(one).object)).toEqual(['CloudVolume shop/v2']);
});
