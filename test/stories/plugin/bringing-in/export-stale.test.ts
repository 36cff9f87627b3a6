import { expect, it } from 'vitest';
import { cloud } from '../../../support/plugin/cloud-cli.ts';
import { AccountScene, minute } from '../../../support/plugin/account-scene.ts';

it('export --check names an id to adopt that the object no longer has', async () => {
  const scene = await AccountScene.create({});
  const { world } = scene;
  await scene.as('POST', '/volumes', { label: 'data', region: 'us-east', size: 20 });
  await scene.typed('export --to fleet --kinds cvol');
  await scene.typed('export --promote fleet');
  const [volume] = world.emulator.control.rows('volumes') as readonly { id: number }[];
  await world.start();
  await world.ready('CloudAccount', 'default');
  for (const { kind, metadata, spec } of scene.manifests()) await world.apply(kind, metadata.name, spec);
  await world.ready('CloudVolume', 'data');
  expect((await scene.typed('export --check fleet')).exit).toBe(0);
  await scene.as('DELETE', `/volumes/${volume?.id ?? 0}`);
  await world.reason('CloudVolume', 'data', 'RemoteMissing', 30 * minute);
  expect((await cloud(world, 'recreate cvol/data --confirm data')).exit).toBe(0);
  await world.clock.advance(2 * minute);
  await world.ready('CloudVolume', 'data');
  const [anew] = world.emulator.control.rows('volumes') as readonly { id: number }[];
  const { exit, out } = await scene.typed('export --check fleet');
  expect(exit).toBe(1);
  expect(out).toContain(
    `CloudVolume team-a/data differs: spec.adopt names ${volume?.id ?? 0}, and it has ${anew?.id ?? 0} by now: write spec.adopt.id: ${anew?.id ?? 0}`,
  );
});
