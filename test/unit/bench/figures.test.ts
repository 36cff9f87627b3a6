import { describe, expect, it } from 'vitest';
import { isOk, p99 } from '../../bench/figure.ts';
import { type Member, membersOf, mixed } from '../../bench/population.ts';
import { comparison, rowOf, table } from '../../bench/report.ts';
import { planned } from '../../bench/scenarios.ts';
import { allowedCalls, isPart } from '../../bench/scenarios/adoption.ts';
import { allowedAnHour, allowedMemory, firstReads, placesIn } from '../../bench/scenarios/idle.ts';

const read = (at: number, path: string, userAgent = 'cloud-operator/1 (CloudFirewall)') => ({ at, path, userAgent });

const figure = (value: number, limit?: number) => ({
  name: 'cold start',
  objects: 100,
  value,
  unit: 's',
  formula: 'start to end',
  ...(limit !== undefined && { limit }),
});

const runs = (only: readonly string[], population = 'mixed') =>
  planned({ only, population }).map(({ world, scenarios }) => [world, scenarios.map(({ name }) => name)]);

describe('figures of the bench', () => {
  it('keep their limit, miss it, or have none', () => {
    expect([figure(15, 15), figure(15.1, 15), figure(99)].map(isOk)).toEqual([true, false, true]);
    expect(rowOf(figure(99))).toMatchObject({ limit: null, ok: null });
    expect(table([rowOf(figure(15.1, 15))])).toMatch(/cold start +15\.1 s +15 +MISSED +start to end/);
  });
  it('that are no number were not measured, and miss', () => {
    expect(rowOf(figure(Number.NaN))).toMatchObject({ limit: null, ok: false });
    expect(rowOf(figure(-Infinity, 15))).toMatchObject({ ok: false });
  });
  it('of fewer than 100 values the 99th percentile is the greatest', () => {
    expect(p99([3, 9, 1])).toBe(9);
    expect(p99(Array.from({ length: 200 }, (_, index) => index + 1))).toBe(198);
    expect(p99([])).toBeNaN();
  });
  it('show what changed', () => {
    const text = comparison([rowOf(figure(10))], [rowOf(figure(15)), { ...rowOf(figure(1)), objects: 1000 }]);
    expect(text).toMatch(/100 +cold start +10 +15 s +50 %/);
    expect(text).toMatch(/1000 +cold start +1 s +new/);
  });
});

describe('scenarios of the bench', () => {
  // It printed [] and ended well.
  it('adoption can be asked for alone', () => expect(runs(['adoption'])).toEqual([['populated', ['adoption']]]));
  it('adoption goes before what needs it', () => expect(runs(['idle'])).toEqual([['populated', ['adoption', 'idle']]]));
  it('an account that was exported is handed over before, and let go at the end', () =>
    expect(runs(['idle', 'let-go'], 'all')).toEqual([['populated', ['adoption', 'handover', 'idle', 'let-go']]]));
  it('mass-create needs none', () => expect(runs(['mass-create'])).toEqual([['empty', ['mass-create']]]));
  it('all run when none is named', () => expect(runs([]).map(([world]) => world)).toEqual(['populated', 'empty']));
  it('one that a population has not is not run', () => expect(runs(['mass-create'], 'CloudVolume')).toEqual([]));
  it('one that there is not is an error', () =>
    expect(() => runs(['adoptoin'])).toThrow('no scenario adoptoin; there are adoption, handover, idle'));
});

const one = (kind: string, name: string, parent?: Member): Member => ({
  kind,
  namespace: 'team-a',
  name,
  spec: {},
  post: { path: '', body: {} },
  ...(parent && { parent }),
});

describe('populations of the bench', () => {
  it.each([100, 1000, 10_000])('%i mixed objects are so many, and no two have one name', (count) => {
    const members = mixed(count);
    expect(members).toHaveLength(count);
    expect(new Set(members.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`)).size).toBe(count);
  });
  it('records come with their domains, in the namespace of their domain', () => {
    const members = membersOf('CloudDomainRecord', { count: 5000, perDomain: 2000 });
    expect(members.filter(({ kind }) => kind === 'CloudDomain')).toHaveLength(3);
    expect(members.every(({ parent, namespace }) => parent === undefined || parent.namespace === namespace)).toBe(true);
  });
  it('are read by lists, which are no parts', () => {
    const paths = ['/volumes', '/lke/clusters/7/pools', '/vm/instances/7/ips', '/networking/firewalls/7/devices'];
    expect(paths.map((path) => isPart({ path }))).toEqual([false, true, true, true]);
  });
  it('of many kinds cost a page for each, and what no list shows a call of its own', () => {
    const few = ['CloudVolume', 'CloudSSHKey', 'CloudStackScript', 'CloudLongviewClient'].map((kind) => one(kind, 'x'));
    expect(allowedAnHour(few)).toBe(400 + 12 * few.length);
    // Engines have a list each; of the database three parts and a page of backups are read.
    const database = one('CloudDatabase', 'db');
    expect(placesIn([database, one('CloudDatabaseBackup', 'b', database)])).toBe(3 + 3 + 1);
    expect(allowedAnHour([one('CloudLongviewPlan', 'plan')])).toBe(400 + 12);
    expect(placesIn([one('CloudObjectACL', 'logo'), one('CloudIPShare', 'share')])).toBe(2);
  });
  it('may take so much memory, by how many kinds they are of', () => {
    expect(allowedMemory(mixed(100))).toBe(160);
    const kinds = Array.from({ length: 24 }, (_, index) => ({ kind: `Cloud${index}` }));
    expect(allowedMemory([...kinds, ...kinds])).toBe(176);
  });
  it('may be adopted with so many calls', () => {
    expect(allowedCalls(membersOf('CloudVolume', { count: 1001 }))).toBe(3 * 3 + 50);
    expect(allowedCalls(membersOf('CloudDomainRecord', { count: 1800, perDomain: 600 }))).toBe(3 * (1 + 6) + 50);
  });
  it('may cost so many idle calls an hour', () => {
    expect(allowedAnHour(membersOf('CloudVolume', { count: 1001 }))).toBe(400 + 12 * 3);
    // One page of domains, and three domains with two pages of records and a zone file each.
    expect(allowedAnHour(membersOf('CloudDomainRecord', { count: 1800, perDomain: 600 }))).toBe(400 + 12 + 12 * (6 + 3));
  });
  it('may write once in idle time for each place that the operator itself has not read before', () => {
    const exported = read(1, '/firewalls/3/devices', 'kubectl-cloud/1 (export)');
    expect(firstReads([exported, read(1, '/firewalls/1/devices'), read(9, '/firewalls/1/devices')], 5)).toBe(0);
    expect(firstReads([exported, read(9, '/firewalls/3/devices'), read(10, '/firewalls/3/devices')], 5)).toBe(1);
  });
});
