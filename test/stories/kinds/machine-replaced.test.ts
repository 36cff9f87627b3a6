import { expect, it } from 'vitest';
import { cloud } from '../../support/plugin/cloud-cli.ts';
import { connectedWorld } from '../../support/world/connected-world.ts';

const second = 1000;

it('what was in a machine that is replaced is not Ready from the moment at which that is gone, though its name is not free yet', async () => {
  const { world } = await connectedWorld();
  const lifecycle = { replace: 'Allow' };
  await world.apply('CloudInstance', 'web', { region: 'us-east', type: 'g6-nanode-1', lifecycle });
  await world.apply('CloudInstanceConfig', 'main', { instanceRef: { name: 'web' }, label: 'main', devices: {} });
  await world.ready('CloudInstanceConfig', 'main');
  await world.ready('CloudInstance', 'web');
  await world.clock.advance(120 * second);
  await world.patch('CloudInstance', 'web', { spec: { region: 'eu-central' } });
  await world.reason('CloudInstance', 'web', 'ApprovalRequired');
  await cloud(world, 'approve cinst/web --confirm web');
  await world.clock.runUntil(() => Promise.resolve(world.emulator.control.rows('instances').length === 0), 60 * second);
  const reads = (): number => world.emulator.control.requests().filter(({ path }) => path.includes('/configs')).length;
  const before = reads();
  await world.clock.advance(4 * second);
  expect((await world.get('CloudInstance', 'web')).status?.['path'], 'it is made later').toBeUndefined();
  expect(await world.condition('CloudInstanceConfig', 'main', 'Ready')).toMatchObject({
    status: 'False',
    message: expect.stringContaining('went with what it was in'),
  });
  expect(reads() - before, 'nothing is read for it').toBe(0);
  await world.ready('CloudInstance', 'web');
  await world.ready('CloudInstanceConfig', 'main');
  expect(world.emulator.control.rows('configs')).toHaveLength(1);
});
