import { beforeEach, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

let world: World;
const minute = 60_000;
const named = 'name the CloudInstanceConfig that gets the volume here';
const volume = (more: object) => ({ sizeGiB: 20, lifecycle: { onDelete: 'Delete' }, ...more });
const attach = { instanceRef: { name: 'bare' } };
const rows = () => world.emulator.control.rows('volumes') as unknown as readonly { readonly vm_id: number | null }[];
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.apply('CloudInstance', 'bare', { region: 'us-east', type: 'g6-nanode-1', lifecycle: { onDelete: 'Delete' } });
  await world.ready('CloudInstance', 'bare');
});

it('a volume for an instance without a configuration says which field names one, and is attached once there is one', async () => {
  await world.apply('CloudVolume', 'data', volume(attach));
  const { message } = await world.reason('CloudVolume', 'data', 'Rejected');
  expect(message).toContain(
    `spec.configRef: the instance has no configuration profile, or several of which none was ever booted: ${named}`,
  );
  expect(message).toContain('Nothing is under way at spec.instanceRef');
  await world.apply('CloudInstanceConfig', 'main', { instanceRef: { name: 'bare' }, devices: {} });
  await world.ready('CloudInstanceConfig', 'main');
  await world.ready('CloudVolume', 'data', 10 * minute);
  expect(rows()[0]?.vm_id).toBeTypeOf('number');
});

it('the same of one that is there and is to be attached; naming the configuration is enough', async () => {
  await world.apply('CloudVolume', 'data', volume({ region: 'us-east' }));
  await world.ready('CloudVolume', 'data');
  await world.patch('CloudVolume', 'data', { spec: attach });
  expect((await world.reason('CloudVolume', 'data', 'Rejected')).message).toContain(named);
  await world.apply('CloudInstanceConfig', 'main', { instanceRef: { name: 'bare' }, devices: {} });
  await world.patch('CloudVolume', 'data', { spec: { configRef: { name: 'main' } } });
  await world.ready('CloudVolume', 'data', 10 * minute);
});

it('an instance without an object is looked at by its jobs', async () => {
  const { id } = (await world.get('CloudInstance', 'bare')).status as { readonly id: string };
  await world.apply('CloudVolume', 'data', volume({ instanceRef: { external: Number(id) } }));
  expect((await world.reason('CloudVolume', 'data', 'Rejected')).message).toContain(named);
});

it('a volume of an instance that itself needs a person says so, and which that is', async () => {
  await world.apply('CloudInstance', 'stuck', { region: 'us-east', type: 'g6-nanode-1', power: 'On' });
  await world.reason('CloudInstance', 'stuck', 'Rejected');
  await world.apply('CloudVolume', 'data', volume({ instanceRef: { name: 'stuck' } }));
  await world.clock.advance(20 * minute);
  const { message, reason } = (await world.condition('CloudVolume', 'data', 'Synced')) ?? {};
  expect([reason, message]).toEqual([
    'Busy',
    expect.stringContaining(
      'It waits for CloudInstance stuck (spec.instanceRef), which is not Ready and needs a person (Rejected): kubectl cloud why -n team-a cinst/stuck. It is tried again by itself',
    ),
  ]);
  expect((await world.get('CloudVolume', 'data')).status?.['blockedBy']).toEqual(['spec.instanceRef: CloudInstance stuck']);
  await world.apply('CloudInstanceConfig', 'main', { instanceRef: { name: 'stuck' }, devices: {} });
  await world.ready('CloudVolume', 'data', 20 * minute);
});

it('while a job runs on the instance it is waited for', async () => {
  const { id } = (await world.get('CloudInstance', 'bare')).status as { readonly id: string };
  await world.emulator.control.actAs({
    username: 'colleague',
    method: 'POST',
    path: `/v4/vm/instances/${id}/resize`,
    body: { type: 'g6-standard-1' },
  });
  await world.clock.advance(20_000);
  await world.apply('CloudVolume', 'data', volume({ instanceRef: { external: Number(id) } }));
  const { message } = await world.reason('CloudVolume', 'data', 'Busy');
  expect(message).toContain(named);
  expect(message).toContain('It is tried again after 10 seconds, and less often the longer that lasts');
  const asked = () => world.emulator.control.requests().filter(({ method, path }) => method === 'POST' && path.endsWith('/volumes')).length;
  const before = asked();
  await world.clock.advance(15_000);
  expect(asked()).toBe(before + 1);
  expect((await world.reason('CloudVolume', 'data', 'Rejected')).message).toContain(named);
});

const device = { devices: { sda: { volumeRef: { name: 'data' } } } };
it.each([
  ['waits', {}, 'Rejected', 'which must not name the volume in its spec.devices before that is there'],
  ['names it, too,', { configRef: { name: 'main' } }, 'InvalidSpec', 'take the reference out of one of them'],
] as const)(
  'a volume that %s while the only configuration needs it first says what ends that, and ends by it',
  async (_, more, reason, says) => {
    await world.apply('CloudVolume', 'data', volume({ ...attach, ...more }));
    await world.apply('CloudInstanceConfig', 'main', { instanceRef: { name: 'bare' }, ...device });
    await world.clock.advance(minute);
    expect((await world.reason('CloudVolume', 'data', reason)).message).toContain(says);
    await world.patch('CloudInstanceConfig', 'main', { spec: { devices: { sda: null } } });
    await world.patch('CloudVolume', 'data', { spec: { configRef: { name: 'main' } } });
    await world.ready('CloudVolume', 'data', 10 * minute);
    await world.patch('CloudInstanceConfig', 'main', { spec: device });
    await world.clock.advance(minute);
    for (const [kind, name] of [
      ['CloudInstanceConfig', 'main'],
      ['CloudVolume', 'data'],
    ] as const)
      await world.ready(kind, name, minute);
    expect(rows()[0]?.vm_id).toBeTypeOf('number');
  },
);
