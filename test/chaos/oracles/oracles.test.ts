import { describe, expect, it } from 'vitest';
import type { LedgerObject } from '../../emulator/core/ledger.ts';
import { plain } from '../scenario/corner.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { fixturesOf, type Scenario, scenariosOf } from '../scenario/scenario.ts';
import type { Passage } from '../stage/wire.ts';
import { judge } from './judge.ts';

const life = (change: Partial<LedgerObject>): LedgerObject => ({
  euuid: '',
  collection: 'volumes',
  key: 1,
  bornAt: 0,
  bornBy: 'admin',
  origin: 'request 1',
  row: {},
  changes: [],
  ...change,
});
const passage = (change: Partial<Passage>): Passage => ({
  at: 1000,
  by: 'operator-1',
  server: 'cloud',
  request: { method: 'POST', path: '/v4/volumes', headers: {}, body: Buffer.from('{}'), signal: new AbortController().signal },
  shape: 'POST /volumes',
  outcome: '200',
  struck: false,
  rate: 'volume_create',
  nth: 1,
  ...change,
});

const often = 11;
/** A run in which nothing was wrong. */
const good: Evidence = {
  done: true,
  lives: [],
  told: [],
  before: new Set(),
  births: new Map([['volumes', 1]]),
  untold: [],
  voided: [],
  passages: [],
  resumed: [],
  beganAt: 0,
  doneAt: 1000,
  quietEndedAt: 1_800_000,
  atRest: { account: ['volumes a'], parts: [], standing: ['volumes a'], objects: ['CloudVolume a'] },
  afterwards: { account: [], parts: [], standing: [], objects: [] },
  removed: true,
  releasedAt: 2_000_000,
  status: '{}',
  generation: 1,
  stillReady: true,
  sampled: [],
  claims: [],
  panics: [],
  remembered: [],
  audited: Array.from({ length: often }, () => 'POST /volumes'),
  published: '[]',
};
const scenario = (): Scenario => {
  const [fixture] = fixturesOf('CloudVolume');
  const found = fixture && scenariosOf(fixture, plain)[0];
  if (found === undefined) throw new Error('there is no scenario');
  return found;
};
const accused = (change: Partial<Evidence>): readonly string[] => [
  ...new Set(
    judge({ scenario: scenario(), run: { ...good, ...change }, reference: good, excuse: {} }).map(
      ({ oracle }) => oracle.split(' ')[0] ?? '',
    ),
  ),
];

const left = (...standing: readonly string[]) => ({ account: [], parts: [], standing, objects: [] });
const told = passage({ outcome: '429', struck: true, answer: { status: 429, at: 1000, retryAfter: 30 } });
const oftenSent = Array.from({ length: often }, (_, i) => passage({ at: i * 50_000 }));

/** Evidence of one violation each, and the oracle that must see it. */
const violations: Readonly<Record<string, readonly [oracle: string, change: Partial<Evidence>]>> = {
  'two volumes for one': ['O1', { births: new Map([['volumes', 2]]) }],
  'something left after the end': ['O2', { afterwards: { account: ['volumes a'], parts: [], standing: ['volumes a'], objects: [] } }],
  'an object that never goes': ['O2', { removed: false }],
  'a remote that outlives its object': ['O3', { lives: [life({ diedAt: 2_000_001 })] }],
  'an operation that never ends': ['O4', { done: false }],
  'an object that is Ready no more': ['O4', { stillReady: false }],
  'a stranger that died': ['O5', { before: new Set([life({ collection: 'disks', diedAt: 5 })]) }],
  'another end': ['O6', { atRest: { account: ['volumes b'], parts: [], standing: ['volumes b'], objects: ['CloudVolume a'] } }],
  'the same call again and again': ['O7', { passages: oftenSent }],
  'a write at rest': [
    'O7',
    {
      passages: [
        passage({
          at: 1_790_000,
          server: 'kube',
          request: { ...passage({}).request, method: 'PATCH' },
          shape: 'PATCH cloudvolumes/db-data/status',
        }),
      ],
    },
  ],
  'a disorderly status': ['O8', { sampled: ['observedGeneration went from 2 to 1'] }],
  'a claim that was not true yet': ['O8', { claims: [{ at: 500, generation: 1, account: { account: [], parts: [] } }] }],
  'a limit that was met': ['O9', { passages: [passage({ answer: { status: 429, at: 1000 } })] }],
  'a call before its time': ['O9', { passages: [told, passage({ at: 20_000 })] }],
  'a secret that was told once, and is in no Secret': ['O17', { untold: ['/object-storage/keys/1'] }],
  'a key that was ended while its Secret still had it': ['O18', { voided: ['a Secret still holds it'] }],
  'a secret that was told once, in a log': ['O10', { lives: [life({ row: { secret_key: 'Qx81bTz0' } })], published: '["made Qx81bTz0"]' }],
  'a secret in a log': ['O10', { published: 'token Kq7vX...' }],
  'a defect': ['O11', { panics: ['TypeError'] }],
  'a memory of what is gone': ['O15', { remembered: ['operator-1: ledger: 1'] }],
  'a write of who has lost the lease': ['O14', { resumed: [{ by: 'operator-1', at: 900 }], passages: [passage({})] }],
  'a call that nobody wrote down': ['O16', { audited: [], passages: [passage({})] }],
  'a right that the chart does not give': ['O13', { passages: [passage({ server: 'kube', answer: { status: 403, at: 1000 } })] }],
};

const judged = (standing: readonly string[]) =>
  judge({
    scenario: scenario(),
    run: { ...good, afterwards: left(...standing) },
    reference: { ...good, afterwards: left('configs {"devices":{"sda":1},"label":"main"}') },
    excuse: {},
  }).map(({ oracle }) => oracle.split(' ')[0]);

describe('every oracle can fail', () => {
  it('and does not where nothing is wrong', () => expect(accused({})).toEqual([]));
  it.each(Object.entries(violations))('at %s', (_, [oracle, change]) => expect(accused(change)).toEqual([oracle]));
  it('but forgives a limit that is met while a call of the process before is under way', () => {
    const refused = passage({ by: 'operator-2', at: 1000, answer: { status: 429, at: 1000 } });
    const begun = { by: 'operator-1', at: 900 };
    expect(accused({ passages: [passage({ ...begun, answer: { status: 200, at: 1100 } }), refused] })).toEqual([]);
    expect(accused({ passages: [passage({ ...begun, answer: { status: 200, at: 950 } }), refused] })).toEqual(['O9']);
  });
  it('but takes for left over what was made, not what stands in another state than without the fault', () => {
    expect(judged(['configs {"devices":{"sda":null},"label":"main"}'])).toEqual([]);
    expect(judged(['configs {"devices":{"sda":1},"label":"main"}', 'configs {"devices":{},"label":"main"}'])).toEqual(['O2']);
    expect(judged(['configs {"devices":{"sda":null},"label":"main"}', 'configs {"devices":{},"label":"other"}'])).toEqual(['O2']);
  });
  it('but lets the old leader ask for the lease, and finish what has preconditions', () => {
    const path = '/apis/cloudhosting.dev/v1alpha1/namespaces/team-a/cloudvolumes/db-data?fieldManager=me';
    const body = Buffer.from('{"metadata":{"uid":"1","resourceVersion":"7","finalizers":[]}}');
    const request = { ...passage({}).request, method: 'PATCH', path, body };
    const resumed = [{ by: 'operator-1', at: 900 }];
    expect(accused({ resumed, passages: [passage({ server: 'kube', request })] })).toEqual([]);
    const status = { ...request, path: path.replace('?', '/status?') };
    expect(accused({ resumed, passages: [passage({ server: 'kube', request: status })] })).toEqual(['O14']);
    const careless = { ...request, body: Buffer.from('{"metadata":{"finalizers":[]}}') };
    expect(accused({ resumed, passages: [passage({ server: 'kube', request: careless })] })).toEqual(['O14']);
  });
  it('but lets pass what was told by another class, or after its time', () =>
    expect(accused({ passages: [told, passage({ at: 31_001 }), passage({ at: 2000, rate: 'list' })] })).toEqual([]));
});
