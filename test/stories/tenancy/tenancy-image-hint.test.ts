import { expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

const [platform, tenant] = ['platform', 'team-b'];

it('a wrong image does not tell which images the account has of its own', async () => {
  const world = await World.create();
  for (const name of [platform, tenant]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [tenant] }] }, platform);
  await new CloudUser(world).post('/images/upload', { label: 'acme-secret', region: 'eu-central' });
  await world.start();
  await world.secret('root', { password: 'Correct-horse-7-battery' }, tenant);
  const rootPasswordSecretRef = { name: 'root', key: 'password' };
  const spec = { region: 'eu-central', type: 'g6-nanode-1', image: 'vm/private20000000', rootPasswordSecretRef };
  await world.apply('CloudInstance', 'probe', { accountRef: { name: 'default', namespace: platform }, ...spec }, tenant);
  await world.clock.advance(120_000);
  const status = JSON.stringify((await world.get('CloudInstance', 'probe', tenant)).status);
  expect(status).toContain('most like it are vm/');
  expect(status).not.toContain('private/');
});
