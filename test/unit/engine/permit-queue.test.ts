import { beforeEach, describe, expect, test } from 'vitest';
import { type Queued, PermitQueue } from '../../../src/engine/memory/permit-queue.ts';
import { CloudError, type Permit } from '../../../src/engine/ports/index.ts';
import { get } from '../../../src/resource/index.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';

const connection = {};
let clock: VirtualClock;
let tickets: PermitQueue;
let asked: { grant: () => void; fail: () => void; signal: AbortSignal; released: number }[];
let ended: number;
const stop = new AbortController();

beforeEach(() => {
  clock = new VirtualClock();
  tickets = new PermitQueue({ clock });
  asked = [];
  ended = 0;
});

function ask(signal: AbortSignal): Promise<Permit> {
  const { promise, resolve, reject } = Promise.withResolvers<Permit>();
  const permit: Permit = {
    call: get('/volumes'),
    send: () => Promise.reject(new Error('not sent here')),
    for: () => permit,
    release: () => void (one.released += 1),
  };
  const one = {
    grant: () => resolve(permit),
    fail: () => reject(new CloudError('Unauthorized', 'no')),
    signal,
    released: 0,
  };
  asked.push(one);
  signal.addEventListener('abort', () => reject(new CloudError('Abandoned', 'aborted')));
  return promise;
}

function queued(more: Partial<Queued> = {}): Queued {
  return { uid: 'u', what: '/volumes', from: connection, ask, ended: () => void (ended += 1), stopping: stop.signal, ...more };
}
const left = async (more: Partial<Queued> = {}): Promise<void> => {
  const taken = tickets.take(queued(more));
  await clock.advance(1500);
  expect(await taken).toBeUndefined();
};

describe('a permit', () => {
  test('that comes soon is the caller’s, who releases it', async () => {
    const taken = tickets.take(queued());
    asked[0]?.grant();
    expect(await taken).toBeDefined();
    tickets.giveBack('u');
    expect(asked[0]?.released).toBe(0);
  });
  test('that comes late wakes its object, whose next turn has it at once, without a second one', async () => {
    await left();
    expect(await tickets.take(queued())).toBeUndefined();
    asked[0]?.grant();
    await clock.settle();
    expect(ended).toBe(1);
    expect(await tickets.take(queued())).toBeDefined();
    expect(asked).toHaveLength(1);
  });
  test('that a turn did not take is given back when the turn ends, and after ten seconds in any case', async () => {
    await left();
    asked[0]?.grant();
    await clock.settle();
    tickets.giveBack('u');
    await clock.settle();
    expect(asked[0]?.released).toBe(1);
    await left();
    asked[1]?.grant();
    await clock.advance(11_000);
    expect(asked[1]?.released).toBe(1);
  });
  test('that is still waited for outlives the turns that do not need it', async () => {
    await left();
    tickets.giveBack('u');
    asked[0]?.grant();
    await clock.settle();
    expect(await tickets.take(queued())).toBeDefined();
  });
  test('for something else, or of another connection, is asked for anew, and the old wait ends', async () => {
    await left();
    await left({ what: '/domains' });
    await left({ what: '/domains', from: {} });
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, true, false]);
    expect(ended).toBe(0);
  });
  test('is not waited for when its object has gone', async () => {
    await left();
    tickets.leave('u');
    expect(asked[0]?.signal.aborted).toBe(true);
    expect(ended).toBe(0);
  });
  test('that is refused rejects at once, and later wakes the object, which asks anew', async () => {
    const taken = tickets.take(queued());
    asked[0]?.fail();
    await expect(taken).rejects.toMatchObject({ fault: 'Unauthorized' });
    await left();
    asked[1]?.fail();
    await clock.settle();
    expect(ended).toBe(1);
    await left();
    expect(asked).toHaveLength(3);
  });
});
