import { beforeAll, describe, expect, it } from 'vitest';
import { nouns } from '../../../../src/plugin/look/nouns.ts';
import type { RowsData } from '../../../../src/plugin/output/account-shapes.ts';
import { cloud, type CliOptions, dataOf, endpoint, type Ran } from '../../../support/plugin/cloud-cli.ts';
import { plantDatabase } from '../../../support/world/planted-database.ts';
import { World } from '../../../support/world/world.ts';

const at = `--endpoint ${endpoint}`;
const made: Readonly<Record<string, object>> = {
  '/domains': { domain: 'example.org', type: 'master', soa_email: 'a@example.org' },
  '/object-storage/buckets': { label: 'assets', cluster: 'us-east-1' },
  '/longview/clients': { label: 'web' },
  '/networking/firewalls': { label: 'web', rules: { inbound_policy: 'DROP', outbound_policy: 'ACCEPT' } },
  '/vm/instances': { region: 'us-east', type: 'g6-nanode-1', label: 'web' },
  '/vm/stackscripts': { label: 'hello', images: ['any/all'], script: '#!/bin/sh' },
  '/lke/clusters': {
    label: 'prod',
    region: 'us-east',
    k8s_version: '1.24',
    tags: ['shop'],
    node_pools: [{ type: 'g6-standard-1', count: 1 }],
  },
  '/support/tickets': { summary: 'Shop is down', description: 'Since noon.' },
  '/account/oauth-clients': { label: 'dashboard', redirect_uri: 'https://example.org' },
  '/account/settings/managed-enable': {},
  '/managed/contacts': { name: 'Ops', email: 'ops@example.org' },
  '/managed/credentials': { label: 'root', password: 'Correct-Horse-9-Battery' },
  '/databases/mysql/instances': { label: 'shop', region: 'us-east', type: 'g6-nanode-1', engine: 'mysql/8.0.26' },
};
let world: World;
const as = async (method: string, path: string, body?: object): Promise<{ status: number; body: Record<string, unknown> }> => {
  const answer = await world.emulator.control.actAs({ username: 'admin', method, path: `/v4${path}`, ...(body && { body }) });
  return { status: answer.status, body: JSON.parse(String(answer.body)) as Record<string, unknown> };
};
const listOf = async (path: string) => (await as('GET', path)).body as unknown as { data: Record<string, unknown>[]; results: number };
const idOf = async (path: string): Promise<number> => Number((await listOf(path)).data[0]?.['id']);

beforeAll(async () => {
  world = await World.create();
  await world.account();
  for (const [path, body] of Object.entries(made)) {
    const { status } = await as('POST', path, body);
    if (status !== 200) throw new Error(`POST ${path}: ${status}`);
  }
  // Databases come into being.
  await world.clock.advance(40 * 60_000);
  await as('POST', `/domains/${await idOf('/domains')}/records`, { type: 'A', name: 'www', target: '192.0.2.1' });
  await as('POST', `/networking/firewalls/${await idOf('/networking/firewalls')}/devices`, { type: 'vm', id: await idOf('/vm/instances') });
  plantDatabase(world, 'mongodb');
  // Only the provider opens one.
  const entity = { id: 98_765, label: 'Shop is down', type: 'ticket', url: '/v4/support/tickets/98765' };
  world.emulator.control.edit({ collection: 'managed issues', row: { id: 823, created: '2026-01-01T00:01:01', services: [654], entity } });
});

const asked = (line: string, options: CliOptions = {}): Promise<Ran> => cloud(world, `${line} ${at}`, { limit: 300_000, ...options });
const rowsOf = async (line: string): Promise<RowsData['rows']> => (dataOf(await asked(`${line} -o json`)) as unknown as RowsData).rows;

/** Ids of what a noun lies below, in this account. */
const above: Readonly<Record<string, () => Promise<string | number>>> = {
  CLUSTER: () => Promise.resolve('us-east-1'),
  DOMAIN: () => idOf('/domains'),
  FIREWALL: () => idOf('/networking/firewalls'),
  INSTANCE: () => idOf('/vm/instances'),
  INVOICE: () => idOf('/account/invoices'),
  TAG: () => Promise.resolve('shop'),
  TICKET: () => idOf('/support/tickets'),
};
/** Words that mean something else elsewhere. */
const aboveBy: Readonly<Record<string, string>> = {
  '/lke/clusters/{CLUSTER}': '/lke/clusters',
  '/databases/mysql/instances/{DATABASE}': '/databases/mysql/instances',
  '/databases/mongodb/instances/{DATABASE}': '/databases/mongodb/instances',
};
const wordsOf = (list: string): Promise<(string | number)[]> =>
  Promise.all(
    [...list.matchAll(/\{(\w+)\}/g)].map(([, word = '']) => {
      const by = Object.keys(aboveBy).find((one) => list.startsWith(one));
      return by === undefined ? (above[word] ?? (() => Promise.reject(new Error(word))))() : idOf(aboveBy[by] ?? '');
    }),
  );

describe('get', () => {
  it.each(Object.entries(nouns))('%s shows the rows of the account, and one of them', async (name, { list, item, columns }) => {
    const ids = await wordsOf(list);
    const rows = await rowsOf(['get', name, ...ids].join(' '));
    const path = list.replaceAll(/\{\w+\}/g, () => String(ids[0]));
    const there = await listOf(`${path}?page_size=500`);
    const own = there.data.filter(({ mine }) => mine !== false);
    expect(rows.map(({ id, label }) => id ?? label)).toEqual(own.map(({ id, label }) => id ?? label));
    const plain = columns.filter((column) => !column.includes('.'));
    expect(rows.flatMap((row) => plain.filter((column) => !Object.hasOwn(row, column)))).toEqual([]);
    const [id] = item === null ? [] : rows.map((row) => row['id'] ?? row['token'] ?? row['address'] ?? row['label']);
    const lines = id === undefined ? [] : [['get', name, ...ids, id].join(' ')];
    for (const line of lines) expect(await rowsOf(line)).toHaveLength(1);
  });

  it('shows rows as a table, and none as a sentence', async () => {
    const { out, err, exit } = await asked('get domains');
    expect(exit).toBe(0);
    expect(out).toMatch(/^ID +DOMAIN +TYPE +STATUS +TAGS\n\d+ +example\.org +master +active/);
    expect(err).toBe('reading as user admin with the token of CloudAccount team-a/default\n');
    expect((await asked('get volumes')).out).toBe('There are none.\n');
  });

  it('takes a kind for what there is of it', async () => {
    expect(await rowsOf('get cdb')).toEqual(await rowsOf('get databases'));
    const instance = await idOf('/vm/instances');
    expect(await rowsOf(`get cdisk ${instance}`)).toEqual(await rowsOf(`get disks ${instance}`));
    const { exit, err } = await asked('get cdbb');
    expect([exit, err]).toEqual([
      2,
      expect.stringMatching(/^kubectl cloud get: get does not show what there is of CloudDatabaseBackup: .*$/m),
    ]);
    expect(err).not.toContain('    at ');
  });

  it('takes one of them for all, as kubectl does, and buckets without their cluster', async () => {
    expect(await rowsOf('get domain')).toEqual(await rowsOf('get domains'));
    const [all, ofOne] = [await rowsOf('get buckets'), await rowsOf('get bucket us-east-1')];
    expect([all.length > 0, all]).toEqual([true, ofOne]);
  });

  it('shows one issue of the Managed service by its id', async () => {
    expect(await rowsOf('get managed-issues 823')).toMatchObject([{ id: 823, services: [654], entity: { id: 98_765 } }]);
    expect((await asked('get managed-issues 824')).err).toContain('404');
  });

  it('never shows what is secret', async () => {
    const { out } = await asked('get longview-clients -o json');
    const [client] = (await listOf('/longview/clients')).data;
    for (const name of ['api_key', 'install_code']) {
      expect(String(client?.[name]).length).toBeGreaterThan(10);
      expect(out).not.toContain(client?.[name]);
    }
    expect(out).toContain('"api_key": "***"');
  });

  it.each([
    ['get', 2, 'say what to get: '],
    ['get buckets a b c', 2, 'get buckets [CLUSTER] [ID]'],
    ['get firewall-devices', 2, 'get firewall-devices FIREWALL [ID]'],
    ['get volumes 1 2', 2, 'get volumes [ID]'],
    ['get constructor', 2, 'constructor is nothing that get knows'],
    ['get volumes ..', 4, 'is no id'],
    ['get volumes 4711', 4, '404'],
    ['get volumes --account nobody', 4, 'CloudAccount team-a/nobody is not found. Name the account with --account NAMESPACE/NAME'],
    ['get volumes --account a/b/c', 2, 'write NAMESPACE/NAME'],
    ['objects us-east-1', 2, 'objects CLUSTER/BUCKET'],
    ['zone example.net', 4, 'kubectl cloud get domains'],
    ['invoices 1 2', 2, 'invoices [ID]'],
    ['events --since soon', 2, '--since soon is no duration'],
  ])('%s is refused', async (line, exit, says) => {
    const ran = await asked(line);
    expect(ran.err).toContain(says);
    expect(ran.exit).toBe(exit);
  });
});

describe('a token', () => {
  it('of the caller goes before that of the account', async () => {
    const { err } = await asked('get volumes', { cloudToken: 'token-colleague' });
    expect(err).toBe('reading as user colleague with your own token\n');
  });

  it('of another account shows nothing', async () => {
    await world.admin('PATCH', `${world.path('CloudAccount', 'team-a', 'default')}/status`, { status: { account: 'another' } });
    const { err, exit, out } = await asked('get volumes');
    await world.admin('PATCH', `${world.path('CloudAccount', 'team-a', 'default')}/status`, { status: { account: null } });
    expect([exit, out]).toEqual([4, '']);
    expect(err).toContain('CloudAccount team-a/default is account another, and the token leads to account');
  });
});

it('events are those of a user, of a time, or only what failed', async () => {
  const all = await rowsOf('events');
  expect(all.length).toBeGreaterThan(5);
  expect(await rowsOf('events --user nobody')).toEqual([]);
  expect(await rowsOf('events --failed')).toEqual([]);
  expect((await rowsOf('events --since 1h')).length).toBe(all.length);
  await world.clock.advance(2 * 3_600_000);
  expect(await rowsOf('events --since 1h')).toEqual([]);
  const [one] = await rowsOf(`events ${String(all[0]?.['id'])}`);
  expect(all[0]).toMatchObject(one ?? {});
});

it('a kind is named as kubectl lets it be named', async () => {
  for (const [kind, noun] of [
    ['cdom', 'domains'],
    ['clouddomains', 'domains'],
    ['cinst', 'instances'],
    ['cbkt us-east-1', 'buckets us-east-1'],
    [`crec ${await idOf('/domains')}`, `domain-records ${await idOf('/domains')}`],
  ])
    expect(await rowsOf(`get ${kind}`)).toEqual(await rowsOf(`get ${noun}`));
  expect((await asked('get csshkey')).err).toContain(
    'get does not show what there is of CloudSSHKey: kubectl cloud orphans --kinds csshkey',
  );
});

it('an invoice shows its items', async () => {
  const id = await idOf('/account/invoices');
  expect((await rowsOf(`invoices ${id} --items`)).length).toBeGreaterThan(0);
  expect(await rowsOf(`invoices ${id}`)).toMatchObject([{ id }]);
});

it('what an object has is shown by its name', async () => {
  await world.apply('CloudDomain', 'example-org', { domain: 'example.org', type: 'master', soaEmail: 'a@example.org' });
  const path = `/domains/${await idOf('/domains')}`;
  const status = (seen: object) => world.admin('PATCH', `${world.path('CloudDomain', 'team-a', 'example-org')}/status`, { status: seen });
  expect((await asked('zone cdom/example-org')).err).toContain('kubectl cloud why cdom/example-org');
  await status({ path });
  expect((await asked('zone cdom/example-org')).out).toContain('www');
  expect(await asked('get cdom/example-org')).toMatchObject({ exit: 0, out: expect.stringMatching(/\ndomain +example\.org\n/) as string });
  expect(await asked('objects cdom/example-org')).toMatchObject({ exit: 2 });
});

it('a zone is shown as the name servers have it', async () => {
  const { out } = await asked('zone example.org');
  expect(out).toContain('www');
  // As it can be pasted elsewhere.
  expect(out).not.toContain('\\t');
  expect((await asked(`zone ${await idOf('/domains')}`)).out).toBe(out);
});

it('a zone that is not rendered is told as such, with a code of its own, and why where its status says so', async () => {
  const { body } = await as('POST', '/domains', { domain: 'example.net', type: 'master', soa_email: 'a@example.net' });
  const fresh = await asked('zone example.net');
  expect([fresh.exit, fresh.out]).toEqual([1, '']);
  expect(fresh.err).toContain('the service has not rendered the zone example.net yet');
  const json = await asked('zone example.net -o json');
  expect([json.exit, (dataOf(json) as unknown as RowsData).rows]).toEqual([1, [{ zone_file: [] }]]);
  await as('PUT', `/domains/${String(body['id'])}`, { status: 'disabled' });
  expect(await asked('zone example.net')).toMatchObject({ exit: 1, err: expect.stringContaining('as it is disabled') as string });
  await as('DELETE', `/domains/${String(body['id'])}`);
});

it('a transfer is shown by either interface', async () => {
  const { body: alone } = await as('POST', '/vm/instances', { region: 'us-east', type: 'g6-nanode-1', label: 'alone' });
  const { body } = await as('POST', '/account/service-transfers', { entities: { vms: [alone['id']] } });
  const { token } = body;
  expect(body).toMatchObject({ token: expect.any(String) as string });
  expect(await rowsOf('transfers')).toMatchObject([{ token }]);
  expect(await rowsOf(`transfers ${String(token)} --deprecated-api`)).toMatchObject([{ token }]);
});
