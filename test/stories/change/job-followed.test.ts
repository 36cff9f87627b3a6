import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { World } from '../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
  await world.secret('root', { password: 'Canary-Horse-9-Battery' });
  await world.apply('CloudInstance', 't1', {
    region: 'eu-central',
    type: 'g6-nanode-1',
    image: 'vm/debian11',
    rootPasswordSecretRef: { name: 'root', key: 'password' },
    lifecycle: { approve: ['InPlace', 'Reboot'] },
  });
  await world.ready('CloudInstance', 't1');
  await world.clock.advance(120_000);
});
const instances = (): { status: string; type: string }[] => world.emulator.control.rows('instances') as never;
const isRunning = (): Promise<boolean> =>
  Promise.resolve(instances().some(({ status, type }) => status === 'running' && type === 'g6-standard-1'));

/** What no event tells, and the sweep in minutes. */
async function isToldSoon(): Promise<void> {
  await world.clock.runUntil(isRunning, 300_000);
  await world.clock.advance(30_000);
  expect((await world.get('CloudInstance', 't1')).status).toMatchObject({ state: 'running', type: 'g6-standard-1' });
}

describe('a resize, after which the service boots the instance by itself', () => {
  it('is followed to its end', async () => {
    await world.patch('CloudInstance', 't1', { spec: { type: 'g6-standard-1' } });
    await isToldSoon();
  });
  for (const [image, reason] of [
    ['vm/no-such-image', 'InvalidSpec'],
    ['vm/debian10', 'ApprovalRequired'],
  ] as const)
    it(`is followed to its end also where the spec became ${reason} meanwhile`, async () => {
      await world.patch('CloudInstance', 't1', { spec: { type: 'g6-standard-1' } });
      await world.clock.runUntil(async () => (await world.get('CloudInstance', 't1')).status?.['state'] === 'resizing', 60_000);
      await world.patch('CloudInstance', 't1', { spec: { image } });
      await world.reason('CloudInstance', 't1', reason);
      await isToldSoon();
      expect((await world.condition('CloudInstance', 't1', 'Synced'))?.reason).toBe(reason);
      expect(changesOf(world).filter((call) => call.endsWith('/resize'))).toHaveLength(1);
    });
});
