import { beforeEach, describe, expect, it } from 'vitest';
import { isFree, pricing } from '../../../../src/kinds/for-plugin/prices.ts';
import { kinds } from '../../../../src/generated/kinds.ts';
import type { CostData } from '../../../../src/plugin/output/account-shapes.ts';
import { hasRemote } from '../../../../src/resource/index.ts';
import { cloud, dataOf, endpoint, type Ran } from '../../../support/plugin/cloud-cli.ts';
import { World } from '../../../support/world/world.ts';

const minute = 60_000;
const prices = { 'prices.yaml': 'volumeGiB: 0.10\n', 'wrong.yaml': 'volume: 0.10\n' };

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
});

const as = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
  const answer = await world.emulator.control.actAs({ username: 'admin', method, path: `/v4${path}`, ...(body && { body }) });
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${String(answer.body)}`);
  return JSON.parse(String(answer.body)) as Record<string, unknown>;
};
const typed = (line: string): Promise<Ran> => cloud(world, `${line} --endpoint ${endpoint}`, { files: prices, limit: 10 * minute });
const costs = async (line: string): Promise<CostData> => dataOf(await typed(`${line} -o json`)) as unknown as CostData;
const shown = ({ lines }: CostData): readonly string[] => lines.map(({ object, id, monthly }) => `${object ?? id} ${monthly ?? '?'}`);

const byKind = ({ lines }: CostData): readonly string[] =>
  lines.map(({ kind, object, of, id, monthly }) => `${kind} ${object ?? of ?? id} ${monthly ?? '?'}`).toSorted();

/** An instance with backups for 7, a free firewall, a volume of which only the person knows the price. */
async function made(): Promise<void> {
  await world.start();
  await world.apply('CloudInstance', 'web', { region: 'us-east', type: 'g6-nanode-1', label: 'web-1', backupsEnabled: true });
  await world.apply('CloudVolume', 'data', { region: 'us-east', sizeGiB: 25 });
  await world.apply('CloudFirewall', 'edge', { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' });
  for (const [kind, name] of [['CloudInstance', 'web'] as const, ['CloudVolume', 'data'] as const, ['CloudFirewall', 'edge'] as const])
    await world.ready(kind, name);
}

it('every kind with a remote says what it costs, or that it is free', () => {
  const silent = kinds.filter((kind) => hasRemote(kind) && pricing[kind.kind] === undefined);
  expect(silent.map(({ kind }) => kind)).toEqual([]);
  expect(isFree('CloudFirewall')).toBe(true);
  expect(isFree('CloudInstance')).toBe(false);
});

describe('cost', () => {
  it('adds up what the catalogues tell, and never counts an unknown price as none', async () => {
    await made();
    const before = world.emulator.control.requests().length;
    const data = await costs('cost');
    expect(shown(data).toSorted()).toEqual(['team-a/data ?', 'team-a/web 7']);
    expect(data).toMatchObject({ monthly: 7, unknown: 1, elsewhere: 0 });
    const { out } = await typed('cost');
    expect(out).toContain('Together: >= 7.00 $ a month.');
    expect(out).toContain('No catalogue tells a price of volumeGiB. Write it into a file, as volumeGiB: 0.10, and add --prices FILE.\n');
    expect(out).toMatch(/CloudVolume \S+ +\? +no price of volumeGiB is known\n/);
    expect(
      world.emulator.control
        .requests()
        .slice(before)
        .filter(({ method, userAgent }) => method !== 'GET' && userAgent.startsWith('kubectl')),
    ).toEqual([]);
  });

  it("takes the person's own prices, and sums by namespace, kind and label", async () => {
    await made();
    await world.patch('CloudVolume', 'data', { metadata: { labels: { team: 'shop' } } });
    const line = 'cost -A --prices prices.yaml';
    expect(await costs(line)).toMatchObject({ monthly: 9.5, unknown: 0 });
    expect((await costs(`${line} --by namespace`)).groups).toEqual([{ group: 'team-a', count: 2, monthly: 9.5, unknown: 0 }]);
    expect((await costs(`${line} --by kind`)).groups.map(({ group, monthly }) => `${group} ${monthly}`)).toEqual([
      'CloudInstance 7',
      'CloudVolume 2.5',
    ]);
    expect((await costs(`${line} --by label:team`)).groups.map(({ group, monthly }) => `${group} ${monthly}`)).toEqual([
      '(none) 7',
      'shop 2.5',
    ]);
    expect((await typed(`${line} --by kind`)).out).toMatch(/CloudInstance +1 +7\.00/);
    expect(shown(await costs('cost cinst/web'))).toEqual(['team-a/web 7']);
  });

  it('knows databases by their plan and nodes, the subscription by itself, and what has no object', async () => {
    await world.start();
    await as('POST', '/databases/mysql/instances', {
      label: 'shop-db',
      region: 'us-east',
      type: 'g6-nanode-1',
      engine: 'mysql/8.0.26',
      cluster_size: 3,
      replication_type: 'semi_synch',
    });
    await as('PUT', '/longview/plan', { longview_subscription: 'longview-10' });
    await as('POST', '/vm/instances', { region: 'us-east', type: 'g6-nanode-1', label: 'alone' });
    await world.ready('CloudAccount', 'default');
    await world.clock.advance(90 * minute);
    expect(await costs('cost')).toMatchObject({ lines: [], monthly: 0 });
    const data = await costs('cost --unmanaged');
    // A node of a database is twice the instance of its plan.
    const by = new Map(data.lines.map(({ kind, monthly }) => [kind, monthly]));
    expect(by.get('CloudDatabase')).toBe(30);
    expect(by.get('CloudLongviewPlan')).toBe(40);
    expect(by.get('CloudInstance')).toBe(5);
    expect((await typed('cost --unmanaged')).out).toContain('CloudLongviewPlan Longview Pro 10 pack (unmanaged)');
    expect((await costs('cost --unmanaged --by namespace')).groups).toMatchObject([{ group: '(unmanaged)' }]);
  });

  it('counts the pools in the spec of a cluster with it, once, and not those that another object has', async () => {
    await world.start();
    const pools = [{ name: 'base', type: 'g6-nanode-1', count: 3 }];
    await world.apply('CloudKubernetesCluster', 'shop', { region: 'us-east', k8sVersion: '1.24', nodePools: pools });
    await world.ready('CloudKubernetesCluster', 'shop', 60 * minute);
    await world.apply('CloudNodePool', 'more', { clusterRef: { name: 'shop' }, type: 'g6-nanode-1', count: 1 });
    await world.ready('CloudNodePool', 'more', 60 * minute);
    const all = [
      'CloudKubernetesCluster team-a/shop 0',
      'CloudNodePool CloudKubernetesCluster team-a/shop 15',
      'CloudNodePool team-a/more 5',
    ];
    expect(byKind(await costs('cost'))).toEqual(all);
    expect(byKind(await costs('cost --unmanaged')).filter((line) => !line.startsWith('CloudLongviewPlan'))).toEqual(all);
    expect(byKind(await costs('cost ck8s/shop'))).toEqual([all[0], all[1]]);
    const { out } = await typed('cost');
    expect(out).toMatch(/\npool \d+ of CloudKubernetesCluster team-a\/shop +15\.00 /);
    expect(out).not.toContain('CloudNodePool team-a/shop');
    expect((await typed('cost -o name')).out).toBe('cloudkubernetescluster.cloudhosting.dev/shop\ncloudnodepool.cloudhosting.dev/more\n');
    expect((await costs('cost --by label:team')).groups).toEqual([{ group: '(none)', count: 3, monthly: 20, unknown: 0 }]);
  });

  it('shows what was invoiced for a month, and the rest as the rest', async () => {
    const month = new Date(world.clock.now() - 31 * 24 * 60 * minute).toISOString().slice(0, 7);
    await made();
    const web = await world.get('CloudInstance', 'web');
    expect(web.status?.['id']).toBe('1000');
    const data = await costs(`cost --month ${month}`);
    expect(shown(data).toSorted()).toEqual(['team-a/data ?', 'team-a/web 20']);
    expect(data).toMatchObject({ rest: 0, month });
    await world.patch('CloudInstance', 'web', { spec: { label: 'renamed' } });
    await world.ready('CloudInstance', 'web');
    await world.clock.advance(minute);
    expect(await costs(`cost --month ${month}`)).toMatchObject({ rest: 20, monthly: 0, unknown: 2 });
    expect((await typed(`cost --month ${month}`)).out).toContain('For nothing of the above: 20.00 $.');
    expect(await costs('cost --month 2001-01')).toMatchObject({ rest: 0 });
  });

  it('says of what it leaves out that it is of other accounts, and of what has no remote that its price is not known', async () => {
    await made();
    await world.apply('CloudAccount', 'other', {
      endpoint: 'main',
      tokenSecretRef: { name: 'cloud-token', key: 'token' },
      mode: 'ReadOnly',
    });
    await world.apply('CloudVolume', 'theirs', { region: 'us-east', sizeGiB: 20, accountRef: { name: 'other' } });
    await world.apply('CloudVolume', 'later', { region: 'nowhere', sizeGiB: 20 });
    const data = await costs('cost --prices prices.yaml');
    expect(data).toMatchObject({ elsewhere: 1, unknown: 1, monthly: 9.5 });
    await world.ready('CloudAccount', 'other');
    const all = await costs('cost --prices prices.yaml --by account');
    expect(all).toMatchObject({ elsewhere: 0, monthly: 9.5, uninvoiced: (await costs('cost')).uninvoiced });
    expect(all.groups.map(({ group, count }) => `${group} ${count}`)).toEqual(['team-a/default 3', 'team-a/other 1']);
  });

  it.each([
    ['cost --by colour', 'write namespace, kind, account, or label:KEY'],
    ['cost --month october', 'write a month as 2026-10'],
    ['cost --prices wrong.yaml', 'volumeGiB: 0.10'],
  ])('%s is refused', async (line, says) => {
    const { exit, err } = await typed(line);
    expect(err).toContain(says);
    expect(exit).toBe(2);
  });
});
