import { beforeEach, describe, expect, it } from 'vitest';
import type { CostData, OrphansData } from '../../../../src/plugin/output/account-shapes.ts';
import { AccountScene, minute } from '../../../support/plugin/account-scene.ts';
import { dataOf, type Ran } from '../../../support/plugin/cloud-cli.ts';

let scene: AccountScene;
beforeEach(async () => {
  scene = await AccountScene.create();
});

const orphansOf = (ran: Ran): OrphansData => dataOf(ran) as unknown as OrphansData;
const costOf = (ran: Ran): CostData => dataOf(ran) as unknown as CostData;
const database = { engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-nanode-1' };
const refused = (template: string, status: number, reason: string) =>
  scene.world.emulator.control.addFault({
    match: { method: 'GET', template },
    effect: { kind: 'answer', status, body: JSON.stringify({ errors: [{ reason }] }) },
  });
/** As the service answers for what is not up yet. */
const notYet = (template: string) =>
  scene.world.emulator.control.addFault({
    match: { method: 'GET', template },
    effect: { kind: 'answer', status: 400, body: '{"errors":[{"reason":"The cluster is provisioning"}]}' },
  });

describe('a list that the account does not give yet', () => {
  it('of a database that is being made is left out of orphans and named; it is no list without a gap, and no "no"', async () => {
    await scene.volume('data');
    const { id } = await scene.as('POST', '/databases/mysql/instances', { ...database, label: 'new' });
    const path = `/databases/mysql/instances/${String(id)}/backups`;
    const says = `CloudDatabaseBackup below ${path} is left out: `;
    const line = 'orphans --kinds cvol,cdb,cdbb';
    for (const fail of ['', ' --fail']) {
      const ran = await scene.typed(`${line}${fail}`);
      expect([ran.exit, ran.err]).toEqual([4, expect.stringContaining(says)]);
      expect(ran.out).toMatch(/CloudVolume +\d+ +data .*\n(.*\n)*CloudDatabase|CloudDatabase +\d+ +new .*\n(.*\n)*CloudVolume/);
      expect(ran.out).toMatch(new RegExp(`\\nNot all was read: ${says}.*provisioning.*\\n$`));
    }
    const data = orphansOf(await scene.typed(`${line} -o json`));
    expect(data.orphans.map(({ label }) => label).toSorted()).toEqual(['data', 'new']);
    expect(data.unread).toEqual([{ kind: 'CloudDatabaseBackup', path, why: expect.stringContaining('provisioning') }]);
    await scene.world.clock.advance(60 * minute);
    const again = await scene.typed(`${line} -o json`);
    expect([again.exit, orphansOf(again).unread]).toEqual([0, []]);
  });

  it('of what records lie below is told as a gap of theirs, and no record counts as missing', async () => {
    const { world } = scene;
    await world.start();
    await world.apply('CloudDomain', 'zone', { domain: 'example.org', type: 'master', soaEmail: 'a@example.org' });
    await world.apply('CloudDomainRecord', 'www', { domainRef: { name: 'zone' }, type: 'A', host: 'www', target: '192.0.2.1' });
    await world.ready('CloudDomainRecord', 'www');
    await scene.volume('data');
    await world.clock.advance(10 * minute);
    refused('/domains', 400, 'Zones are being moved');
    const says = 'CloudDomainRecord below /domains is left out: ';
    const ran = await scene.typed('orphans --kinds cvol,crec');
    expect([ran.exit, ran.err]).toEqual([4, expect.stringContaining(says)]);
    expect(ran.out).toMatch(/CloudVolume +\d+ +data /);
    expect(ran.out).toMatch(new RegExp(`\\nNot all was read: ${says}.*Zones are being moved.*\\n$`));
    expect(orphansOf(await scene.typed('orphans --kinds cvol,crec -o json'))).toMatchObject({
      missing: [],
      counts: { missing: 0 },
      unread: [{ kind: 'CloudDomainRecord', path: '/domains' }],
    });
    // Where domains themselves are asked for, each of them would be told as missing.
    const whole = await scene.typed('orphans --kinds cvol,cdom');
    expect([whole.exit, whole.out]).toEqual([4, '']);
  });

  it('of one domain that the user may not see is left out, and the records of the others are listed', async () => {
    const domain = async (name: string) =>
      (await scene.as('POST', '/domains', { domain: name, type: 'master', soa_email: 'a@example.org' }))['id'];
    const [closed, open] = [await domain('closed.example'), await domain('open.example')];
    for (const id of [closed, open])
      await scene.as('POST', `/domains/${String(id)}/records`, { type: 'A', name: 'www', target: '192.0.2.1' });
    scene.world.emulator.control.addFault({
      match: { method: 'GET', path: `/domains/${String(closed)}/records` },
      effect: { kind: 'answer', status: 403, body: '{"errors":[{"reason":"Unauthorized"}]}' },
    });
    const ran = await scene.typed('orphans --kinds crec');
    expect(ran.exit).toBe(4);
    expect(ran.out).toMatch(/CloudDomainRecord +\d+ +www /);
    expect(ran.out).toContain(`Not all was read: CloudDomainRecord below /domains/${String(closed)}/records is left out: `);
    expect(ran.out).toContain('Use a token of a user who may');
  });

  it('says of no object whether its remote is missing, and that its price is not known', async () => {
    const { world } = scene;
    await world.start();
    const pools = [{ name: 'base', type: 'g6-nanode-1', count: 3 }];
    await world.apply('CloudKubernetesCluster', 'shop', { region: 'us-east', k8sVersion: '1.24', nodePools: pools });
    await world.ready('CloudKubernetesCluster', 'shop', 60 * minute);
    await world.apply('CloudNodePool', 'more', { clusterRef: { name: 'shop' }, type: 'g6-nanode-1', count: 1 });
    await world.apply('CloudInstance', 'web', { region: 'us-east', type: 'g6-nanode-1' });
    await world.ready('CloudNodePool', 'more', 60 * minute);
    await world.ready('CloudInstance', 'web');
    await world.clock.advance(10 * minute);
    notYet('/lke/clusters/{clusterId}/pools');
    const costs = await scene.typed('cost');
    expect([costs.exit, costs.out]).toEqual([
      0,
      expect.stringContaining('Together: >= 5.00 $ a month.\nNot all was read: CloudNodePool below '),
    ]);
    expect(costs.out).toMatch(/CloudNodePool team-a\/more +\? +the account does not give the list of its remote now/);
    // Pools in the spec of a cluster have no line without that list, so no sum is whole, also where no line is unknown.
    const cluster = await scene.typed('cost ck8s/shop');
    expect([cluster.exit, cluster.out]).toEqual([0, expect.stringContaining('Together: >= 0.00 $')]);
    expect((await scene.typed('cost ck8s/shop --by kind')).out).toMatch(/CloudKubernetesCluster +1 +>= 0\.00/);
    for (const line of ['cost', 'cost --by account'])
      expect(costOf(await scene.typed(`${line} -o json`)).unread).toMatchObject([
        { kind: 'CloudNodePool', why: expect.stringContaining('provisioning') },
      ]);
    const orphans = await scene.typed('orphans --kinds cpool,cinst -o json');
    expect(orphans.exit).toBe(4);
    expect(orphansOf(orphans)).toMatchObject({ orphans: [], missing: [], counts: { missing: 0 } });
  });
});
