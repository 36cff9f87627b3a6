import { expect, it } from 'vitest';
import { CloudUser } from '../support/cloud-user.ts';
import { World } from '../support/world.ts';

const instance = { region: 'eu-central', type: 'g6-nanode-1' };
const from = (name: string): object => ({ addressFrom: { instanceRef: { name }, address: 'PublicIPv4' } });
const share = (...names: readonly string[]): Record<string, unknown> => ({ instanceRef: { name: 'standby' }, addresses: names.map(from) });

interface Setting {
  readonly world: World;
  readonly shared: () => Promise<readonly string[]>;
  readonly addressOf: (name: string) => Promise<string>;
}

/** Three instances, and what the second of them may answer for besides its own. */
async function begin(): Promise<Setting> {
  const world = await World.create();
  await world.account();
  await world.start();
  for (const name of ['standby', 'web', 'db']) await world.apply('CloudInstance', name, instance);
  for (const name of ['standby', 'web', 'db']) await world.ready('CloudInstance', name);
  const id = String((await world.get('CloudInstance', 'standby')).status?.['id']);
  const shared = async (): Promise<readonly string[]> => {
    const answer = await world.emulator.control.actAs({ username: 'admin', method: 'GET', path: `/v4/vm/instances/${id}/ips` });
    const { ipv4 } = JSON.parse(String(answer.body)) as { ipv4: { shared: { address: string }[] } };
    return ipv4.shared.map(({ address }) => address);
  };
  const addressOf = async (name: string): Promise<string> => String((await world.get('CloudInstance', name)).status?.['publicIPv4']);
  return { world, shared, addressOf };
}

it('of two objects for one instance the older has it, also after a restart, and the younger when that goes', async () => {
  const { world, shared, addressOf } = await begin();
  await world.apply('CloudIPShare', 'first', share('web'));
  await world.ready('CloudIPShare', 'first');
  await world.clock.advance(5000);
  await world.apply('CloudIPShare', 'second', share('db'));
  const { message } = await world.reason('CloudIPShare', 'second', 'AlreadyClaimed');
  expect(message).toContain('CloudIPShare team-a/first');
  expect(await shared()).toEqual([await addressOf('web')]);
  await world.start();
  await world.clock.advance(600_000);
  expect(await shared()).toEqual([await addressOf('web')]);
  expect((await world.condition('CloudIPShare', 'second', 'Stalled'))?.status).toBe('True');
  await world.delete('CloudIPShare', 'first');
  await world.gone('CloudIPShare', 'first');
  await world.ready('CloudIPShare', 'second');
  expect(await shared()).toEqual([await addressOf('db')]);
  expect(world.panics).toEqual([]);
});

it('the younger goes without touching what the older has', async () => {
  const { world, shared, addressOf } = await begin();
  await world.apply('CloudIPShare', 'first', share('web'));
  await world.ready('CloudIPShare', 'first');
  await world.clock.advance(5000);
  await world.apply('CloudIPShare', 'second', share());
  await world.reason('CloudIPShare', 'second', 'AlreadyClaimed');
  await world.delete('CloudIPShare', 'second');
  await world.gone('CloudIPShare', 'second');
  expect(await shared()).toEqual([await addressOf('web')]);
});

it('is put back when its object goes, unless that says Retain', async () => {
  const { world, shared, addressOf } = await begin();
  await world.apply('CloudIPShare', 'one', share('web', 'db'));
  await world.ready('CloudIPShare', 'one');
  expect((await shared()).length).toBe(2);
  await world.patch('CloudIPShare', 'one', { spec: { addresses: [from('web')], lifecycle: { onDelete: 'Retain' } } });
  await world.clock.advance(60_000);
  await world.ready('CloudIPShare', 'one');
  await world.delete('CloudIPShare', 'one');
  await world.gone('CloudIPShare', 'one');
  expect(await shared()).toEqual([await addressOf('web')]);
  await world.apply('CloudIPShare', 'two', share('web'));
  await world.ready('CloudIPShare', 'two');
  await world.delete('CloudIPShare', 'two');
  await world.gone('CloudIPShare', 'two');
  expect(await shared()).toEqual([]);
});

it('follows its instance to the one that is made anew, and goes with it', async () => {
  const { world } = await begin();
  await world.apply('CloudIPShare', 'one', share('web'));
  const before = (await world.ready('CloudIPShare', 'one')).status?.['path'];
  const id = String((await world.get('CloudInstance', 'standby')).status?.['id']);
  await new CloudUser(world).delete(`/vm/instances/${id}`);
  await world.reason('CloudInstance', 'standby', 'RemoteMissing', 3_600_000);
  await world.patch('CloudInstance', 'standby', { metadata: { annotations: { 'cloudhosting.dev/recreate': 'now' } } });
  await world.ready('CloudInstance', 'standby');
  await world.clock.advance(600_000);
  const after = (await world.ready('CloudIPShare', 'one')).status?.['path'];
  expect(after).not.toBe(before);
  await world.delete('CloudInstance', 'standby');
  await world.delete('CloudIPShare', 'one');
  await world.gone('CloudIPShare', 'one', 3_600_000);
  await world.gone('CloudInstance', 'standby', 3_600_000);
  expect(world.panics).toEqual([]);
});

it('goes at once with an instance that was taken away before the account told of it', async () => {
  const { world, shared } = await begin();
  await world.apply('CloudIPShare', 'one', share('web'));
  await world.ready('CloudIPShare', 'one');
  expect(await shared()).toHaveLength(1);
  const { path } = (await world.get('CloudInstance', 'standby')).status ?? {};
  await world.emulator.control.actAs({ username: 'colleague', method: 'DELETE', path: `/v4${String(path)}` });
  await world.delete('CloudIPShare', 'one');
  await world.clock.advance(60_000);
  expect(await world.find('CloudIPShare', 'one')).toBeUndefined();
});
