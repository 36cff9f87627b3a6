import { beforeEach, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

const [platform, other, tenant] = ['platform', 'team-a', 'team-b'];
const accountRef = { name: 'default', namespace: platform };
const minute = 60_000;
let world: World;
beforeEach(async () => {
  world = await World.create();
  for (const name of [platform, tenant]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [other, tenant] }] }, platform);
  await world.start();
  await world.ready('CloudAccount', 'default', minute, platform);
});
const byHand = (path: unknown) => world.emulator.control.actAs({ username: 'colleague', method: 'DELETE', path: `/v4${String(path)}` });

it('what another team lost is told to nobody whom that does not admit', async () => {
  const zone = { accountRef, type: 'master', soaEmail: 'a@example.org', domain: 'example.org' };
  await world.apply('CloudDomain', 'zone', zone, other);
  const { status } = await world.ready('CloudDomain', 'zone', minute, other);
  const told = async (name: string): Promise<string> => {
    const record = { accountRef, domainRef: { namespace: other, name }, type: 'A', host: 'www', target: '192.0.2.1' };
    await world.apply('CloudDomainRecord', `www-${name}`, record, tenant);
    const { message } = await world.reason('CloudDomainRecord', `www-${name}`, 'ReferenceNotReady', minute, tenant);
    return message.replaceAll(name, 'NAME');
  };
  const nowhere = await told('nowhere');
  expect(await told('zone')).toBe(nowhere);
  await byHand(status?.['path']);
  await world.reason('CloudDomain', 'zone', 'RemoteMissing', 30 * minute, other);
  await world.clock.advance(10 * minute);
  expect(await told('zone')).toBe(nowhere);
});

it('who deleted something while the account is paused is not told to a team', async () => {
  const volume = { accountRef, region: 'eu-central', sizeGiB: 20 };
  await world.apply('CloudVolume', 'data', volume, tenant);
  await world.apply('CloudVolume', 'data', volume, platform);
  for (const namespace of [tenant, platform]) await world.ready('CloudVolume', 'data', minute, namespace);
  await world.patch('CloudAccount', 'default', { metadata: { annotations: { 'cloudhosting.dev/pause': 'true' } } }, platform);
  await world.clock.advance(minute);
  for (const namespace of [tenant, platform]) await byHand((await world.get('CloudVolume', 'data', namespace)).status?.['path']);
  const told = async (namespace: string) => (await world.reason('CloudVolume', 'data', 'RemoteMissing', 30 * minute, namespace)).message;
  expect(await told(platform)).toContain('colleague');
  expect(await told(tenant)).not.toContain('colleague');
});
