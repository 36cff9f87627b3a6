import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { Availability } from '../../../src/cloud/requests/availability.ts';
import { CloudError } from '../../../src/engine/ports/index.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';

const nothing = (): void => undefined;
const silence = new CloudError('Unavailable', 'GET /volumes/1: no answer');
let probes: number;
let answers: (availability: Availability) => void;
let availability: Availability;
let clock: VirtualClock;
beforeEach(() => {
  clock = new VirtualClock();
  probes = 0;
  const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
  const probe = (): Promise<void> => {
    probes += 1;
    return Promise.resolve(answers(availability));
  };
  availability = new Availability({ clock, random: () => 0.5, log, probe, changed: nothing });
});
async function silentTimes(count: number): Promise<void> {
  for (let time = 0; time < count; time += 1) availability.silent(silence, false);
  await setImmediate();
}

describe('calls without an answer of the API', () => {
  it('are no outage where it answers what it is asked then', async () => {
    answers = (it) => it.heard();
    await silentTimes(30);
    expect(availability.outage).toBeUndefined();
    expect(probes).toBe(1);
  });
  it('are an outage where that is not answered either', async () => {
    answers = (it) => it.silent(silence, false);
    await silentTimes(2);
    expect(availability.outage).toBeUndefined();
    await silentTimes(1);
    expect(availability.outage).toMatchObject({ reason: 'Unreachable', message: expect.stringContaining('GET /volumes/1') });
    availability.close();
  });
  it.each([
    [
      'are an outage after the first one in maintenance, if all of the API is',
      (it: Availability) => it.silent(silence, true),
      'Unreachable',
    ],
    ['are none where one path alone is in maintenance', (it: Availability) => it.heard(), undefined],
  ])('%s', async (_, probed, reason) => {
    answers = probed;
    availability.silent(silence, true);
    await setImmediate();
    expect(availability.outage?.reason).toBe(reason);
    expect(probes).toBe(1);
    availability.close();
  });
});

it('asks once in ten seconds whether all of the API is in maintenance, while one path is', async () => {
  answers = (it) => it.heard();
  for (let second = 0; second < 60; second += 1) {
    availability.silent(silence, true);
    await clock.advance(1000);
  }
  expect(availability.outage).toBeUndefined();
  expect(probes).toBe(6);
});

describe('a trouble that is over', () => {
  it.each([
    ['lets all that failed be asked again where it lasted', 30_000, true],
    ['leaves that to the back-off of each where it was one of single calls', 29_999, false],
  ])('%s', async (_, lasted, isBackAgain) => {
    answers = (it) => it.silent(silence, true);
    availability.silent(silence, true);
    await setImmediate();
    await clock.advance(lasted);
    expect(availability.isBackAgain).toBe(false);
    availability.heard();
    expect(availability.isBackAgain).toBe(isBackAgain);
  });
});
