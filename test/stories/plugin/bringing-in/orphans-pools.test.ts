import { beforeEach, describe, expect, it } from 'vitest';
import { AccountScene, manifestsIn, minute } from '../../../support/plugin/account-scene.ts';
import { dataOf } from '../../../support/plugin/cloud-cli.ts';
import type { OrphansData } from '../../../../src/plugin/output/account-shapes.ts';

const cluster = {
  region: 'eu-central',
  k8sVersion: '1.24',
  nodePools: [
    { name: 'base', type: 'g6-standard-2', count: 1 },
    { name: 'batch', type: 'g6-standard-1', count: 2 },
  ],
};
let scene: AccountScene;
let pools: readonly number[];
beforeEach(async () => {
  scene = await AccountScene.create();
  await scene.world.start();
  await scene.world.apply('CloudKubernetesCluster', 'prod', cluster);
  const { status } = await scene.world.ready('CloudKubernetesCluster', 'prod');
  await scene.world.clock.advance(10 * minute);
  const path = String(status?.['path']);
  await scene.as('POST', `${path}/pools`, { type: 'g6-standard-1', count: 1 });
  pools = (await scene.rows(`${path}/pools`)).map(({ id }) => Number(id));
});
const seen = async (kinds: string): Promise<OrphansData> =>
  dataOf(await scene.typed(`orphans --kinds ${kinds} -o json`)) as unknown as OrphansData;

describe('pools of a cluster', () => {
  it('that its spec names are nobody else to bring in; one that was made by hand is', async () => {
    const byHand = pools[2];
    for (const kinds of ['cpool', 'ck8s,cpool']) {
      const { orphans, missing } = await seen(kinds);
      expect([orphans.map(({ id }) => id), missing]).toEqual([[byHand], []]);
    }
    const line = (await seen('cpool')).orphans[0]?.export ?? '';
    const { exit, out } = await scene.typed(line.replace('kubectl cloud ', '').replace(/ --endpoint .*$/, ''));
    expect([exit, manifestsIn(out).map(({ kind, spec }) => [kind, spec['adopt']])]).toEqual([0, [['CloudNodePool', { id: byHand }]]]);
  });
  it('are not exported beside it, which is said with its name', async () => {
    for (const all of ['', ' --all']) {
      const { exit, out, err } = await scene.typed(`export --to - --id cpool/${pools[0]}${all}`);
      expect([exit, out]).toEqual([1, '']);
      expect(err).toContain(`CloudNodePool ${pools[0]} is not written: CloudKubernetesCluster team-a/prod names it in spec.nodePools`);
    }
  });
});

describe('an export that is asked for one thing and writes nothing', () => {
  it('says that the account has none', async () => {
    const { exit, out, err } = await scene.typed('export --to - --id cpool/4711');
    expect([exit, out]).toEqual([4, '']);
    expect(err).toContain('CloudNodePool 4711 is not written: the account has none of this id');
    const folder = await scene.typed(`export --to fleet --id cpool/4711 --id cpool/${pools[2]}`);
    expect([folder.exit, scene.manifests().map(({ kind }) => kind)]).toEqual([4, ['CloudNodePool']]);
    expect(folder.err).toContain('CloudNodePool 4711 is not written: the account has none of this id');
  });
  it('says what stands against it', async () => {
    const { status } = await scene.world.get('CloudKubernetesCluster', 'prod');
    await scene.as('PUT', `${String(status?.['path'])}/pools/${pools[2]}`, { tags: ['pool=other-abcdefgh'] });
    const { exit, out, err } = await scene.typed(`export --to - --id cpool/${pools[2]}`);
    expect([exit, out]).toEqual([1, '']);
    expect(err).toMatch(/CloudNodePool \d+ is not written: pool \d+ bears the mark "pool=/);
  });
});
