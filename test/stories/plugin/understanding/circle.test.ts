import { expect, it } from 'vitest';
import { cloud } from '../../../support/plugin/cloud-cli.ts';
import { World } from '../../../support/world/world.ts';

const minute = 60_000;
const web = { region: 'eu-central', type: 'g6-nanode-1' };
const devices = { sda: { volumeRef: { name: 'data' } } };

it.each([
  ['that is to boot it', { bootConfigRef: { name: 'boot' } }],
  ['that is off', {}],
])('a machine %s, its configuration and its volume, which wait for each other, get one advice, which ends that', async (_, more) => {
  const world = await World.create();
  await world.account();
  await world.start();
  await world.apply('CloudInstance', 'web', { ...web, ...more });
  await world.apply('CloudInstanceConfig', 'boot', { instanceRef: { name: 'web' }, devices });
  await world.apply('CloudVolume', 'data', { instanceRef: { name: 'web' }, sizeGiB: 20 });
  await world.clock.advance(10 * minute);
  const { out } = await cloud(world, 'why -A');
  expect(out).toContain(
    'these wait for each other: CloudVolume team-a/data -> CloudInstance team-a/web -> CloudInstanceConfig team-a/boot -> CloudVolume team-a/data\n  holds up 2 objects: CloudInstance team-a/web, CloudInstanceConfig team-a/boot\n',
  );
  expect(out.match(/What to do:/g)).toHaveLength(1);
  expect(out).not.toContain('power');
  for (const one of ['cinst/web', 'ccfg/boot', 'cvol/data']) {
    const told = await cloud(world, `why ${one}`);
    expect(told.out).toContain(
      'What to do: No wait ends that. Have CloudVolume team-a/data come first: take it out of spec.devices.sda.volumeRef of CloudInstanceConfig team-a/boot, by the first line, and write it there again once CloudVolume team-a/data is there.',
    );
    expect(told.out).toContain('  kubectl -n team-a edit cloudinstanceconfig boot\n  kubectl cloud reconcile -n team-a cvol/data\n');
  }
  await world.patch('CloudInstanceConfig', 'boot', { spec: { devices: { sda: null } } });
  await world.ready('CloudVolume', 'data', 20 * minute);
  await world.patch('CloudInstanceConfig', 'boot', { spec: { devices } });
  await world.ready('CloudInstanceConfig', 'boot', 20 * minute);
});
