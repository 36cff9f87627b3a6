import { describe, expect, it } from 'vitest';
import { hour, type Key, KeyWorld } from '../support/world/key-world.ts';
import { type Blow, Striking } from '../support/struck.ts';

const names = ['remote', 'intent', 'retiring', 'rotate', 'label'];
const stripped = Object.fromEntries(names.map((name) => [`cloudhosting.dev/${name}`, null]));
const interruptions: Readonly<Record<string, (at: KeyWorld) => Promise<unknown>>> = {
  'and started again': () => Promise.resolve(),
  'and every annotation is taken away': (at) => at.annotate(stripped),
};

async function struck(striking: Striking): Promise<{ readonly at: KeyWorld; readonly old: Key }> {
  const at = await KeyWorld.open(striking.between);
  const old = await at.made();
  striking.arm(at.operator);
  await at.rotate('1');
  if (striking.seen.length === 0 || !striking.struck) await at.world.clock.advance(60_000);
  return { at, old };
}

describe.each(Object.keys(interruptions))('killed at every step of a rotation %s', (what) => {
  it('publishes a key that works at every instant, and ends with one new one beside the old one', { timeout: 300_000 }, async () => {
    const calm = new Striking();
    const first = await struck(calm);
    expect(await first.at.picture()).toEqual(first.at.renewed(first.old));
    expect(calm.seen.filter((one) => one.includes('/object-storage/'))).toEqual([
      'POST /v4/object-storage/keys',
      expect.stringMatching(/^PUT /),
    ]);
    for (const [index, call] of calm.seen.entries())
      for (const blow of ['before', 'after'] satisfies Blow[]) {
        const step = `${blow} ${index + 1}: ${call}`;
        const striking = new Striking(index + 1, blow);
        const { at, old } = await struck(striking);
        expect(striking.struck, `at ${step}`).toBe(true);
        await interruptions[what]?.(at);
        at.operator = await at.world.start();
        await at.world.clock.advance(900_000);
        // Where nothing says any more that it was asked for it does not come about.
        const forgotten = { ...at.renewed(old), keys: [`${old.id} uploads`], retiring: [] };
        const wanted = what !== 'and started again' && at.keys.length === 1 ? forgotten : at.renewed(old);
        expect({ step, ...(await at.picture()) }).toEqual({ step, ...wanted });
        const told = at.elsewhere;
        expect(at.keys.filter((key) => told.includes(key.secret_key))).toEqual([]);
        await at.goes();
        expect({ step, keys: at.keys }).toEqual({ step, keys: [] });
      }
  });
});

describe('the rotation of an object key', () => {
  it('comes in its time, publishes another one, and ends the old one after the overlap', { timeout: 120_000 }, async () => {
    const at = await KeyWorld.open();
    const old = await at.made({ rotation: { everyDays: 1, overlapHours: 2 } });
    const { renewedAt = '', rotatesAt = '' } = await at.shown();
    expect(Date.parse(rotatesAt) - Date.parse(renewedAt)).toBe(24 * hour);
    await at.away(24 * hour - hour / 2);
    await at.world.clock.advance(hour / 4);
    expect(at.everMade).toBe(1);
    await at.world.clock.advance(hour / 2);
    expect(await at.picture()).toEqual(at.renewed(old));
    const next = at.keys[1] as Key;
    const until = Date.parse((await at.shown()).retiring?.[0]?.until ?? '');
    expect(until - (Date.parse(rotatesAt) + 2 * hour)).toBeLessThan(60_000);
    await at.away(hour);
    expect(at.keys).toHaveLength(2);
    await at.world.clock.advance(hour);
    expect(at.keys).toEqual([next]);
    expect((await at.shown()).retiring).toBeUndefined();
    expect(await at.world.condition('CloudObjectKey', 'uploads', 'Ready')).toMatchObject({ status: 'True' });
    expect(at.refused).toEqual([]);
  });
});
