import { beforeEach, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

let world: World;
const instance = (image: string): Record<string, unknown> => ({
  region: 'eu-central',
  type: 'g6-nanode-1',
  image,
  rootPasswordSecretRef: { name: 'root', key: 'password' },
});
const writes = (): readonly string[] =>
  world.emulator.control
    .requests()
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);

beforeEach(async () => {
  world = await World.create({ emulator: { providerWord: 'acme' } });
  await world.account();
  await world.secret('root', { password: 'Canary-Horse-9-Battery' });
  await world.start();
});

it.each(['vm/debian11', 'acme/debian11'])('an image written %s is deployed once, shown neutrally, and never corrected', async (image) => {
  await world.apply('CloudInstance', 'web', instance(image));
  expect((await world.ready('CloudInstance', 'web')).status).toMatchObject({ image: 'vm/debian11' });
  await world.clock.advance(900_000);
  expect(writes()).toHaveLength(1);
});

it('the other spelling is no change', async () => {
  await world.apply('CloudInstance', 'web', instance('acme/debian11'));
  await world.ready('CloudInstance', 'web');
  await world.patch('CloudInstance', 'web', { spec: { image: 'vm/debian11' } });
  await world.ready('CloudInstance', 'web');
  expect(writes()).toHaveLength(1);
});

it('another image asks for approval in neutral words', async () => {
  await world.apply('CloudInstance', 'web', instance('acme/debian11'));
  await world.ready('CloudInstance', 'web');
  await world.patch('CloudInstance', 'web', { spec: { image: 'acme/debian10' } });
  const { message } = await world.reason('CloudInstance', 'web', 'ApprovalRequired');
  expect(message).toContain('the account has vm/debian11, wanted vm/debian10');
});
