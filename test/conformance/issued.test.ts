import { describe, expect, it } from 'vitest';
import { asIssued, del, erase, post, type Row } from '../../src/resource/index.ts';
import type { World } from '../support/world/world.ts';
import { named } from './case.ts';
import { type Asked, issuedLaws } from './issued.ts';
import { begin, specOf } from './operated.ts';

const issued = named.flatMap(([name, one]) => {
  const kind = asIssued(one.kind);
  return kind === undefined ? [] : [[name, { ...one, kind }] as const];
});
const asked = ({ kind, wants, remote }: (typeof issued)[number][1]): readonly Asked[] =>
  wants.map(([, want]) => ({ kind, want, answer: remote }));

it('some kind is issued', () => expect(issued.length).toBeGreaterThan(0));

describe.each(issued)('laws of the mode issued, of %s', (_, one) => {
  it.each(Object.entries(issuedLaws))('%s', (_law, law) => expect(asked(one).flatMap(law)).toEqual([]));
});

describe('a kind of the laboratory that', () => {
  const [, right] = issued[0] ?? [];
  const wrong = (change: object): Asked[] => {
    const kind = right && asIssued(erase({ ...right.kind, ...change }));
    return right === undefined || kind === undefined ? [] : [...asked({ ...right, kind })];
  };
  const says = 'A value.';
  const laboratory: Readonly<Record<string, readonly [law: string, wrong: readonly Asked[]]>> = {
    'tells everybody': ['goes into a Secret', wrong({ outputs: { url: { says, of: () => 'x' } } })],
    'gives out what no answer holds': ['holds all', wrong({ outputs: { url: { says, secret: true, of: () => undefined } } })],
    'takes something away each time': ['takes nothing away', wrong({ issue: { ...right?.kind.issue, call: () => del('/x') } })],
    'is over before anybody looks': ['long enough', wrong({ issue: { ...right?.kind.issue, seconds: () => 60 } })],
    'asks for the same whatever the spec says': ['every field', wrong({ issue: { ...right?.kind.issue, call: () => post('/x') } })],
  };
  it.each(Object.entries(laboratory))('%s breaks its law', (_, [name, cases]) => {
    const [law] = Object.entries(issuedLaws).flatMap(([text, one]) => (text.includes(name) ? [one] : []));
    expect(cases.length).toBeGreaterThan(0);
    expect(cases.flatMap((one) => law?.(one) ?? [])).not.toEqual([]);
  });
});

const minute = 60_000;
/** The changing requests of the account since. */
const sentSince = (world: World, since: number): readonly string[] =>
  world.emulator.control
    .requests()
    .slice(since)
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);
async function secretOf(world: World, name: string): Promise<Row> {
  const { data } = (await world.admin('GET', `/api/v1/namespaces/team-a/secrets/${name}`)) as unknown as { data: Row };
  return data;
}

describe.each(issued)('under a whole operator, %s', (kind, one) => {
  const { name } = one.fixture.sample;
  const wants = [['', {}], ...Object.entries(one.fixture.wants ?? {})] as const;
  const secondsOf = (change: Row): number => one.kind.issue.seconds({ ...one.want, ...change });
  // Hours of virtual time cost seconds of real time.
  const [, change] = wants.toSorted(([, a], [, b]) => secondsOf(a) - secondsOf(b))[0] ?? wants[0];
  const seconds = secondsOf(change);
  const secret = `${name}-${one.kind.shortName}`;
  async function ready(shortest: Row = {}): Promise<{ world: World; since: number; calls: () => readonly string[] }> {
    const { world } = await begin(one.fixture);
    // Days pass in these stories, and nothing is awaited of anybody.
    await world.patch('CloudAccount', 'default', { spec: { pollIntervalSeconds: 3600 } });
    const since = world.emulator.control.requests().length;
    await world.apply(kind, name, specOf(one.fixture, shortest));
    await world.ready(kind, name);
    return { world, since, calls: () => sentSince(world, since) };
  }

  it('is asked for once, and again when a third of its time is left', { timeout: 120_000 }, async () => {
    const { world, calls } = await ready(change);
    const first = await secretOf(world, secret);
    await world.clock.advance((seconds * 1000 * 2) / 3 - minute);
    expect(calls()).toHaveLength(1);
    expect(await secretOf(world, secret)).toEqual(first);
    await world.clock.advance(2 * minute);
    expect(calls()).toHaveLength(2);
    expect(await secretOf(world, secret)).not.toEqual(first);
    await world.ready(kind, name);
    expect(world.panics).toEqual([]);
  });
  it('is asked for anew when its Secret is lost or is another, and not for a restart', { timeout: 120_000 }, async () => {
    const { world, calls } = await ready();
    await world.start();
    await world.clock.advance(20 * minute);
    expect(calls()).toHaveLength(1);
    const at = `/api/v1/namespaces/team-a/secrets/${secret}`;
    await world.admin('DELETE', at);
    await world.clock.advance(6 * minute);
    expect(calls()).toHaveLength(2);
    const good = await secretOf(world, secret);
    const [key = ''] = Object.keys(good);
    await world.admin('PATCH', at, { data: { [key]: Buffer.from('somebody wrote this').toString('base64') } });
    await world.clock.advance(6 * minute);
    expect(calls()).toHaveLength(3);
    expect(Object.keys(await secretOf(world, secret))).toEqual(Object.keys(good));
  });
  it('takes nothing back when its object goes, and says until when it works', { timeout: 120_000 }, async () => {
    const { world, calls } = await ready();
    const expires = String((await world.get(kind, name)).status?.['expires']);
    await world.delete(kind, name);
    await world.gone(kind, name);
    expect(calls()).toHaveLength(1);
    const events = world.server.objects('/events').filter(({ metadata }) => metadata.name.startsWith(`${name}.`));
    expect(JSON.stringify(events)).toContain(`works until ${expires}`);
    expect(world.panics).toEqual([]);
  });
});
