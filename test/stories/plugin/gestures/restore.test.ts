import { beforeEach, expect, it } from 'vitest';
import { cloud } from '../../../support/plugin/cloud-cli.ts';
import { World } from '../../../support/world/world.ts';

const limit = 3 * 60 * 60_000;
let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
});
const machine = (name: string, more: object = {}) =>
  world.apply('CloudInstance', name, { region: 'us-east', type: 'g6-standard-1', ...more });
const operations = async (): Promise<number> =>
  ((await world.admin('GET', world.path('CloudOperation'))) as unknown as { items: unknown[] }).items.length;
interface Known {
  readonly id: number;
  readonly created: string;
}
const backupsOf = async (kind: string, name: string) => ((await world.get(kind, name)).status?.['backups'] ?? []) as readonly Known[];

it('without a backup named says which backups an instance has, and the line that takes one of them', async () => {
  await world.secret('root', { password: 'Correct-Horse-7' });
  await machine('web', { image: 'vm/debian11', rootPasswordSecretRef: { name: 'root', key: 'password' }, backupsEnabled: true });
  await world.ready('CloudInstance', 'web');
  expect((await cloud(world, 'snapshot cinst/web --label before --yes', { limit })).exit).toBe(0);
  await world.clock.runUntil(async () => (await backupsOf('CloudInstance', 'web')).length > 0, limit);
  const [{ id, created } = { id: 0, created: '' }] = await backupsOf('CloudInstance', 'web');
  const before = await operations();
  for (const line of ['restore cinst/web', 'restore cinst/web --to web-2 --yes']) {
    const { exit, err, out } = await cloud(world, line);
    expect([exit, out]).toEqual([2, '']);
    expect(err).toContain('restore of CloudInstance needs --backup. CloudInstance team-a/web has, as its status says');
    expect(err).toMatch(/\n {2}ID +MADE +TYPE +LABEL +STATE\n/);
    expect(err).toMatch(new RegExp(`\n {2}${id} +${created} +snapshot +before +successful\n`));
    expect(err).toContain(`\nTo restore one of them: kubectl cloud ${line} --backup ID\n`);
  }
  expect(await operations()).toBe(before);
});

it('of a database its backups too', async () => {
  await world.apply('CloudDatabase', 'shop', { engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-standard-1' });
  await world.ready('CloudDatabase', 'shop', limit);
  expect((await cloud(world, 'snapshot cdb/shop --label before --yes', { limit })).exit).toBe(0);
  await world.clock.runUntil(async () => (await backupsOf('CloudDatabase', 'shop')).length > 0, limit);
  const { exit, err } = await cloud(world, 'restore cdb/shop');
  expect(exit).toBe(2);
  expect(err).toMatch(/\n {2}ID +MADE +TYPE +LABEL\n {2}\d+ +\d{4}-\S+Z +snapshot +before\n/);
});

it('of what has none says so', async () => {
  await machine('web');
  await world.ready('CloudInstance', 'web');
  await world.clock.advance(10 * 60_000);
  const { exit, err } = await cloud(world, 'restore cinst/web');
  expect([exit, err]).toEqual([2, expect.stringContaining('its status says that it has none')]);
  await machine('young');
  const young = await cloud(world, 'restore cinst/young');
  expect([young.exit, young.err]).toEqual([2, expect.stringContaining('its status does not say yet which it has')]);
});

it('a flag that it takes is not what is wrong', async () => {
  await machine('web');
  await world.ready('CloudInstance', 'web');
  expect((await cloud(world, 'restore cinst/web --to web-2')).err).not.toContain('takes no --to');
  expect((await cloud(world, 'restore cinst/web --label x')).err).toContain('unknown option');
});
