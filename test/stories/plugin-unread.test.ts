import { beforeEach, describe, expect, it } from 'vitest';
import type { CostData, OrphansData } from '../../src/plugin/output/account-shapes.ts';
import { AccountScene, minute } from '../support/account-scene.ts';
import { dataOf, type Ran } from '../support/cloud-cli.ts';

let scene: AccountScene;
beforeEach(async () => {
  scene = await AccountScene.create();
});

const orphansOf = (ran: Ran): OrphansData => dataOf(ran) as unknown as OrphansData;
const costOf = (ran: Ran): CostData => dataOf(ran) as unknown as CostData;
const database = { engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-nanode-1' };
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
