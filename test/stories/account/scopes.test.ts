import { expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

it('an object that the token may not make says what is missing, and is made once a better token is there', async () => {
  const world = await World.create();
  await world.account({}, 'team-a', 'token-readonly');
  await world.start();
  await world.apply('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20 });
  const { message } = await world.reason('CloudVolume', 'data', 'Forbidden');
  expect(message).toContain('volumes:read_write');
  await world.clock.advance(61_000);
  const account = await world.get('CloudAccount', 'default');
  expect(account.status?.['missingScopes']).toContain('volumes:read_write');
  const data = { token: Buffer.from('token-admin').toString('base64') };
  await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/cloud-token', { data });
  await world.ready('CloudVolume', 'data', 120_000);
  await world.clock.advance(61_000);
  expect((await world.get('CloudAccount', 'default')).status?.['missingScopes'] ?? []).toEqual([]);
});
