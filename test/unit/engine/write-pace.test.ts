import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/engine/model/outcome.ts';
import type { Resource } from '../../../src/engine/ports/index.ts';
import { Registry } from '../../../src/engine/model/kind-registry.ts';
import { isDetail, patienceOf, WritePace } from '../../../src/engine/status/write-pace.ts';
import { kinds } from '../../../src/generated/kinds.ts';
import type { Duration, Row } from '../../../src/resource/index.ts';

const registry = new Registry(kinds);
const recheckAfter = 5000 as Duration;
const working: Outcome = { is: 'Working', reason: 'Creating', message: 'booting', recheckAfter };
const ready = {
  type: 'Ready',
  status: 'False',
  reason: 'Creating',
  message: 'being created',
  observedGeneration: -1,
  lastTransitionTime: 't',
};

const instance = (change: Partial<Resource['metadata']> = {}, status: Row = { conditions: [ready] }): Resource => ({
  kind: 'CloudInstance',
  metadata: { namespace: 'team', name: 'web', uid: 'u', generation: 1, resourceVersion: '1', creationTimestamp: 't', ...change },
  spec: {},
  status,
});
const words = { conditions: [{ ...ready, message: 'booting' }] };

describe('what may wait for company', () => {
  it.each<[string, Row]>([
    ['other words of a condition', words],
    ['progress', { progress: { percent: 50, message: 'booting' } }],
    ['what is only shown', { reverseDNS: ['203.0.113.9 web.example.org'], lastSyncTime: 't' }],
  ])('%s', (_, patch) => expect(isDetail({ object: instance(), outcome: working }, patch, registry)).toBe(true));

  it.each<[string, Row]>([
    ['another status of a condition', { conditions: [{ ...ready, status: 'True' }] }],
    ['another reason', { conditions: [{ ...ready, reason: 'Busy' }] }],
    ['another generation', { conditions: [{ ...ready, observedGeneration: 1 }] }],
    ['the id', { id: '12', ...words }],
    ['an address, which others take from here', { publicIPv4: '203.0.113.9' }],
    ['drift', { drift: [] }],
    ['what was corrected', { lastCorrection: { fields: [] } }],
    ['the hash of a secret value that was applied', { applied: { rootPass: 'x' } }],
  ])('not %s', (_, patch) => expect(isDetail({ object: instance(), outcome: working }, patch, registry)).toBe(false));

  it('nothing of an object that goes, has no conditions yet, or whose next turn might send something', () => {
    const goes = instance({ deletionTimestamp: 't' });
    const stalled: Outcome = { is: 'Stalled', reason: 'Rejected', message: 'booting' };
    expect(isDetail({ object: goes, outcome: working }, words, registry)).toBe(false);
    expect(isDetail({ object: instance({}, {}), outcome: working }, words, registry)).toBe(false);
    expect(isDetail({ object: instance(), outcome: stalled }, words, registry)).toBe(false);
  });
});

describe('the first word of an object that waits for another one', () => {
  const waiting: Outcome = { is: 'Waiting', reason: 'ReferenceNotReady', message: 'no id yet', on: ['zone'], recheckAfter };
  it('may wait, because mostly that one comes to be in a moment', () =>
    expect(patienceOf({ object: instance({}, {}), outcome: waiting }, words, registry)).toBe(10_000));
  it('may wait for what comes in the same apply alone, where there is no such object yet', () =>
    expect(patienceOf({ object: instance({}, {}), outcome: { ...waiting, absent: true } }, words, registry)).toBe(2000));
  it('may not where it goes, said something else before, or waits for a job', () => {
    const another = instance({}, { conditions: [{ ...ready, status: 'True' }] });
    expect(patienceOf({ object: another, outcome: waiting }, words, registry)).toBe(0);
    expect(patienceOf({ object: instance({ deletionTimestamp: 't' }, {}), outcome: waiting }, words, registry)).toBe(0);
    expect(patienceOf({ object: instance({}, {}), outcome: { ...waiting, reason: 'Busy' } }, words, registry)).toBe(0);
  });
  it('waits ten seconds', () => {
    const pace = new WritePace();
    expect([pace.wait('a', 1000, 10_000), pace.wait('a', 8000, 10_000), pace.wait('a', 11_000, 10_000)]).toEqual([10_000, 3000, 0]);
  });
});

describe('a detail', () => {
  it('waits two seconds from when it was first wanted', () => {
    const details = new WritePace();
    expect(details.wait('a', 1000)).toBe(2000);
    expect(details.wait('a', 2500)).toBe(500);
    expect(details.wait('a', 3000)).toBe(0);
  });
  it('of what is under way waits five seconds from the write before', () => {
    const details = new WritePace();
    details.written('a', 1000, true);
    expect(details.wait('a', 1500)).toBe(4500);
    expect(details.wait('a', 5999)).toBe(1);
    expect(details.wait('b', 1500)).toBe(2000);
  });
  it('that passed begins anew when it comes again', () => {
    const details = new WritePace();
    details.wait('a', 1000);
    details.settled('a');
    expect(details.wait('a', 2500)).toBe(2000);
  });
});
