import { describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { describeObject } from '../../support/world/describe.ts';
import { Striking } from '../../support/struck.ts';
import { World } from '../../support/world/world.ts';
import { cloud } from '../../support/plugin/cloud-cli.ts';

const mysql = { engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-dedicated-2' };
const weekly = { frequency: 'weekly', dayOfWeek: 7, hourOfDay: 2, durationHours: 3 };
const from = (name: string) => ({ instanceRef: { name }, address: 'PublicIPv4' });
const deleted = { lifecycle: { onDelete: 'Delete' } };
const instance = {
  region: 'us-east',
  type: 'g6-nanode-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: { name: 'web-root', key: 'password' },
};

const documents = {
  label: 'docs',
  type: 'g6-dedicated-2',
  engine: 'mongodb',
  version: '4.4.10',
  region: 'us-east',
  status: 'active',
  encrypted: false,
  allow_list: [],
  cluster_size: 3,
  hosts: { primary: 'lin-4711-1.servers.vmdb.net', secondary: null },
  ssl_connection: true,
  peers: ['lin-4711-1.servers.vmdb.net'],
  replica_set: 'RS-4711-0',
  compression_type: 'none',
  storage_engine: 'wiredtiger',
  port: 27_017,
  created: '2022-03-06T10:00:00',
  updated: '2022-03-06T10:30:00',
  updates: { frequency: 'weekly', duration: 3, hour_of_day: 0, day_of_week: 6, week_of_month: null },
  password: 'not told here',
  resetAt: null,
  activeFrom: Date.parse('2022-03-06T10:30:00Z'),
  dropped: [],
};
interface Row {
  readonly id: number;
  readonly label: string;
  readonly status: string;
  readonly allow_list: readonly string[];
}
const rows = (world: World): readonly Row[] => world.emulator.control.rows('databases') as Row[];
const sent = (world: World, method: string) =>
  world.emulator.control
    .requests()
    .filter((request) => request.method === method && request.username === 'admin' && request.path.startsWith('/databases/'));

async function account(): Promise<World> {
  const world = await World.create();
  await world.account();
  await world.secret('web-root', { password: 'Correct-Horse-9-Battery' });
  return world;
}

/** An existing one: no operation makes such a database. */
function plantMongodb(world: World): number {
  const { emulator } = world;
  const row = { ...documents, id: 4711 };
  emulator.control.edit({ collection: 'databases', row });
  return row.id;
}

it('is made once, set up by one call when it is active, and says meanwhile what it waits for', async () => {
  const world = await account();
  await world.apply('CloudDatabase', 'shop', { ...mysql, label: 'shop', allowList: ['203.0.113.7'], maintenance: weekly });
  await world.start();
  await world.clock.runUntil(() => rows(world).length === 1, 60_000);
  await world.clock.advance(300_000);
  const { status: waiting } = await world.get('CloudDatabase', 'shop');
  expect(waiting).toMatchObject({ state: 'provisioning' });
  expect(waiting?.['hosts']).toBeUndefined();
  expect(await world.condition('CloudDatabase', 'shop', 'Ready')).toMatchObject({ status: 'False' });
  expect(await world.condition('CloudDatabase', 'shop', 'Synced')).toMatchObject({ message: expect.stringContaining('15 to 30 minutes') });
  const { status } = await world.ready('CloudDatabase', 'shop');
  expect(status).toMatchObject({ state: 'active', engine: 'mysql', version: '8.0.26', port: 3306, allowed: 1 });
  expect(status?.['hosts']).toMatchObject({ primary: expect.stringMatching(/-mysql-primary\./) });
  expect(sent(world, 'POST')).toHaveLength(1);
  expect(sent(world, 'PUT')).toHaveLength(1);
  expect(world.panics).toEqual([]);
});

it('lets a minute pass between two changes', async () => {
  const world = await World.create({ emulator: { speed: 100 } });
  await world.account();
  await world.apply('CloudDatabase', 'shop', { ...mysql, allowList: [] });
  await world.start();
  await world.ready('CloudDatabase', 'shop');
  for (const allowList of [['203.0.113.1'], ['203.0.113.2'], ['203.0.113.3']]) {
    await world.apply('CloudDatabase', 'shop', { ...mysql, allowList });
    await world.clock.advance(5000);
  }
  await world.ready('CloudDatabase', 'shop');
  const [first, second, ...more] = sent(world, 'PUT').map(({ monotonic }) => monotonic);
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(60_000);
  expect(more).toEqual([]);
  expect(rows(world)).toMatchObject([{ allow_list: ['203.0.113.3'] }]);
  const said = 'spec.allowList is sent next; the service takes one change in 60 s, so the next change waits that long';
  expect(await describeObject(world, 'CloudDatabase', 'shop')).toContain(said);
});

describe('an operator that was started anew', () => {
  const before = { ...mysql, allowList: ['203.0.113.1'] };
  const after = { ...mysql, allowList: ['203.0.113.2'] };
  it('lets a minute pass since the change that the one before it sent', async () => {
    const world = await World.create({ emulator: { speed: 100 } });
    await world.account();
    await world.apply('CloudDatabase', 'shop', { ...mysql, allowList: [] });
    const first = await world.start();
    await world.ready('CloudDatabase', 'shop');
    await world.apply('CloudDatabase', 'shop', before);
    await world.ready('CloudDatabase', 'shop');
    first.kill();
    await world.apply('CloudDatabase', 'shop', after);
    await world.start();
    await world.ready('CloudDatabase', 'shop');
    const [one = 0, second = 0, ...more] = sent(world, 'PUT').map(({ monotonic }) => monotonic);
    expect(second - one).toBeGreaterThanOrEqual(60_000);
    expect(more).toEqual([]);
  });

  it.each(['before', 'after'] as const)('and where that one was killed right %s it was carried out', async (blow) => {
    const striking = new Striking(2, blow);
    const world = await World.create({ emulator: { speed: 100 }, between: striking.between });
    await world.account();
    await world.apply('CloudDatabase', 'shop', { ...mysql, allowList: [] });
    const first = await world.start();
    await world.ready('CloudDatabase', 'shop');
    striking.arm(first);
    await world.apply('CloudDatabase', 'shop', before);
    await world.clock.runUntil(() => striking.struck, 60_000);
    expect(striking.seen.at(-1)).toMatch(/^PUT \/v4\/databases\//);
    const killedAt = world.clock.monotonic();
    await world.apply('CloudDatabase', 'shop', after);
    await world.start();
    await world.ready('CloudDatabase', 'shop');
    expect((sent(world, 'PUT').at(-1)?.monotonic ?? 0) - killedAt).toBeGreaterThanOrEqual(60_000);
    expect(rows(world)).toMatchObject([{ allow_list: ['203.0.113.2'] }]);
  });
});

it('follows the addresses of instances, and goes without one that is not there', async () => {
  const world = await account();
  await world.apply('CloudInstance', 'web', { ...instance, ...deleted });
  await world.apply('CloudDatabase', 'shop', { ...mysql, allowList: ['203.0.113.0/24'], allowFrom: [from('web')] });
  await world.start();
  await world.ready('CloudInstance', 'web');
  await world.ready('CloudDatabase', 'shop');
  const first = String((await world.get('CloudInstance', 'web')).status?.['publicIPv4']);
  expect(rows(world)).toMatchObject([{ allow_list: ['203.0.113.0/24', first].toSorted() }]);

  await world.apply('CloudDatabase', 'shop', { ...mysql, allowList: ['203.0.113.9'], allowFrom: [from('web'), from('web-2')] });
  const { message } = await world.reason('CloudDatabase', 'shop', 'ReferenceNotReady');
  expect(message).toContain('CloudInstance web-2 is not found');
  await world.clock.advance(180_000);
  expect(rows(world)[0]?.allow_list.toSorted()).toEqual(['203.0.113.9', first].toSorted());

  await world.apply('CloudInstance', 'web-2', { ...instance, ...deleted });
  await world.ready('CloudDatabase', 'shop');
  const second = String((await world.get('CloudInstance', 'web-2')).status?.['publicIPv4']);
  expect(rows(world)).toMatchObject([{ allow_list: ['203.0.113.9', first, second].toSorted() }]);

  await world.apply('CloudDatabase', 'shop', { ...mysql, allowList: ['203.0.113.9'], allowFrom: [from('web-2')] });
  await world.ready('CloudDatabase', 'shop');
  expect(rows(world)).toMatchObject([{ allow_list: ['203.0.113.9', second].toSorted() }]);
});

it('names an instance that is not there while it is being made, which takes half an hour', async () => {
  const world = await account();
  await world.apply('CloudDatabase', 'shop', { ...mysql, allowFrom: [from('wbe')] });
  await world.start();
  await world.clock.runUntil(() => rows(world).length === 1, 60_000);
  await world.clock.advance(120_000);
  const { status } = await world.get('CloudDatabase', 'shop');
  expect(status).toMatchObject({ state: 'provisioning', waitingFor: [expect.stringContaining('CloudInstance wbe is not found')] });
});

it('says by an Event, once, that the whole internet may connect', async () => {
  const world = await account();
  await world.apply('CloudDatabase', 'shop', { ...mysql, allowList: ['0.0.0.0/0'] });
  await world.start();
  await world.ready('CloudDatabase', 'shop');
  await world.clock.advance(900_000);
  const told = (world.server.objects('/events') as unknown as { reason: string; type: string; message: string }[]).filter(
    ({ reason }) => reason === 'OpenToAll',
  );
  expect(told).toMatchObject([{ type: 'Warning', message: expect.stringContaining('name the networks that need it in spec.allowList') }]);
});

it('is deleted when the service lets it go, and not before', async () => {
  const world = await account();
  await world.apply('CloudDatabase', 'shop', { ...mysql, ...deleted });
  await world.start();
  await world.clock.runUntil(() => rows(world).length === 1, 60_000);
  await world.delete('CloudDatabase', 'shop');
  await world.clock.advance(120_000);
  expect(sent(world, 'DELETE')).toEqual([]);
  expect(await world.condition('CloudDatabase', 'shop', 'Synced')).toMatchObject({
    message: expect.stringContaining('the service deletes it once it is active'),
  });
  await world.gone('CloudDatabase', 'shop', 2_700_000);
  expect(sent(world, 'DELETE').map(({ status }) => status)).toEqual([200]);
  expect(rows(world)).toEqual([]);
});

it('that the service refuses for what cannot be changed in an object is to be applied anew, and is made where that passes', async () => {
  const world = await account();
  await world.start();
  const errors = [{ reason: 'This region has no room, see spec.label', field: 'region' }];
  const refusing = { kind: 'answer', status: 400, body: JSON.stringify({ errors }) } as const;
  const fault = world.emulator.control.addFault({ match: { method: 'POST', path: '/databases/mysql/instances' }, effect: refusing });
  await world.apply('CloudDatabase', 'docs', mysql);
  expect((await world.reason('CloudDatabase', 'docs', 'Rejected')).message).toBe(
    'the API refused POST /databases/mysql/instances: spec.region: it said "This region has no room, see spec.label". Nothing was made, and the account has nothing of this object: delete it and apply the corrected one, as spec.region cannot be changed in it. It is tried again within the hour in any case',
  );
  const { out } = await cloud(world, 'why cdb/docs');
  expect(out).toContain('  kubectl -n team-a delete clouddatabase docs\n');
  world.emulator.control.removeFault(fault);
  await world.ready('CloudDatabase', 'docs', 3 * 3_600_000);
});

it('of an engine that the service makes no more is adopted, never made and never given up for a new one', async () => {
  const world = await account();
  const mongodb = { engine: 'mongodb/4.4.10', type: 'g6-dedicated-2', region: 'us-east' };
  await world.apply('CloudDatabase', 'docs', mongodb);
  await world.start();
  expect((await world.reason('CloudDatabase', 'docs', 'InvalidSpec')).message).toContain('name one that is there with spec.adopt');

  const id = plantMongodb(world);
  await world.apply('CloudDatabase', 'docs', { ...mongodb, adopt: { id } });
  const { status } = await world.ready('CloudDatabase', 'docs');
  expect(status).toMatchObject({ engine: 'mongodb', path: `/databases/mongodb/instances/${id}`, policy: 'Retain' });

  const replacing = { lifecycle: { replace: 'Allow', approve: ['InPlace', 'Replace'] } };
  await world.apply('CloudDatabase', 'docs', { ...mongodb, ...replacing, region: 'eu-central' });
  expect((await world.reason('CloudDatabase', 'docs', 'InvalidSpec')).message).toContain('the service makes no database of mongodb/4.4.10');
  await world.clock.advance(1_800_000);
  expect([...sent(world, 'DELETE'), ...sent(world, 'POST')]).toEqual([]);
  expect(rows(world)).toMatchObject([{ id, region: 'us-east' }]);

  await world.apply('CloudDatabase', 'docs', { ...mongodb, ...replacing });
  await world.ready('CloudDatabase', 'docs');
  await world.emulator.control.actAs({ username: 'colleague', method: 'DELETE', path: `/v4/databases/mongodb/instances/${id}` });
  await world.reason('CloudDatabase', 'docs', 'RemoteMissing');
  await world.patch('CloudDatabase', 'docs', { metadata: { annotations: { 'cloudhosting.dev/recreate': 'now' } } });
  expect((await world.reason('CloudDatabase', 'docs', 'InvalidSpec')).message).toContain('Nothing was sent');
  expect(sent(world, 'POST')).toEqual([]);
});

it('of such an engine is changed and deleted where it is, and the mysql database beside it stays', async () => {
  const world = await account();
  const id = plantMongodb(world);
  const mongodb = { engine: 'mongodb/4.4.10', type: 'g6-dedicated-2', region: 'us-east', adopt: { id }, ...deleted };
  await world.apply('CloudDatabase', 'docs', mongodb);
  await world.apply('CloudDatabase', 'shop', mysql);
  await world.start();
  await world.ready('CloudDatabase', 'docs');
  await world.ready('CloudDatabase', 'shop');
  await world.apply('CloudDatabase', 'docs', { ...mongodb, label: 'papers', allowList: ['203.0.113.0/24'], maintenance: weekly });
  await world.ready('CloudDatabase', 'docs');
  const own = `/databases/mongodb/instances/${id}`;
  const changes = sent(world, 'PUT').filter(({ path }) => path === own);
  expect(changes.map(({ status }) => status)).toEqual([200]);
  expect(rows(world).find((row) => row.id === id)).toMatchObject({ label: 'papers', allow_list: ['203.0.113.0/24'] });

  await world.delete('CloudDatabase', 'docs');
  await world.gone('CloudDatabase', 'docs');
  expect(sent(world, 'DELETE')).toMatchObject([{ path: own, status: 200 }]);
  expect(rows(world)).toMatchObject([{ engine: 'mysql', label: expect.stringContaining('shop') }]);
  expect(await world.condition('CloudDatabase', 'shop', 'Ready')).toMatchObject({ status: 'True' });
});

it('another engine is refused at admission, also where a replacement is allowed', async () => {
  const world = await account();
  const replacing = { lifecycle: { replace: 'Allow' } };
  await world.apply('CloudDatabase', 'shop', { ...mysql, ...replacing });
  await expect(world.apply('CloudDatabase', 'shop', { ...mysql, engine: 'postgresql/13.2', ...replacing })).rejects.toThrow(
    'engine cannot become another one',
  );
});

const given = async (world: World): Promise<Readonly<Record<string, string>>> => {
  const { body } = await world.server.as('admin', 'GET', '/api/v1/namespaces/team-a/secrets/shop-cdb');
  const { data = {} } = body as { readonly data?: Readonly<Record<string, string>> };
  return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]));
};
const passwordIn = (world: World): string => String((world.emulator.control.rows('databases')[0] as { password?: string }).password);

it('has no certificate where it takes no TLS, and is not asked for one again and again', async () => {
  const world = await account();
  await world.apply('CloudDatabase', 'shop', { ...mysql, label: 'shop', sslConnection: false });
  await world.start();
  await world.ready('CloudDatabase', 'shop');
  await world.clock.advance(3_600_000);
  expect(Object.keys(await given(world)).toSorted()).toEqual(['host', 'host-secondary', 'password', 'port', 'type', 'uri', 'username']);
  const asked = world.emulator.control.requests().filter(({ path }) => path.endsWith('/ssl'));
  expect(asked.length).toBeLessThanOrEqual(1);
});

it('gives out how to connect in its Secret and nowhere else, and follows a new password', async () => {
  const world = await account();
  await world.apply('CloudDatabase', 'shop', { ...mysql, label: 'shop' });
  await world.start();
  const { status } = await world.ready('CloudDatabase', 'shop');
  await world.clock.advance(10_000);
  const password = passwordIn(world);
  const secret = await given(world);
  expect(Object.keys(secret).toSorted()).toEqual(['ca.crt', 'host', 'host-secondary', 'password', 'port', 'type', 'uri', 'username']);
  expect(secret).toMatchObject({ type: 'mysql', username: 'linroot', password, port: '3306' });
  expect(secret['uri']).toBe(`mysql://linroot:${encodeURIComponent(password)}@${secret['host']}:3306`);
  expect(secret['ca.crt']).toMatch(/^-----BEGIN CERTIFICATE-----/);

  const path = String(status?.['path']);
  await new CloudUser(world).post(`${path}/credentials/reset`, {});
  await world.clock.advance(120_000);
  expect(passwordIn(world)).not.toBe(password);
  expect(await given(world)).toMatchObject({ password: passwordIn(world) });

  await world.admin('DELETE', '/api/v1/namespaces/team-a/secrets/shop-cdb');
  await world.clock.advance(400_000);
  expect(await given(world)).toMatchObject({ password: passwordIn(world) });

  const places = ['clouddatabases', 'cloudaccounts', 'configmaps', 'events', 'leases', 'secrets'];
  const others = places.flatMap((plural) => world.server.objects(`/${plural}`)).filter(({ metadata }) => metadata.name !== 'shop-cdb');
  const told = JSON.stringify([others, world.log, world.changes, world.outcomes]);
  for (const hidden of [password, passwordIn(world)])
    for (const form of [hidden, encodeURIComponent(hidden), Buffer.from(hidden).toString('base64')]) expect(told).not.toContain(form);
});

it('of a type that is younger than the hourly list is made, once that was asked for by its id', async () => {
  const world = await account();
  const data = (await new CloudUser(world).list('/databases/types')).filter(({ id }) => id !== mysql.type);
  const old = { kind: 'answer' as const, status: 200, body: JSON.stringify({ data, page: 1, pages: 1, results: data.length }) };
  world.emulator.control.addFault({ match: { method: 'GET', path: '/databases/types' }, effect: old });
  await world.start();
  await world.apply('CloudDatabase', 'shop', { ...mysql, label: 'shop' });
  await world.ready('CloudDatabase', 'shop', 3_600_000);
  expect(rows(world)).toMatchObject([{ label: 'shop' }]);
  const reads = world.emulator.control.requests().filter(({ path }) => path === `/databases/types/${mysql.type}`);
  expect(reads).toHaveLength(1);
});

describe('who was taken out while an instance of allowFrom is gone', () => {
  const [a, b] = ['203.0.113.1', '203.0.113.2'];
  const here = async () => {
    const world = await account();
    await world.apply('CloudInstance', 'web-2', { ...instance, ...deleted });
    await world.apply('CloudDatabase', 'shop', { ...mysql, allowList: [a, b], allowFrom: [from('web-2')] });
    const operator = await world.start();
    await world.ready('CloudInstance', 'web-2');
    await world.ready('CloudDatabase', 'shop');
    const address = String((await world.get('CloudInstance', 'web-2')).status?.['publicIPv4']);
    expect(rows(world)[0]?.allow_list.toSorted()).toEqual([a, b, address].toSorted());
    return { world, address, operator };
  };
  it('is shut out at once, and so is the address that nobody has now', async () => {
    const { world } = await here();
    await world.delete('CloudInstance', 'web-2');
    await world.gone('CloudInstance', 'web-2');
    await world.clock.advance(240_000);
    expect(rows(world)).toMatchObject([{ allow_list: [a, b] }]);
    const { message } = await world.reason('CloudDatabase', 'shop', 'ReferenceNotReady');
    expect(message).toContain('CloudInstance web-2 is not found. Create it, or correct the name. Until then the list goes without it');
    expect(await world.condition('CloudDatabase', 'shop', 'Ready')).toMatchObject({ status: 'True' });
    await world.apply('CloudDatabase', 'shop', { ...mysql, allowList: [b], allowFrom: [from('web-2')] });
    await world.clock.advance(70_000);
    expect(rows(world)).toMatchObject([{ allow_list: [b] }]);

    await world.apply('CloudInstance', 'web-2', { ...instance, ...deleted });
    await world.ready('CloudInstance', 'web-2');
    await world.ready('CloudDatabase', 'shop');
    const back = String((await world.get('CloudInstance', 'web-2')).status?.['publicIPv4']);
    expect(rows(world)[0]?.allow_list.toSorted()).toEqual([b, back].toSorted());
  });
  it('stays for a minute in which the instance may come again', async () => {
    const { world, address } = await here();
    const before = sent(world, 'PUT').length;
    await world.patch('CloudInstance', 'web-2', { spec: { lifecycle: { onDelete: 'Retain' } } });
    const { status } = await world.ready('CloudInstance', 'web-2');
    await world.delete('CloudInstance', 'web-2');
    await world.gone('CloudInstance', 'web-2');
    await world.clock.advance(20_000);
    await world.apply('CloudInstance', 'web-2', { ...instance, ...deleted, adopt: { id: Number(status?.['id']) } });
    await world.ready('CloudInstance', 'web-2');
    await world.clock.advance(240_000);
    expect(rows(world)[0]?.allow_list.toSorted()).toEqual([a, b, address].toSorted());
    expect(sent(world, 'PUT')).toHaveLength(before);
  });
  it('stays while one is only being made, which is said, and the database is not Ready', async () => {
    const { world, address } = await here();
    const refused = { kind: 'answer' as const, status: 503, body: JSON.stringify({ errors: [{ reason: 'Try again' }] }) };
    world.emulator.control.addFault({ match: { method: 'POST', path: '/vm/instances' }, times: 999, effect: refused });
    await world.apply('CloudInstance', 'web-3', { ...instance, ...deleted });
    await world.apply('CloudDatabase', 'shop', { ...mysql, allowList: [b], allowFrom: [from('web-2'), from('web-3')] });
    await world.clock.advance(180_000);
    expect(rows(world)[0]?.allow_list.toSorted()).toEqual([a, b, address].toSorted());
    const { message } = await world.reason('CloudDatabase', 'shop', 'ReferenceNotReady');
    expect(message).toContain('CloudInstance web-3 has no id yet');
    expect(message).toContain(`the account still has ["${a}","${b}"] in allowList`);
    expect(message).toContain('what is of the one that is waited for stays');
    expect(message).toContain('take it out of spec.allowFrom');
    expect(await world.condition('CloudDatabase', 'shop', 'Ready')).toMatchObject({ status: 'False' });
    world.emulator.control.clearFaults();
    await world.ready('CloudDatabase', 'shop', 1_200_000);
    expect(rows(world)[0]?.allow_list).not.toContain(a);
  });
  it('stays in a cluster that is rebuilt, in which the instance comes later', async () => {
    const { world, address } = await here();
    const { status } = await world.get('CloudDatabase', 'shop');
    for (const kind of ['CloudDatabase', 'CloudInstance'] as const) {
      const name = kind === 'CloudDatabase' ? 'shop' : 'web-2';
      await world.patch(kind, name, { spec: { lifecycle: { onDelete: 'Retain' } } });
      await world.clock.advance(20_000);
      await world.delete(kind, name);
      await world.gone(kind, name);
    }
    await world.apply('CloudDatabase', 'shop', {
      ...mysql,
      allowList: [a, b],
      allowFrom: [from('web-2')],
      adopt: { id: Number(status?.['id']) },
    });
    await world.clock.advance(600_000);
    expect(rows(world)[0]?.allow_list.toSorted()).toEqual([a, b, address].toSorted());
    expect((await world.reason('CloudDatabase', 'shop', 'ReferenceNotReady')).message).not.toContain('without it');
  });
  it('stays where a backup with status is put back, in which the instance comes later', async () => {
    const { world, address, operator } = await here();
    const kept = await world.get('CloudDatabase', 'shop');
    const { name, namespace, annotations, finalizers } = kept.metadata;
    const { apiVersion, spec, status } = kept as unknown as Record<string, unknown>;
    operator.kill();
    for (const [kind, one] of [
      ['CloudDatabase', 'shop'],
      ['CloudInstance', 'web-2'],
    ] as const) {
      await world.patch(kind, one, { metadata: { finalizers: null } });
      await world.delete(kind, one);
    }
    const object = { apiVersion, kind: 'CloudDatabase', metadata: { name, namespace, annotations, finalizers }, spec };
    await world.admin('POST', world.path('CloudDatabase'), object);
    await world.admin('PATCH', `${world.path('CloudDatabase', undefined, 'shop')}/status`, { status });
    await world.clock.advance(300_000);
    const before = sent(world, 'PUT').length;
    await world.start();
    await world.reason('CloudDatabase', 'shop', 'ReferenceNotReady');
    await world.clock.advance(600_000);
    expect(rows(world)[0]?.allow_list.toSorted()).toEqual([a, b, address].toSorted());
    expect(sent(world, 'PUT')).toHaveLength(before);
  });
});
