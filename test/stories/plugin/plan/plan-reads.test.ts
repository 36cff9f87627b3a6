import { beforeEach, expect, it } from 'vitest';
import { cloud, endpoint } from '../../../support/plugin/cloud-cli.ts';
import { World } from '../../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.apply('CloudBucket', 'it', { cluster: 'us-east-1', label: 'assets', acl: 'private' });
  await world.ready('CloudBucket', 'it');
});
const own = () => world.emulator.control.requests().filter(({ userAgent }) => userAgent.startsWith('kubectl-cloud'));
const typed = (line: string) => cloud(world, `${line} --endpoint ${endpoint}`, { limit: 600_000 });

it.each(['diff CloudBucket/it --against account', 'plan CloudBucket/it'])(
  '%s reads what a bucket needs, and nothing else',
  async (line) => {
    const ran = await typed(line);
    expect(ran.exit).toBe(0);
    const paths = own().map(({ path }) => path);
    // Who the token is; the account once more as an object, with what is compared of it; the catalogue, the list, and what is compared below it.
    expect(paths.filter((path) => path !== '/account/events').toSorted()).toEqual([
      '/account',
      '/account',
      '/account/settings',
      '/object-storage/buckets',
      '/object-storage/buckets/us-east-1/assets/access',
      '/object-storage/clusters',
      '/profile',
    ]);
    expect(paths.filter((path) => path === '/account/events').length).toBeLessThanOrEqual(2);
    expect(ran.err).not.toContain('rate window');
  },
);

it('says that it waits for the rate window, once', async () => {
  world.emulator.control.setKnobs({ rateProfile: 'published-2026' });
  const runs: { readonly took: number; readonly err: string }[] = [];
  while (runs.length < 60 && runs.every(({ took }) => took < 15_000)) {
    const before = world.clock.now();
    const { err, exit } = await typed('diff CloudBucket/it --against account');
    expect(exit).toBe(0);
    runs.push({ took: world.clock.now() - before, err });
  }
  const told = runs.map(({ err }) => err.split('waiting for the rate window of the account: at most 20 % of it').length - 1);
  expect(told).toEqual([...runs.slice(1).map(() => 0), 1]);
});
