import { beforeEach, expect, it } from 'vitest';
import { cloud, dataOf } from '../../../support/plugin/cloud-cli.ts';
import { connectedWorld } from '../../../support/world/connected-world.ts';
import type { RunningOperator, World } from '../../../support/world/world.ts';

const minute = 60_000;
let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  ({ world, operator } = await connectedWorld());
  await world.apply('CloudVolume', 'data', { region: 'us-east', sizeGiB: 20 });
  await world.apply('CloudInstance', 'web', { region: 'us-east', type: 'g6-nanode-1' });
  await world.ready('CloudVolume', 'data');
  await world.clock.advance(minute);
});
const firstOf = async (line: string) => {
  const { exit, out } = await cloud(world, line);
  return { exit, out, first: out.split('\n')[0] ?? '' };
};
const refused = async (): Promise<void> => {
  world.emulator.control.revokeToken('token-admin');
  await world.reason('CloudAccount', 'default', 'Unauthorized', 60 * minute);
};

it('of an object whose account is refused the first line says that, and what was last known', async () => {
  expect(await firstOf('why cvol/data')).toMatchObject({ exit: 0, first: expect.stringContaining('is Ready and as wanted since') });
  await refused();
  const { exit, out, first } = await firstOf('why cvol/data');
  expect(exit).toBe(1);
  expect(first).toMatch(
    /^CloudVolume team-a\/data: nothing of it is seen or changed since \S+Z \(\d+ \w+\), because CloudAccount team-a\/default is not connected \(Unauthorized\)\. When it was seen last it was Ready and as wanted, since \S+Z \(\d+ min\)\.$/,
  );
  expect(out).toMatch(/\n {2}CloudAccount team-a\/default, not as wanted since \S+ \(\d+ \w+\): Unauthorized: .*401/);
  expect(out).toContain('\nWhat to do: Put a valid token into key token of Secret cloud-token');
  const { objects } = dataOf(await cloud(world, 'why cvol/data -o json')) as { objects: object[] };
  expect(objects).toMatchObject([
    {
      well: false,
      ready: true,
      root: 'CloudAccount team-a/default',
      chain: [{ reason: 'Available' }, { reason: 'Unauthorized', depth: 1 }],
    },
  ]);
});

it('also of one that was not as wanted before, whose own cause waits until then', async () => {
  await refused();
  const { exit, out, first } = await firstOf('why cinst/web');
  expect(exit).toBe(1);
  expect(first).toMatch(
    /^CloudInstance team-a\/web: nothing of it is seen or changed since .*\(Unauthorized\)\. When it was seen last it was as its spec says, and off: it is powered off/,
  );
  expect(out).toMatch(/\nWhat to do: Put a valid token into/);
  expect(out).not.toContain('"power"');
});

it('of the account itself', async () => {
  await refused();
  const { exit, first } = await firstOf('why cacc/default');
  expect([exit, first]).toEqual([
    1,
    expect.stringMatching(/^CloudAccount team-a\/default is not connected since \S+ \(.*\): Unauthorized: /),
  ]);
});

it('of one whose account nobody answers for, or that is gone', async () => {
  world.emulator.control.addFault({ match: { username: 'admin' }, effect: { kind: 'html', status: 502 } });
  await world.clock.advance(30 * minute);
  const { exit, first } = await firstOf('why cvol/data');
  expect([exit, first]).toEqual([1, expect.stringContaining('is not connected (Unreachable)')]);
});

it('of one for which no operator works', async () => {
  operator.kill();
  await world.clock.advance(5 * minute);
  const { exit, out, first } = await firstOf('why cvol/data');
  expect(exit).toBe(1);
  expect(first).toMatch(
    /^CloudVolume team-a\/data: nothing of it is seen or changed since \S+Z \(\d+ min\), because no operator works for CloudAccount team-a\/default\. When it was seen last it was Ready and as wanted, since /,
  );
  expect(out).toContain('What to do: See whether its Pods run, and what they log.');
});

it.each([
  ['edited', () => world.patch('CloudVolume', 'data', { spec: { sizeGiB: 40 } }), 'before it was edited.'],
  ['deleted', () => world.delete('CloudVolume', 'data'), 'before its deletion was asked for.'],
])('of one that was as wanted, and was %s since', async (_, change, says) => {
  operator.kill();
  await world.clock.advance(5 * minute);
  await change();
  const { first } = await firstOf('why cvol/data');
  expect(first).toMatch(/When it was seen last it was Ready and as wanted since \S+Z \(\d+ min\), before /);
  expect(first.endsWith(says)).toBe(true);
});

it('is not said where the account only may not write', async () => {
  await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
  await cloud(world, 'pause cacc/default --for 1h');
  await world.clock.advance(minute);
  expect(await firstOf('why cvol/data')).toMatchObject({ exit: 0, first: expect.stringContaining('is Ready and as wanted since') });
});
