import { expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

it('what the API refuses is not sent again for being looked at, but when a person asks or half an hour has passed', async () => {
  const world = await World.create();
  await world.account({ pollIntervalSeconds: 600 });
  await world.secret('weak', { password: 'aaaaaaaaaaaa' });
  await world.start();
  await world.ready('CloudAccount', 'default');
  const rootPasswordSecretRef = { name: 'weak', key: 'password' };
  await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1', image: 'vm/debian11', rootPasswordSecretRef });
  await world.reason('CloudInstance', 'web', 'Rejected');
  const posts = (): number => world.emulator.control.requests().filter(({ method }) => method === 'POST').length;
  const annotate = (name: string, value: string): Promise<unknown> =>
    world.patch('CloudInstance', 'web', { metadata: { annotations: { [`cloudhosting.dev/${name}`]: value } } });
  for (const value of ['one', 'two', 'three']) {
    await annotate('approve', value);
    await world.clock.advance(30_000);
  }
  expect(posts()).toBe(1);
  expect((await world.condition('CloudInstance', 'web', 'Synced'))?.reason).toBe('Rejected');
  await annotate('reconcile-at', 'now');
  await world.clock.advance(30_000);
  expect(posts()).toBe(2);
  await world.clock.advance(3_700_000);
  expect(posts()).toBeGreaterThanOrEqual(3);
});

it.each([0, 50])(
  'what the API refuses is sent once, and again when the spec changes, though watches outrun answers by %i ms',
  async (by) => {
    const world = await World.create();
    world.server.faults.add({ match: { method: 'PATCH' }, action: { kind: 'delay-answer', by } });
    await world.account();
    await world.secret('weak', { password: 'aaaaaaaaaaaa' });
    await world.start();
    await world.ready('CloudAccount', 'default');
    const spec = {
      region: 'eu-central',
      type: 'g6-nanode-1',
      image: 'vm/debian11',
      rootPasswordSecretRef: { name: 'weak', key: 'password' },
    };
    await world.apply('CloudInstance', 'web', spec);
    await world.reason('CloudInstance', 'web', 'Rejected');
    const posts = (): number => world.emulator.control.requests().filter(({ method }) => method === 'POST').length;
    await world.clock.advance(20 * 60_000);
    expect(posts()).toBe(1);
    await world.apply('CloudInstance', 'web', { ...spec, power: 'Off' });
    await world.clock.advance(20 * 60_000);
    expect(posts()).toBe(2);
  },
);
