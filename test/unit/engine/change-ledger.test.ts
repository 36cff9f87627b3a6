import { beforeEach, describe, expect, it } from 'vitest';
import { ChangeLedger } from '../../../src/engine/memory/change-ledger.ts';
import type { Answer, Change, Outcome } from '../../../src/engine/model/outcome.ts';
import { minutes, seconds } from '../../../src/resource/index.ts';

const resize: Change = { wish: 'resize to 30', seen: 'size 20', generation: 2 };
const rejected: Outcome = { is: 'Stalled', reason: 'Rejected', message: 'no' };
const busy: Outcome = { is: 'Waiting', reason: 'Busy', message: 'busy', on: [], recheckAfter: seconds(10) };
const lost: Outcome = { is: 'Retrying', reason: 'UnknownOutcome', message: 'no answer' };

const accepted: Answer = { is: 'accepted' };
const refused: Answer = { is: 'refused', outcome: rejected, final: true };
const later: Answer = { is: 'refused', outcome: busy, final: false };
const unknown: Answer = { is: 'unknown', outcome: lost, mayComeWithin: minutes(1) };

let ledger: ChangeLedger;
beforeEach(() => (ledger = new ChangeLedger(() => 0)));
/** The first of these seconds after `since` at which the change may go. */
const freeAfter = (change: Change, since: number): number | undefined =>
  [0, 1, 2, 4, 8, 10, 30, 60, 120, 1799, 1800, 3600].find((after) => ledger.held('u', change, since + after * 1000) === undefined);

describe('a change', () => {
  it('that was never sent may go', () => expect(ledger.held('u', resize, 0)).toBeUndefined());
  it.each([
    ['accepted', accepted, 30],
    ['refused for good', refused, 1800],
    ['refused as busy', later, 10],
    ['not answered', unknown, 60],
  ])('that was %s waits', (_, answer, wait) => {
    ledger.note('u', resize, answer, 0);
    expect(freeAfter(resize, 0)).toBe(wait);
    expect(ledger.held('u', resize, wait * 1000 - 1)?.because).toEqual(answer);
    expect(ledger.held('another', resize, 0)).toBeUndefined();
  });
  it('that no field shows stays refused although nothing differs, and each refusal holds for longer', () => {
    for (const [unseen, wait] of [
      [true, 10],
      [undefined, 0],
    ] as const) {
      const change = { ...resize, ...(unseen && { unseen }) };
      ledger.note('u', change, later, 0);
      ledger.settled('u');
      expect(freeAfter(change, 0)).toBe(wait);
    }
    const reset = { ...resize, unseen: true } as const;
    for (let times = 0; times < 12; times += 1) ledger.note('u', reset, later, 0);
    ledger.settled('u');
    expect(freeAfter(reset, 0)).toBeGreaterThan(30);
    ledger.note('u', reset, accepted, 0);
    ledger.settled('u');
    expect(ledger.size).toBe(0);
  });
  it('that was refused may go once something else was done to the remote; what was accepted or not answered waits', () => {
    for (const [answer, wait] of [
      [refused, 0],
      [later, 0],
      [accepted, 30],
      [unknown, 60],
    ] as const) {
      ledger = new ChangeLedger(() => 0);
      ledger.note('u', resize, answer, 0);
      ledger.tryRefused('u');
      expect(freeAfter(resize, 0)).toBe(wait);
    }
  });
  it('that is accepted again and again waits twice as long each time, up to an hour', () => {
    let now = 0;
    const waits = Array.from({ length: 10 }, () => {
      ledger.note('u', resize, accepted, now);
      const wait = (ledger.held('u', resize, now)?.until ?? now) - now;
      now += wait;
      return wait / 1000;
    });
    expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
  });
  it('that fails again and again is sent by back-off, whatever the failures', () => {
    const waits = [unknown, later, later, later, later, later].map((answer, n) => {
      ledger.note('u', resize, answer, n);
      return (ledger.held('u', resize, n)?.until ?? n) - n;
    });
    expect(waits).toEqual([60_000, 10_000, 10_000, 16_000, 32_000, 64_000]);
  });
  it('that was accepted after failures begins anew', () => {
    for (const answer of [later, later, later, accepted]) ledger.note('u', resize, answer, 0);
    expect(freeAfter(resize, 0)).toBe(30);
  });
});

const held = (change: Partial<Change>): boolean => ledger.held('u', { ...resize, ...change }, 1) !== undefined;

describe('ends of a hold', () => {
  const answers: readonly (readonly [string, Answer])[] = [
    ['accepted', accepted],
    ['refused for good', refused],
    ['refused in passing', later],
    ['not answered', unknown],
  ];
  it.each(answers)('another wish may go, what was %s waits on', (_, answer) => {
    ledger.note('u', resize, answer, 0);
    expect(held({ wish: 'resize to 40' })).toBe(false);
    expect(held({})).toBe(true);
  });
  it.each([
    ['accepted', accepted, true],
    ['refused for good', refused, false],
    ['refused in passing', later, false],
    ['not answered', unknown, true],
  ])('another account: what was %s waits on: %s', (_, answer, waits) => {
    ledger.note('u', resize, answer, 0);
    expect(held({ seen: 'size 25' })).toBe(waits);
  });
  it.each([
    ['accepted', accepted, false],
    ['refused for good', refused, true],
    ['refused in passing', later, true],
    ['not answered', unknown, true],
  ])('an edit that asks for the same: what was %s waits on: %s', (_, answer, waits) => {
    ledger.note('u', resize, answer, 0);
    expect(held({ generation: 3 })).toBe(waits);
  });
  it.each([
    ['accepted', accepted, false],
    ['refused for good', refused, false],
    ['refused in passing', later, false],
    ['not answered', unknown, true],
  ])('a person: what was %s waits on: %s', (_, answer, waits) => {
    ledger.note('u', resize, answer, 0);
    ledger.beginAnew('u');
    ledger.beginAnew('nobody');
    expect(held({})).toBe(waits);
    expect(ledger.size).toBe(waits ? 1 : 0);
  });
  it.each(['settled', 'forget'] as const)('%s: nothing is remembered', (end) => {
    ledger.note('u', resize, unknown, 0);
    ledger[end]('u');
    expect(held({})).toBe(false);
    expect(ledger.size).toBe(0);
  });
});

it('two changes that undo each other are told apart, and what is long over is forgotten', () => {
  ledger.note('u', { ...resize, wish: 'there' }, accepted, 0);
  ledger.note('u', { ...resize, wish: 'back' }, accepted, 1);
  expect([held({ wish: 'there' }), held({ wish: 'back' })]).toEqual([true, true]);
  ledger.note('u', resize, accepted, 2 * 3_600_000);
  ledger.note('u', { ...resize, wish: 'there' }, accepted, 2 * 3_600_000);
  expect((ledger.held('u', { ...resize, wish: 'there' }, 2 * 3_600_000)?.until ?? 0) - 2 * 3_600_000).toBe(30_000);
});

const just = (now: number): readonly string[] => ledger.justAccepted('u', now).map(({ value }) => value);
const from = (wish: string, value: string): Change => ({ ...resize, wish, had: { field: 'size', value } });
describe('what was just accepted', () => {
  it('is not what was refused, or has no field', () => {
    ledger.note('u', from('there', '20'), refused, 0);
    ledger.note('u', resize, accepted, 0);
    expect(just(1)).toEqual([]);
    expect(ledger.justAccepted('nobody', 1)).toEqual([]);
  });
  it('is the last change of its field, for half a minute, however often it was sent before', () => {
    for (const now of [0, 1, 2]) ledger.note('u', from('there', '20'), accepted, now);
    ledger.note('u', from('back', '30'), accepted, 3);
    expect(just(4)).toEqual(['30']);
    expect(just(30_002)).toEqual(['30']);
    expect(just(30_003)).toEqual([]);
  });
});
