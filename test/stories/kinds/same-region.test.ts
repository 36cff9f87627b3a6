import { beforeEach, expect, it } from 'vitest';
import { cloud } from '../../support/plugin/cloud-cli.ts';
import { World } from '../../support/world/world.ts';

let world: World;
const machine = (region: string) => ({
  region,
  type: 'g6-nanode-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: { name: 'root', key: 'password' },
  lifecycle: { onDelete: 'Delete' },
});
const volume = (more: object) => ({ sizeGiB: 20, lifecycle: { onDelete: 'Delete' }, ...more });
beforeEach(async () => {
  world = await World.create({ emulator: { knobs: { extraPublicAddresses: true } } });
  await world.account();
  await world.secret('root', { password: 'Correct-Horse-7' });
  await world.start();
  await world.apply('CloudInstance', 'far', machine('us-east'));
  await world.apply('CloudInstance', 'near', machine('eu-central'));
  for (const name of ['far', 'near']) await world.ready('CloudInstance', name);
});
/** What the account was asked to change since. */
const sent = (): readonly string[] =>
  world.emulator.control
    .requests()
    .flatMap(({ method, path }) => (method === 'GET' ? [] : [`${method} ${path.replace(/^\/v4(beta)?/, '')}`]));
const far = 'CloudInstance far is in region us-east';
const said = async (kind: string, name: string): Promise<string> => (await world.reason(kind, name, 'InvalidSpec')).message;

it('a volume whose own region is another than that of its instance is not made, and says which fields', async () => {
  const before = sent();
  await world.apply('CloudVolume', 'data', volume({ region: 'eu-central', instanceRef: { name: 'far' } }));
  expect(await said('CloudVolume', 'data')).toBe(
    `spec.instanceRef: ${far}, and spec.region is eu-central. Name a CloudInstance in the same region, or have this one made there. Nothing is sent for it`,
  );
  expect(sent()).toEqual(before);
  const { exit, out } = await cloud(world, 'why cvol/data');
  expect([exit, out]).toEqual([1, expect.stringContaining(far)]);
  await world.patch('CloudVolume', 'data', { spec: { instanceRef: { name: 'near' } } });
  await world.ready('CloudVolume', 'data');
});

it('a volume that is there is attached in its own region alone, and the rest of its spec is still made so', async () => {
  await world.apply('CloudVolume', 'data', volume({ region: 'eu-central' }));
  await world.ready('CloudVolume', 'data');
  await world.patch('CloudVolume', 'data', { spec: { instanceRef: { name: 'far' }, sizeGiB: 30 } });
  expect(await said('CloudVolume', 'data')).toContain(`spec.instanceRef: ${far}, and spec.region is eu-central`);
  expect(sent().filter((line) => line.endsWith('/attach'))).toEqual([]);
  expect(world.emulator.control.rows('volumes')).toMatchObject([{ size: 30, vm_id: null }]);
  await world.patch('CloudVolume', 'data', { spec: { instanceRef: { name: 'near' } } });
  await world.ready('CloudVolume', 'data');
  expect(world.emulator.control.rows('volumes')).toMatchObject([
    { vm_id: Number((await world.get('CloudInstance', 'near')).status?.['id']) },
  ]);
});

it('without a region of its own a volume is made where its instance is, whatever the default of the account', async () => {
  await world.patch('CloudAccount', 'default', { spec: { defaults: { region: 'eu-central' } } });
  await world.apply('CloudVolume', 'data', volume({ instanceRef: { name: 'far' } }));
  await world.ready('CloudVolume', 'data');
  expect(world.emulator.control.rows('volumes')).toMatchObject([{ region: 'us-east' }]);
});

it('a copy is made where its source is', async () => {
  await world.apply('CloudVolume', 'data', volume({ region: 'us-east' }));
  await world.ready('CloudVolume', 'data');
  const before = sent();
  await world.apply('CloudVolume', 'copy', volume({ region: 'eu-central', volumeRef: { name: 'data' } }));
  expect(await said('CloudVolume', 'copy')).toContain(
    'spec.volumeRef: CloudVolume data is in region us-east, and spec.region is eu-central',
  );
  expect(sent()).toEqual(before);
});

it('an address is moved within its region alone', async () => {
  await world.apply('CloudIPAddress', 'vip', { type: 'IPv4', instanceRef: { name: 'near' }, lifecycle: { onDelete: 'Delete' } });
  await world.ready('CloudIPAddress', 'vip');
  const before = sent();
  await world.patch('CloudIPAddress', 'vip', { spec: { instanceRef: { name: 'far' } } });
  expect(await said('CloudIPAddress', 'vip')).toContain(`spec.instanceRef: ${far}, and this CloudIPAddress is in eu-central`);
  await world.apply('CloudIPShare', 'failover', { instanceRef: { name: 'far' }, addresses: [{ addressRef: { name: 'vip' } }] });
  expect(await said('CloudIPShare', 'failover')).toContain(
    'spec.addresses[0].addressRef: CloudIPAddress vip is in region eu-central, and spec.instanceRef leads to us-east',
  );
  expect(sent()).toEqual(before);
});

it('a configuration takes volumes of the region of its instance', async () => {
  await world.apply('CloudVolume', 'data', volume({ region: 'eu-central' }));
  await world.ready('CloudVolume', 'data');
  const before = sent();
  await world.apply('CloudInstanceConfig', 'main', { instanceRef: { name: 'far' }, devices: { sda: { volumeRef: { name: 'data' } } } });
  expect(await said('CloudInstanceConfig', 'main')).toContain(
    'spec.devices.sda.volumeRef: CloudVolume data is in region eu-central, and spec.instanceRef leads to us-east',
  );
  expect(sent()).toEqual(before);
});
