import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { cloud, endpoint } from '../../support/plugin/cloud-cli.ts';
import { World } from '../../support/world/world.ts';

const minute = 60_000;
const db = { label: 'shop', engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-dedicated-2', allowList: ['203.0.113.0/24'] };
let world: World;
let path: string;
const edit = (spec: object): Promise<unknown> => world.patch('CloudDatabase', 'shop', { spec });
const seen = (row: Record<string, unknown>): void => {
  world.emulator.control.edit({ collection: 'databases', key: Number(/\d+$/.exec(path)?.[0]), row });
};
const synced = () => world.condition('CloudDatabase', 'shop', 'Synced');
const drift = async () => (await world.get('CloudDatabase', 'shop')).status?.['drift'];
const diff = (more = '') => cloud(world, `diff cdb/shop${more}`, { limit: 10 * minute });
const asWanted = { status: 'True', reason: 'Available' };

async function broken(more: object = {}): Promise<void> {
  await world.apply('CloudDatabase', 'shop', { ...db, ...more });
  path = String((await world.ready('CloudDatabase', 'shop', 60 * minute)).status?.['path']);
  await world.clock.advance(5 * minute);
  seen({ status: 'failed' });
  await world.clock.advance(10 * minute);
}

beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
});

describe('what has failed in the account', () => {
  it('is as wanted as long as nothing differs', async () => {
    await broken();
    expect(await synced()).toMatchObject(asWanted);
    expect(await diff()).toMatchObject({ exit: 0, out: 'Nothing differs (1 object compared).\n' });
  });

  it('is not said to be as an edit asks that was never sent, and has it once it works again', async () => {
    await broken({ lifecycle: { drift: 'Report' } });
    const before = changesOf(world).length;
    await edit({ allowList: ['198.51.100.0/24'], label: 'shop-2' });
    await world.clock.advance(30 * minute);
    const told = expect.stringContaining('spec.allowList: the account has ["203.0.113.0/24"], wanted ["198.51.100.0/24"]');
    expect(await synced()).toMatchObject({ status: 'False', reason: 'RemoteFailed', message: told });
    expect(await world.condition('CloudDatabase', 'shop', 'Ready')).toMatchObject({ status: 'False', reason: 'RemoteFailed' });
    expect(await drift()).toBeUndefined();
    const { exit, out } = await diff();
    expect([exit, out]).toEqual([
      1,
      expect.stringMatching(/^CloudDatabase team-a\/shop {2}not sent: .*spec\.label: the account has shop, wanted shop-2/),
    ]);
    expect((await cloud(world, 'why cdb/shop')).out).toContain('spec.label: the account has shop, wanted shop-2');
    expect(changesOf(world)).toHaveLength(before);
    seen({ status: 'active' });
    await world.ready('CloudDatabase', 'shop', 60 * minute);
    expect(await synced()).toMatchObject(asWanted);
    expect(world.emulator.control.rows('databases')).toMatchObject([{ label: 'shop-2', allow_list: ['198.51.100.0/24'] }]);
  });

  it('has what somebody else changed named, and no more once that is set back', async () => {
    await broken();
    seen({ label: 'theirs' });
    await world.clock.advance(30 * minute);
    expect(await synced()).toMatchObject({ status: 'False', reason: 'RemoteFailed', message: expect.stringContaining('wanted shop') });
    expect(await drift()).toMatchObject([{ field: 'label', was: 'shop', now: 'theirs' }]);
    const { exit, out } = await diff();
    expect([exit, out]).toEqual([1, expect.stringMatching(/spec\.label: wanted shop, the account has theirs since .*\n.*not sent: /)]);
    seen({ label: 'shop' });
    await world.clock.advance(30 * minute);
    expect(await synced()).toMatchObject(asWanted);
    expect(await drift()).toBeUndefined();
  });

  it('tells as much as the account does', async () => {
    await broken();
    await edit({ label: 'shop-2' });
    await world.clock.advance(30 * minute);
    expect((await diff(` --against account --endpoint ${endpoint}`)).out).toContain('spec.label: wanted shop-2, the account has shop');
  });
});
