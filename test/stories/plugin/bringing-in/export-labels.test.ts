import { beforeEach, expect, it } from 'vitest';
import { AccountScene, minute, type Row } from '../../../support/plugin/account-scene.ts';

const image = async (scene: AccountScene): Promise<Row> => {
  const { id } = await scene.as('POST', '/vm/instances', {
    region: 'us-east',
    type: 'g6-nanode-1',
    label: 'web-1',
    image: 'vm/debian11',
    root_pass: 'Canary-Horse-9-Battery',
  });
  await scene.world.clock.advance(10 * minute);
  const [disk] = await scene.rows(`/vm/instances/${String(id)}/disks`);
  const made = await scene.as('POST', '/images', { disk_id: disk?.['id'], label: 'Golden 2026' });
  await scene.world.clock.advance(60 * minute);
  return made;
};

let scene: AccountScene;
beforeEach(async () => {
  scene = await AccountScene.create();
});

it.each<[string, string, (of: AccountScene) => Promise<Row>]>([
  ['CloudOAuthClient', 'My App', (of) => of.as('POST', '/account/oauth-clients', { label: 'My App', redirect_uri: 'https://example.org' })],
  ['CloudObjectKey', 'By Hand', (of) => of.as('POST', '/object-storage/keys', { label: 'By Hand', bucket_access: [] })],
  ['CloudImage', 'Golden 2026', image],
  ['CloudLongviewClient', 'Agent_1', (of) => of.as('POST', '/longview/clients', { label: 'Agent_1' })],
])('the manifest of a %s says what it is called, by which it is made again too', async (kind, label, make) => {
  await make(scene);
  const ran = await scene.typed(`export --to fleet --kinds ${kind}`);
  expect([ran.exit, scene.manifests().map((one) => [one.kind, one.spec['label']])]).toEqual([0, [[kind, label]]]);
  const before = scene.world.emulator.control.requests().length;
  await scene.world.start();
  for (const { metadata, spec } of scene.manifests()) {
    await scene.world.apply(kind, metadata.name, { ...spec, lifecycle: { management: 'Manage' } });
    expect((await scene.world.ready(kind, metadata.name)).status).toMatchObject({ label });
  }
  expect(scene.changes(before)).toEqual([]);
});
