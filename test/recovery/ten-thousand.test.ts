import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { ExportData } from '../../src/plugin/output/account-shapes.ts';
import { cloud, dataOf, endpoint } from '../support/plugin/cloud-cli.ts';
import { seeded } from '../support/seeded.ts';
import { World } from '../support/world/world.ts';

const minute = 60_000;
const random = seeded(20_261_124);
const below = (most: number): number => Math.floor(random() * most);
const oneOf = <T>(all: readonly T[]): T => all[below(all.length)] as T;
const maybe = (fields: object): object => (random() < 0.5 ? fields : {});
const word = (): string => Array.from({ length: 3 + below(8) }, () => oneOf('abcdefghijklmnopqrstuvwxyz'.split(''))).join('');

type Call = readonly [path: string, body: object];
let made = 0;
const label = (): string => `${word()}-${(made += 1)}`;
const address = (): string => `203.0.113.${1 + below(254)}`;

const tags = (): object => maybe({ tags: [word(), `team-${word()}`] });
const records: readonly (() => object)[] = [
  () => ({ type: 'A', name: label(), target: address() }),
  () => ({ type: 'AAAA', name: label(), target: `2001:db8::${(1 + below(9999)).toString(16)}` }),
  () => ({ type: 'CNAME', name: label(), target: `${word()}.example.net` }),
  () => ({ type: 'TXT', name: label(), target: `v=${word()} "${word()}"` }),
  () => ({ type: 'MX', name: label(), target: `mail.${word()}.org`, priority: below(100) }),
  () => ({
    type: 'SRV',
    service: label(),
    protocol: oneOf(['tcp', 'udp']),
    target: `${word()}.example.net`,
    priority: below(9),
    weight: below(9),
    port: 1 + below(9000),
  }),
  () => ({ type: 'CAA', name: label(), target: `${word()}.org`, tag: oneOf(['issue', 'issuewild']) }),
];
const rule = (): object => ({
  action: oneOf(['ACCEPT', 'DROP']),
  protocol: oneOf(['TCP', 'UDP']),
  ports: oneOf(['22', '80, 443', '8000-8100']),
  addresses: { ipv4: [`${address()}/32`], ...maybe({ ipv6: ['2001:db8::/32'] }) },
  ...maybe({ label: word() }),
  ...maybe({ description: `for ${word()}` }),
});
const things: readonly (() => Call)[] = [
  () => ['/volumes', { label: label().slice(-32), region: oneOf(['us-east', 'eu-central']), size: 10 + below(90), ...tags() }],
  () => [
    '/networking/firewalls',
    {
      label: label(),
      ...tags(),
      rules: {
        inbound_policy: oneOf(['ACCEPT', 'DROP']),
        outbound_policy: 'ACCEPT',
        inbound: Array.from({ length: below(4) }, rule),
        outbound: [],
      },
    },
  ],
  () => [
    '/vm/stackscripts',
    {
      label: label(),
      images: ['vm/debian11'],
      script: `#!/bin/sh\necho ${word()}\n`,
      ...maybe({ description: word() }),
      ...maybe({ rev_note: word() }),
    },
  ],
  () => [
    '/object-storage/buckets',
    { label: label(), cluster: 'us-east-1', ...maybe({ acl: oneOf(['public-read', 'private']) }), ...maybe({ cors_enabled: false }) },
  ],
  () => [
    '/vm/instances',
    {
      label: label(),
      region: 'us-east',
      type: 'g6-nanode-1',
      ...tags(),
      ...maybe({ image: 'vm/debian11', root_pass: 'Canary-Horse-9-Battery' }),
    },
  ],
];
const zone = (): object => ({
  domain: `${label()}.example`,
  type: 'master',
  soa_email: `${word()}@example.org`,
  ...tags(),
  ...maybe({ ttl_sec: oneOf([300, 3600]) }),
  ...maybe({ description: word() }),
});

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Record<string, unknown>;
}

/** Zones with records, and everything else between them, until there are so many things. */
async function filled(size: number): Promise<World> {
  const world = await World.create({ emulator: { speed: 10 } });
  await world.account();
  const as = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await world.emulator.control.actAs({ username: 'admin', method: 'POST', path: `/v4${path}`, body });
    if (answer.status !== 200) throw new Error(`${path} ${JSON.stringify(body)}: ${String(answer.body)}`);
    return JSON.parse(String(answer.body)) as Record<string, unknown>;
  };
  for (let count = 0; count < size; count += 1) {
    const { id } = await as('/domains', zone());
    for (let left = below(120); left > 0 && count < size; left -= 1, count += 1)
      await as(`/domains/${String(id)}/records`, oneOf(records)());
    for (let left = below(60); left > 0 && count < size; left -= 1, count += 1) await as(...oneOf(things)());
  }
  await world.clock.advance(30 * minute);
  return world;
}

async function exported(world: World, files: Record<string, string>): Promise<ExportData> {
  // All at once: a list that is read before a wait for the rate window is read again after it.
  const ran = await cloud(world, `export --to fleet -o json --share 100 --endpoint ${endpoint}`, { files, limit: 48 * 60 * minute });
  const data = dataOf(ran) as unknown as ExportData;
  expect(data.unproven).toEqual([]);
  expect(ran.exit).toBe(0);
  return data;
}

it(
  'ten thousand things are exported, each part read once and no page more than twice, all proven, in 256 MiB',
  { timeout: 30 * minute },
  async () => {
    const world = await filled(10_000);
    const since = world.emulator.control.requests().length;
    const before = process.memoryUsage().rss;
    const data = await exported(world, {});
    expect(data.files.length).toBeGreaterThanOrEqual(10_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 2 ** 20);
    const calls = world.emulator.control
      .requests()
      .slice(since)
      .filter(({ path }) => path !== '/account/events')
      .map(({ method, path, query }) => `${method} ${path}?${JSON.stringify(query)}`);
    // Pages of instances are read for themselves, and again for what lies below them.
    const again = calls.filter((call, index) => calls.indexOf(call) !== index);
    expect(new Set(again).size).toBe(again.length);
    expect(again.filter((call) => !call.includes('page='))).toEqual([]);
    expect(again.length).toBeLessThan(10);
    expect(calls.every((call) => call.startsWith('GET '))).toBe(true);
    const pages = new Set(calls).size;
    expect(calls.length / pages).toBeLessThan(12);
  },
);

it('what was exported is applied, promoted and let go, and nothing of it is changed', { timeout: 30 * minute }, async () => {
  const world = await filled(1000);
  const files: Record<string, string> = {};
  const since = world.emulator.control.requests().length;
  const changes = (): readonly string[] =>
    world.emulator.control
      .requests()
      .slice(since)
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path}`);
  await exported(world, files);
  const alive = (): readonly string[] =>
    world.emulator.control
      .objects()
      .filter(({ diedAt }) => diedAt === undefined)
      .map(({ collection, key }) => `${collection} ${key}`)
      .toSorted();
  const standing = alive();
  const yaml = Object.entries(files).flatMap(([name, text]) => (name.endsWith('.yaml') ? [text] : []));
  const manifests = yaml.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Manifest));
  const differing = async (): Promise<readonly string[]> => {
    const all = await Promise.all(manifests.map(({ kind, metadata }) => world.get(kind, metadata.name)));
    const isSynced = ({ status }: (typeof all)[number]): boolean =>
      ((status?.['conditions'] ?? []) as readonly { readonly type: string; readonly status: string }[]).some(
        (one) => one.type === 'Synced' && one.status === 'True',
      );
    return all.filter((one) => !isSynced(one) || one.status?.['drift'] !== undefined).map(({ metadata }) => metadata.name);
  };
  await world.start();
  for (const { kind, metadata, spec } of manifests) await world.apply(kind, metadata.name, spec);
  await world.clock.advance(20 * minute);
  expect(await differing()).toEqual([]);
  expect((await cloud(world, 'diff -A')).exit).toBe(0);

  expect((await cloud(world, 'export --promote fleet', { files })).exit).toBe(0);
  for (const { kind, metadata } of manifests) await world.patch(kind, metadata.name, { spec: { lifecycle: null } });
  await world.clock.advance(20 * minute);
  expect(await differing()).toEqual([]);

  for (const { kind, metadata } of manifests) await world.delete(kind, metadata.name);
  await world.clock.advance(20 * minute);
  for (const kind of new Set(manifests.map((one) => one.kind)))
    expect(((await world.admin('GET', world.path(kind))) as unknown as { readonly items: readonly unknown[] }).items).toEqual([]);
  expect(changes()).toEqual([]);
  expect(standing.length).toBeGreaterThanOrEqual(manifests.length);
  expect(alive()).toEqual(standing);
});
