import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/engine/outcome.ts';
import type { Resource } from '../../../src/engine/ports.ts';
import { Registry } from '../../../src/engine/run/registry.ts';
import { Details, isDetail } from '../../../src/engine/status/details.ts';
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

describe('a detail', () => {
  it('waits two seconds from when it was first wanted', () => {
    const details = new Details();
    expect(details.wait('a', 1000)).toBe(2000);
    expect(details.wait('a', 2500)).toBe(500);
    expect(details.wait('a', 3000)).toBe(0);
  });
  it('of what is under way waits five seconds from the write before', () => {
    const details = new Details();
    details.written('a', 1000, true);
    expect(details.wait('a', 1500)).toBe(4500);
    expect(details.wait('a', 5999)).toBe(1);
    expect(details.wait('b', 1500)).toBe(2000);
  });
  it('that passed begins anew when it comes again', () => {
    const details = new Details();
    details.wait('a', 1000);
    details.settled('a');
    expect(details.wait('a', 2500)).toBe(2000);
  });
});
