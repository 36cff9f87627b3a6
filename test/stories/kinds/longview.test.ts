import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
});

interface Client {
  readonly id: number;
  readonly label: string;
  readonly api_key: string;
  readonly install_code: string;
}
const clients = (): readonly Client[] => world.emulator.control.rows('longview clients') as never;
const secretAt = '/api/v1/namespaces/team-a/secrets/web-clv';
async function secret(): Promise<Readonly<Record<string, string>>> {
  const { data } = (await world.admin('GET', secretAt)) as unknown as { data: Record<string, string> };
  return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]));
}
const synced = async (name: string): Promise<string | undefined> => (await world.condition('CloudLongviewClient', name, 'Synced'))?.reason;

describe('a Longview client', () => {
  it('gives out its key and code in a Secret, again when that is lost, and nowhere else', async () => {
    await world.apply('CloudLongviewClient', 'web', { label: 'web-1' });
    await world.ready('CloudLongviewClient', 'web');
    const [{ api_key: key = '', install_code: code = '' } = {}] = clients() as readonly Partial<Client>[];
    expect(await secret()).toEqual({ 'api-key': key, 'install-code': code });
    await world.admin('DELETE', secretAt);
    await world.clock.advance(330_000);
    expect(await secret()).toEqual({ 'api-key': key, 'install-code': code });
    await world.patch('CloudLongviewClient', 'web', { spec: { label: 'web-2' } });
    await world.ready('CloudLongviewClient', 'web');
    expect(clients()).toMatchObject([{ label: 'web-2', api_key: key }]);
    const places = ['cloudlongviewclients', 'cloudaccounts', 'configmaps', 'events', 'leases', 'secrets'];
    const others = places.flatMap((plural) => world.server.objects(`/${plural}`)).filter(({ metadata }) => metadata.name !== 'web-clv');
    const told = JSON.stringify([others, world.log, world.changes, world.outcomes]);
    expect(told).toContain('/longview/clients/');
    for (const hidden of [key, code]) {
      expect(told).not.toContain(hidden);
      expect(told).not.toContain(Buffer.from(hidden).toString('base64'));
    }
  });
  it('stays in the account with its data when its object goes, and one that somebody deletes there waits for a person', async () => {
    for (const name of ['kept', 'lost']) await world.apply('CloudLongviewClient', name, { label: name });
    for (const name of ['kept', 'lost']) await world.ready('CloudLongviewClient', name);
    await world.delete('CloudLongviewClient', 'kept');
    await world.gone('CloudLongviewClient', 'kept');
    expect(clients().map(({ label }) => label)).toEqual(['kept', 'lost']);
    await new CloudUser(world).delete(`/longview/clients/${clients()[1]?.id}`);
    await world.reason('CloudLongviewClient', 'lost', 'RemoteMissing', 3_600_000);
    expect(clients().map(({ label }) => label)).toEqual(['kept']);
  });
  it('beyond what the plan includes is QuotaExceeded, and says so in the words of the service', async () => {
    const colleague = new CloudUser(world);
    for (let count = 1; count <= 10; count += 1) await colleague.post('/longview/clients', { label: `old-${count}` });
    await world.apply('CloudLongviewClient', 'web', {});
    const { message } = await world.reason('CloudLongviewClient', 'web', 'QuotaExceeded');
    expect(message).toContain('subscription');
    await colleague.put('/longview/plan', { longview_subscription: 'longview-40' });
    await world.ready('CloudLongviewClient', 'web', 3_700_000);
  });
  it('whose label is another one in the account is neither made nor taken', async () => {
    await new CloudUser(world).post('/longview/clients', { label: 'web-1' });
    await world.apply('CloudLongviewClient', 'web', { label: 'web-1' });
    await world.reason('CloudLongviewClient', 'web', 'AlreadyExists');
    expect(clients()).toHaveLength(1);
    await expect(world.admin('GET', secretAt)).rejects.toThrow('404');
    expect(await synced('web')).toBe('AlreadyExists');
  });
});
