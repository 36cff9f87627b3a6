import { beforeEach, describe, expect, it } from 'vitest';
import { AccountScene, type Manifest, minute, type Row } from '../../../support/plugin/account-scene.ts';
import { one } from '../../../support/terraform/made.ts';
import { written } from '../../../support/terraform/rows.ts';
import { stateText } from '../../../support/terraform/state.ts';
import { years } from '../../../support/world/years.ts';

let scene: AccountScene;
let web: Row;
beforeEach(async () => {
  scene = await AccountScene.create({ emulator: { knobs: { extraPublicAddresses: true } } });
  await years(scene);
  [web = {}] = await scene.rows('/vm/instances');
});
const configs = (): Promise<readonly Row[]> => scene.rows(`/vm/instances/${String(web['id'])}/configs`);
const ofConfig = (): Manifest | undefined => scene.manifests().find(({ kind }) => kind === 'CloudInstanceConfig');

describe('slots of a configuration in which nothing is', () => {
  it('are left to whatever is attached later', async () => {
    const { world } = scene;
    await scene.typed('export --to fleet --kinds cinst,ccfg,cdisk --management Manage');
    expect(Object.keys(ofConfig()?.spec['devices'] as object)).toEqual(['sda', 'sdb']);
    await world.start();
    for (const { kind, metadata, spec } of scene.manifests()) await world.apply(kind, metadata.name, spec);
    for (const { kind, metadata } of scene.manifests()) await world.ready(kind, metadata.name);
    await world.apply('CloudVolume', 'late', { region: 'us-east', sizeGiB: 20, instanceRef: { name: 'web-1' } });
    await world.ready('CloudVolume', 'late');
    await world.clock.advance(30 * minute);
    const id = Number((await world.get('CloudVolume', 'late')).status?.['id']);
    expect(await configs()).toMatchObject([{ devices: { sdc: { volume_id: id } } }]);
    expect((await scene.typed('export --to again --all --strict --kinds ccfg')).exit).toBe(0);
    expect(JSON.stringify(scene.manifests('again'))).not.toContain('empty');
  });

  it('are so where a Terraform state says less than the account has', async () => {
    const [config = {}] = await configs();
    const state = { ...written.linode_instance_config(config, web['id']), devices: [], device: [] };
    scene.files['state.json'] = stateText('3.13', [one('linode_instance_config', 'main', state)]);
    const { exit } = await scene.typed('import terraform state.json --to fleet');
    expect([exit, Object.keys(ofConfig()?.spec['devices'] as object)]).toEqual([0, ['sda', 'sdb']]);
  });
});
