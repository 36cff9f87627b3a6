import { beforeEach, describe, expect, it } from 'vitest';
import { cloud, dataOf } from '../../../support/plugin/cloud-cli.ts';
import { connectedWorld } from '../../../support/world/connected-world.ts';
import type { World } from '../../../support/world/world.ts';

const minute = 60_000;
const volume = { region: 'us-east', sizeGiB: 20 };
const numbered = (word: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `${word}-${String(n).padStart(2, '0')}`);
let world: World;
beforeEach(async () => {
  ({ world } = await connectedWorld());
});
const why = async (line: string) => (await cloud(world, `why ${line}`, { limit: 10 * minute })).out;
const count = (text: string, part: string | RegExp): number => text.split(part).length - 1;

it('why of several takes whatever their remotes are called for text', async () => {
  const { world: shop, operator } = await connectedWorld();
  for (const name of ['one', 'two']) await shop.apply('CloudVolume', name, { ...volume, volumeRef: { name } });
  for (const name of ['one', 'two']) await shop.reason('CloudVolume', name, 'InvalidSpec');
  operator.kill();
  for (const [name, path] of Object.entries({ one: '/tags/(a+', two: '/tags/[b' }))
    await shop.admin('PATCH', `${shop.path('CloudVolume', 'team-a', name)}/status`, { status: { path } });
  const { exit, out, err } = await cloud(shop, 'why -A', { limit: 10 * minute });
  expect([exit, err]).toEqual([1, expect.not.stringContaining('regular expression')]);
  expect(out).toContain('InvalidSpec');
});

describe('why of many', () => {
  beforeEach(async () => {
    for (const name of numbered('well', 14)) await world.apply('CloudVolume', name, volume);
    for (const name of numbered('well', 14)) await world.ready('CloudVolume', name);
    for (const name of numbered('late', 12)) await world.apply('CloudVolume', name, { ...volume, instanceRef: { name: 'none' } });
    for (const name of numbered('odd', 3)) await world.apply('CloudVolume', name, { ...volume, volumeRef: { name } });
    await world.reason('CloudVolume', 'late-11', 'ReferenceNotReady');
    await world.reason('CloudVolume', 'odd-02', 'InvalidSpec');
  });
  it('tells each cause once, with ten of the objects that it holds up, and the account once', async () => {
    const out = await why('-A');
    expect(count(out, 'CloudInstance team-a/none: NotFound')).toBe(1);
    expect(out).toMatch(/\n {2}holds up 12 objects.*: CloudVolume team-a\/late-00, late-01, .*late-09 and 2 more\n/);
    expect(out).not.toContain('late-10');
    expect(out).toMatch(
      /15 objects are Ready and as wanted: CloudAccount team-a\/default, CloudVolume team-a\/well-00, well-01, .* and 5 more\n/,
    );
    expect(count(out, 'Account team-a/default: ')).toBe(1);
    expect(out.trimEnd().split('\n').length).toBeLessThan(25);
  });
  it('tells the worst first, and what is well last', async () => {
    const out = await why('-A');
    const places = ['CloudInstance team-a/none', '3 objects', 'are Ready and as wanted'].map((part) => out.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });
  it('tells of objects with a cause of their own how many have it, and what to type about the first', async () => {
    const out = await why('-A');
    expect(out).toMatch(/(^|\n)3 objects, not as wanted since \S+ \(.*\): InvalidSpec: /);
    expect(out).toContain('\n  CloudVolume team-a/odd-00, odd-01, odd-02\n');
    expect(out).toMatch(/\nWhat to do, here for CloudVolume team-a\/odd-00: /);
    expect(count(out, 'kubectl -n team-a delete cloudvolume odd-')).toBe(1);
  });
  it('tells a single one as when it is asked about alone, and gives a script each', async () => {
    await world.delete('CloudVolume', 'odd-01');
    await world.delete('CloudVolume', 'odd-02');
    await world.gone('CloudVolume', 'odd-02');
    const alone = (await why('cvol/odd-00')).split('\n').slice(0, -2).join('\n');
    expect(await why('-A')).toContain(alone);
    const { objects } = dataOf(await cloud(world, 'why -A -o json')) as { objects: unknown[] };
    expect(objects).toHaveLength(28);
  });
  it('tells of all that an account holds up in one paragraph', async () => {
    world.emulator.control.revokeToken('token-admin');
    await world.reason('CloudAccount', 'default', 'Unauthorized', 60 * minute);
    const out = await why('cvol -A');
    expect(count(out, '401')).toBe(1);
    expect(out).toMatch(/^CloudAccount team-a\/default, not as wanted since .*: Unauthorized: .*\n {2}holds up \d+ objects/);
    expect(count(out, 'Put a valid token')).toBe(1);
  });
});
