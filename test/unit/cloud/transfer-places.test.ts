import { expect, it } from 'vitest';
import { Places } from '../../../src/cloud/transfer/places.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';

const clock = new VirtualClock();
function line(): { readonly places: Places; readonly came: string[]; readonly ask: (uid: string, namespace?: string) => boolean } {
  const places = new Places(clock);
  const came: string[] = [];
  const ask = (uid: string, namespace = uid.slice(0, 1)): boolean => {
    const isFree = places.take(uid, { namespace, come: () => void came.push(uid) }) === undefined;
    if (isFree) places.begun(uid);
    return isFree;
  };
  return { places, came, ask };
}

it('each namespace has as many as it leaves to others, so that the last place goes to one that has none', () => {
  const { ask } = line();
  const got = ['a', 'b', 'c', 'd', 'e'].map((namespace) => Array.from({ length: 8 }, (_, n) => ask(`${namespace}${n}`)).filter(Boolean));
  expect(got.map((those) => those.length)).toEqual([4, 2, 1, 1, 0]);
});

it('what is given back goes to a namespace that has fewest, and of equals to who waits longest', () => {
  const { places, came, ask } = line();
  for (const uid of ['a0', 'a1', 'a2', 'a3', 'b0', 'b1', 'c0', 'd0']) expect(ask(uid)).toBe(true);
  for (const uid of ['a4', 'b2', 'e0', 'e1']) expect(ask(uid)).toBe(false);
  places.leave('a0');
  expect(came).toEqual(['e0']);
  places.leave('a1');
  expect(came).toEqual(['e0']);
  places.leave('a2');
  expect(came).toEqual(['e0', 'a4']);
});

it('a place that its owner does nothing with goes to the next after half a minute, and who asks again goes on waiting behind', async () => {
  const { places, came, ask } = line();
  for (const uid of ['a0', 'a1', 'a2', 'a3']) ask(uid);
  expect([ask('a4'), ask('a5')]).toEqual([false, false]);
  places.leave('a0');
  expect(came).toEqual(['a4']);
  await clock.advance(31_000);
  expect(came).toEqual(['a4', 'a5']);
  expect([ask('a5'), ask('a4')]).toEqual([true, false]);
  await clock.advance(60_000);
  expect([...places.known()].toSorted()).toEqual(['a1', 'a2', 'a3', 'a4', 'a5']);
  places.leave('a4');
  places.leave('a1');
  expect([...places.known()].toSorted()).toEqual(['a2', 'a3', 'a5']);
  places.close();
});
