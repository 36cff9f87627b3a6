import { expect, it } from 'vitest';
import { asCollection } from '../../../../src/resource/index.ts';
import { registry } from '../../../../src/plugin/command-line/kinds.ts';
import { isHeld } from '../../../../src/plugin/orphans/wishes.ts';
import type { ExportData } from '../../../../src/plugin/output/account-shapes.ts';
import { cloud, dataOf, endpoint } from '../../../support/plugin/cloud-cli.ts';
import { World } from '../../../support/world/world.ts';

const minute = 60_000;

type Row = Record<string, unknown>;
const times = async (count: number, make: (index: number) => Promise<unknown>): Promise<void> => {
  for (let index = 0; index < count; index += 1) await make(index);
};
async function filled(): Promise<World> {
  const world = await World.create({ emulator: { speed: 10, knobs: { extraPublicAddresses: true } } });
  await world.account();
  const as = async (path: string, body: object): Promise<Row> => {
    const answer = await world.emulator.control.actAs({ username: 'admin', method: 'POST', path: `/v4${path}`, body });
    if (answer.status !== 200) throw new Error(`${path}: ${String(answer.body)}`);
    return JSON.parse(String(answer.body)) as Row;
  };
  const instances: Row[] = [];
  await times(40, async (n) => {
    instances.push(
      await as('/vm/instances', {
        label: `web-${n}`,
        region: 'us-east',
        type: 'g6-nanode-1',
        image: 'vm/debian11',
        root_pass: 'Canary-Horse-9-Battery',
      }),
    );
  });
  await world.clock.advance(10 * minute);
  await times(40, (n) => as('/volumes', { label: `data-${n}`, region: 'us-east', size: 20 }));
  await times(20, (n) =>
    as('/networking/firewalls', {
      label: `edge-${n}`,
      rules: { inbound_policy: 'DROP', outbound_policy: 'ACCEPT' },
      devices: { vms: [instances[n]?.['id']] },
    }),
  );
  await times(10, async (n) => {
    const zone = await as('/domains', { domain: `zone-${n}.example`, type: 'master', soa_email: 'a@example.org' });
    await times(20, (m) => as(`/domains/${String(zone['id'])}/records`, { type: 'A', name: `r${m}`, target: '192.0.2.1' }));
  });
  await times(10, (n) => as('/object-storage/buckets', { label: `assets-${n}`, cluster: 'us-east-1' }));
  await times(5, (n) => as('/object-storage/keys', { label: `key-${n}` }));
  await times(5, (n) => as('/vm/stackscripts', { label: `setup-${n}`, images: ['vm/debian11'], script: '#!/bin/sh\necho hi\n' }));
  await times(5, (n) =>
    as('/profile/sshkeys', {
      label: `ops-${n}`,
      ssh_key: `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEmanyYearsAgoThatThisKeyWasMadeAndUsedNow ops-${n}`,
    }),
  );
  await times(5, (n) => as('/longview/clients', { label: `agent-${n}` }));
  await times(1, (n) => as('/networking/ipv6/ranges', { vm_id: instances[n]?.['id'], prefix_length: 64 }));
  await times(5, (n) => as('/account/oauth-clients', { label: `app-${n}`, redirect_uri: 'https://app.example.org/back' }));
  await times(3, (n) =>
    as('/databases/mysql/instances', { label: `shop-${n}`, region: 'us-east', type: 'g6-nanode-1', engine: 'mysql/8.0.26' }),
  );
  await times(3, (n) =>
    as('/lke/clusters', {
      label: `prod-${n}`,
      region: 'eu-central',
      k8s_version: '1.24',
      node_pools: [{ type: 'g6-standard-1', count: 2 }],
    }),
  );
  await times(2, (n) => as('/managed/contacts', { name: `on-call-${n}`, email: 'a@example.org' }));
  await times(2, (n) => as('/managed/credentials', { label: `login-${n}`, password: 'Canary-Horse-9-Battery' }));
  await times(2, (n) => as('/managed/services', { label: `page-${n}`, address: 'https://example.org', service_type: 'url', timeout: 30 }));
  await times(1, () => as('/support/tickets', { summary: 'a question', description: 'about something' }));
  await world.clock.advance(120 * minute);
  const [database] = world.emulator.control.rows('databases') as readonly Row[];
  await as(`/databases/mysql/instances/${String(database?.['id'])}/backups`, { label: 'before' });
  const [disk] = world.emulator.control.rows('disks') as readonly Row[];
  await as('/images', { label: 'golden', disk_id: disk?.['id'] });
  await world.clock.advance(60 * minute);
  return world;
}

const below = '/{}';
/** Why each is asked for; nothing else may be. */
const reasons: readonly (readonly [template: string, why: string, times: number | 'each'])[] = [
  ['/account', 'whose token it is', 1],
  ['/profile', 'whose token it is', 1],
  ...['/object-storage/clusters', '/databases/engines', '/regions', '/databases/types', '/vm/types', '/vm/kernels'].map(
    (path) => [path, 'a catalogue, read when the account is opened; prices come from it too', 1] as const,
  ),
  ...['/lke/versions', '/longview/subscriptions'].map((path) => [path, 'a catalogue, read when the account is opened', 1] as const),
  ['/images', 'a catalogue, and the images of the account, under another filter', 2],
  ...['buckets', 'keys'].map((path) => [`/object-storage/${path}`, 'a list', 1] as const),
  ...['mysql', 'postgresql', 'mongodb'].map((engine) => [`/databases/${engine}/instances`, 'a list, one for each engine', 1] as const),
  ...['/vm/instances', '/domains', '/networking/firewalls', '/networking/ips', '/networking/ipv6/ranges', '/lke/clusters'].map(
    (path) => [path, 'a list', 1] as const,
  ),
  ...['/longview/clients', '/managed/contacts', '/managed/credentials', '/managed/services', '/account/oauth-clients'].map(
    (path) => [path, 'a list', 1] as const,
  ),
  ...['/profile/sshkeys', '/vm/stackscripts', '/support/tickets', '/volumes'].map((path) => [path, 'a list', 1] as const),
  ...['disks', 'configs'].map((what) => [`/vm/instances${below}/${what}`, 'the list of each instance that is no node', 'each'] as const),
  [`/domains${below}/records`, 'the list of each domain', 'each'],
  [`/databases/mysql/instances${below}/backups`, 'the list of each database', 'each'],
  [`/lke/clusters${below}/pools`, 'the list of each cluster', 'each'],
  [`/networking/firewalls${below}/devices`, 'spec.instanceRefs, which no list shows', 'each'],
  [`/object-storage/buckets${below}/access`, 'spec.acl and spec.corsEnabled, which no list shows', 'each'],
  [`/object-storage/buckets${below}/ssl`, 'spec.tls, which no list shows', 'each'],
  [`/networking/ipv6/ranges${below}`, 'the instance that a range leads to, which no list shows', 'each'],
  [`/support/tickets${below}/replies`, 'spec.replies, which no list shows', 'each'],
];
const templateOf = (path: string): string => path.replaceAll(/\/(\d+|us-east-1\/assets-\d+|[0-9a-f]+:[0-9a-f:]*(\/\d+)?)(?=\/|$)/g, below);

it('an account with everything is exported with less than two calls for a page of a list, and each has its reason', async () => {
  const world = await filled();
  const since = world.emulator.control.requests().length;
  // All at once: a list that is read before a wait for the rate window is read again after it.
  const ran = await cloud(world, `export --to fleet -o json --share 100 --endpoint ${endpoint}`, { files: {}, limit: 48 * 60 * minute });
  const data = dataOf(ran) as unknown as ExportData;
  expect({ exit: ran.exit, err: ran.err }).toEqual({ exit: 0, err: expect.stringContaining('reading as user') as string });
  expect(data.unproven).toEqual([]);
  const lists = registry.kinds.filter((kind) => isHeld(kind) && asCollection(kind) !== undefined);
  expect(data.kinds.map(({ kind }) => kind)).toEqual(lists.map(({ kind }) => kind));

  const calls = world.emulator.control
    .requests()
    .slice(since)
    // The connection looks for them by itself, as long as it is open.
    .filter(({ path, userAgent }) => userAgent === 'kubectl-cloud/test (export)' && path !== '/account/events');
  const known = new Map(reasons.map(([template, why, times]) => [template, { why, times }]));
  const byTemplate = Map.groupBy(calls, ({ path }) => templateOf(path));
  expect([...byTemplate.keys()].filter((template) => !known.has(template))).toEqual([]);
  expect([...known.keys()].filter((template) => !byTemplate.has(template))).toEqual([]);
  for (const [template, those] of byTemplate) {
    const { times = 0 } = known.get(template) ?? {};
    const count = times === 'each' ? new Set(those.map(({ path }) => path)).size : times;
    expect(`${those.length} ${template}`).toBe(`${count} ${template}`);
  }
  expect(new Set(calls.map(({ method }) => method))).toEqual(new Set(['GET']));

  // Lists of one thing's own are pages too: two for each instance, one for each domain, firewall, cluster and database. What is no page is two for each bucket and one for each range.
  const pages = calls.filter(({ query }) => query.includes('page=')).length;
  expect(calls.length / pages).toBeLessThan(2);
  const rows = data.kinds.reduce((sum, { found }) => sum + found, 0);
  expect(calls.length).toBeLessThan(rows / 2);
});
