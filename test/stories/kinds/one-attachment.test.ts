import { beforeEach, expect, it } from 'vitest';
import { cloud, endpoint } from '../../support/plugin/cloud-cli.ts';
import { changesOf } from '../../support/world/changes.ts';
import { World } from '../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
  for (const name of ['web', 'other']) {
    await world.apply('CloudInstance', name, { region: 'eu-central', type: 'g6-nanode-1' });
    await world.ready('CloudInstance', name);
  }
  for (const [name, at] of [
    ['main', 'web'],
    ['its', 'other'],
  ] as const) {
    await world.apply('CloudInstanceConfig', name, { instanceRef: { name: at }, devices: {}, lifecycle: { onDelete: 'Delete' } });
    await world.ready('CloudInstanceConfig', name);
  }
  await world.apply('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20, instanceRef: { name: 'web' } });
  await world.ready('CloudVolume', 'data');
});
const config = (spec: object) => world.patch('CloudInstanceConfig', 'main', { spec });
const volume = (spec: object) => world.patch('CloudVolume', 'data', { spec });
const slots = () =>
  Object.entries((world.emulator.control.rows('configs')[0] as unknown as { readonly devices: object }).devices).flatMap(
    ([slot, device]: [string, { readonly volume_id: number } | null]) => (device === null ? [] : [`${slot} ${device.volume_id}`]),
  );
const holder = () => (world.emulator.control.rows('volumes')[0] as unknown as { readonly vm_id: number | null }).vm_id;
const id = async (kind: string, name: string) => Number((await world.get(kind, name)).status?.['id']);
const document = (kind: string, name: string, spec: object) =>
  JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind, metadata: { name }, spec });

it('a volume moves to the slot that the configuration names, and is in no second one', async () => {
  expect(slots()).toEqual([`sda ${await id('CloudVolume', 'data')}`]);
  await config({ devices: { sdc: { volumeRef: { name: 'data' } } } });
  await world.clock.advance(600_000);
  await world.ready('CloudInstanceConfig', 'main');
  expect(slots()).toEqual([`sdc ${await id('CloudVolume', 'data')}`]);
});

it('a volume that its own object takes away stays away: the configuration says which two fields differ, and sends nothing', async () => {
  await config({ devices: { sdc: { volumeRef: { name: 'data' } } } });
  await world.clock.advance(600_000);
  await volume({ instanceRef: null });
  await world.clock.advance(600_000);
  expect(holder()).toBeNull();
  const before = changesOf(world);
  await world.clock.advance(7_200_000);
  expect([changesOf(world), holder(), slots()]).toEqual([before, null, []]);
  const { message } = await world.reason('CloudInstanceConfig', 'main', 'InvalidSpec');
  expect(message).toBe(
    'spec.devices.sdc.volumeRef: CloudVolume data names no CloudInstance in its own spec.instanceRef, so its own object keeps it at none. Set spec.instanceRef of CloudVolume data to what spec.instanceRef of this CloudInstanceConfig is, or take CloudVolume data out of this spec. Nothing is sent for it',
  );
  const { exit, out } = await cloud(world, 'why ccfg/main');
  expect([exit, out]).toEqual([1, expect.stringContaining('kubectl -n team-a edit cloudinstanceconfig main')]);
  await world.ready('CloudVolume', 'data');

  await config({ devices: { sdc: null } });
  await world.ready('CloudInstanceConfig', 'main');
  await world.clock.advance(600_000);
  expect(holder()).toBeNull();
});

it('a volume that its own object has at another machine is brought to no machine by a configuration', async () => {
  await config({ devices: { sdc: { volumeRef: { name: 'data' } } } });
  await world.clock.advance(600_000);
  await volume({ instanceRef: { name: 'other' } });
  await world.clock.advance(600_000);
  expect(holder()).toBe(await id('CloudInstance', 'other'));
  const before = changesOf(world);
  await world.clock.advance(7_200_000);
  expect(changesOf(world)).toEqual(before);
  const { message } = await world.reason('CloudInstanceConfig', 'main', 'InvalidSpec');
  expect(message).toContain(
    'CloudVolume data names CloudInstance other in its own spec.instanceRef, and spec.instanceRef of this CloudInstanceConfig names web. Set both to the same',
  );
  await volume({ instanceRef: { name: null, external: await id('CloudInstance', 'web') } });
  await world.ready('CloudInstanceConfig', 'main');
  expect(holder()).toBe(await id('CloudInstance', 'web'));
  expect(slots()).toEqual([`sdc ${await id('CloudVolume', 'data')}`]);
});

it('a plan of taking it away says before the apply what the configuration would say after it', async () => {
  await config({ devices: { sdc: { volumeRef: { name: 'data' } } } });
  await world.clock.advance(600_000);
  const files = {
    'all.yaml': [
      document('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20 }),
      document('CloudInstanceConfig', 'main', {
        instanceRef: { name: 'web' },
        devices: { sdc: { volumeRef: { name: 'data' } } },
        lifecycle: { onDelete: 'Delete' },
      }),
    ].join('\n---\n'),
  };
  const { out } = await cloud(world, `plan -f all.yaml --endpoint ${endpoint}`, { files, limit: 300_000 });
  expect(out).toContain('/detach');
  expect(out).toContain('CloudVolume data names no CloudInstance in its own spec.instanceRef');
});
