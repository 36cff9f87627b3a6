import { beforeEach, expect, it } from 'vitest';
import { cloud } from '../../../support/plugin/cloud-cli.ts';
import { World } from '../../../support/world/world.ts';

const limit = 60 * 60_000;
const machine = {
  region: 'us-east',
  type: 'g6-standard-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: { name: 'root', key: 'password' },
};
let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.secret('root', { password: 'Correct-Horse-7' });
  await world.start();
  for (const name of ['web', 'db']) await world.apply('CloudInstance', name, machine);
  for (const name of ['web', 'db']) await world.ready('CloudInstance', name);
  for (const name of ['web', 'db']) {
    await world.apply('CloudInstanceConfig', `${name}-rescue`, { instanceRef: { name }, devices: { sdh: { empty: true } } });
    await world.ready('CloudInstanceConfig', `${name}-rescue`);
  }
  await world.clock.advance(60_000);
});
const ofKinds = (resources: readonly string[], verbs: readonly string[]) => ({
  apiGroups: ['cloudhosting.dev'],
  resources: [...resources],
  verbs: [...verbs],
});
const operations = async (): Promise<number> =>
  ((await world.admin('GET', world.path('CloudOperation'))) as unknown as { items: unknown[] }).items.length;

it.each(['reboot', 'boot'])('%s into a configuration that is not there says so at once, with those that are', async (verb) => {
  const before = world.clock.now();
  const { exit, err } = await cloud(world, `${verb} cinst/web --config web-resque --yes`, { limit });
  expect(exit).toBe(4);
  expect(err).toContain('CloudInstanceConfig team-a/web-resque is not there; did you mean ccfg/web-rescue?');
  expect(err).toContain('\nOf CloudInstance team-a/web there are: web-rescue');
  expect(err).not.toContain('db-rescue');
  // Made with the image, and so without an object: by its id.
  const { configs } = (await world.get('CloudInstance', 'web')).status as { configs: { id: number; label: string }[] };
  for (const { id, label } of configs.filter(({ label: one }) => one !== 'web-rescue')) expect(err).toContain(`${id} (${label})`);
  expect(world.clock.now() - before).toBeLessThan(1000);
  expect(await operations()).toBe(0);
});

it('says the same where it would only be shown, and goes on with one that is there', async () => {
  expect((await cloud(world, 'reboot cinst/web --config none --dry-run', { limit })).exit).toBe(4);
  const { exit, out } = await cloud(world, 'reboot cinst/web --config web-rescue --yes', { limit });
  expect([exit, out]).toEqual([0, expect.stringContaining('Succeeded')]);
});

it('whoever may not read configurations is not kept from it', async () => {
  world.server.addUser('ops', { name: 'ops' });
  world.server.setGrants([{ to: 'ops', rules: [ofKinds(['cloudinstances'], ['get']), ofKinds(['cloudoperations'], ['get', 'create'])] }]);
  expect((await cloud(world, 'reboot cinst/web --config web-rescue --yes --no-wait', { limit, token: 'ops' })).exit).toBe(0);
});
