import { expect, it } from 'vitest';
import { connectedWorld } from '../../support/world/connected-world.ts';

const minute = 60_000;

it('what could not be booted for want of a configuration is booted when that comes', async () => {
  const { world } = await connectedWorld();
  await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1', power: 'On' });
  await world.reason('CloudInstance', 'web', 'Rejected');
  await world.clock.advance(2 * minute);
  await world.apply('CloudDisk', 'root', { instanceRef: { name: 'web' }, label: 'root', sizeMB: 2000, filesystem: 'ext4' });
  await world.apply('CloudInstanceConfig', 'main', {
    instanceRef: { name: 'web' },
    label: 'main',
    devices: { sda: { diskRef: { name: 'root' } } },
  });
  await world.ready('CloudInstanceConfig', 'main');
  await world.ready('CloudInstance', 'web', 3 * minute);
  expect((await world.get('CloudInstance', 'web')).status?.['state']).toBe('running');
  const boots = world.emulator.control.requests().filter(({ method, path }) => method === 'POST' && path.endsWith('/boot'));
  expect(boots.length).toBeLessThanOrEqual(4);
});
