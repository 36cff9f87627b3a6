import { beforeEach, expect, it } from 'vitest';
import { Flux } from '../../support/world/flux.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

const minute = 60_000;
let world: World;
let flux: Flux;
let operator: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
  flux = new Flux(world);
});
const volumes = (): readonly { id: number }[] => world.emulator.control.rows('volumes') as never;

it.each(['', 'and a restart '])('recreate, accepted and taken away, outlasts refusals %sof the service', async (restart) => {
  await world.apply('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20 });
  await world.ready('CloudVolume', 'data');
  const [{ id } = { id: 0 }] = volumes();
  world.emulator.control.edit({ collection: 'volumes', key: id });
  await world.reason('CloudVolume', 'data', 'RemoteMissing', 30 * minute);
  await world.clock.advance(2 * minute);
  // The turn that accepts it ends before anything is sent, and the next one sees the identity of what is gone.
  world.emulator.control.addFault({ match: { method: 'GET', path: '/volumes' }, times: 6, effect: { kind: 'answer', status: 503 } });
  await flux.kubectl('CloudVolume', 'data', 'recreate', '2030-01-01');
  await world.clock.advance(3000);
  expect((await world.get('CloudVolume', 'data')).metadata.annotations?.['cloudhosting.dev/recreate']).toBeUndefined();
  expect(volumes()).toHaveLength(0);
  if (restart !== '') {
    operator.kill();
    await world.start();
  }
  const { status, metadata } = await world.ready('CloudVolume', 'data', 30 * minute);
  expect(volumes()).toHaveLength(1);
  expect(status?.['recreated']).toBe('2030-01-01');
  expect(metadata.annotations?.['cloudhosting.dev/replacing']).toBeUndefined();
});

it('release, accepted and taken away, lets go of all that was held', async () => {
  const names = Array.from({ length: 14 }, (_, n) => `v${n}`);
  for (const name of names)
    await world.apply('CloudVolume', name, { region: 'eu-central', sizeGiB: 20, lifecycle: { onDelete: 'Delete' } });
  for (const name of names) await world.ready('CloudVolume', name);
  for (const name of names) await world.delete('CloudVolume', name);
  await world.reason('CloudVolume', 'v0', 'DeletionHeld');
  await world.clock.advance(minute);
  const held = (await world.get('CloudAccount', 'default')).status?.['held'] as { release: string }[];
  // The service is slow to delete, so that most of it comes after the annotation has gone.
  world.emulator.control.addFault({ match: { method: 'DELETE' }, times: 20, effect: { kind: 'answer', status: 503 } });
  await flux.kubectl('CloudAccount', 'default', 'release', held[0]?.release ?? '');
  for (const name of names) await world.gone('CloudVolume', name, 60 * minute);
  expect(volumes()).toHaveLength(0);
});

it('reconcile-at, taken away at once, is one look and not two', async () => {
  await world.apply('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20 });
  await world.ready('CloudVolume', 'data');
  await world.clock.advance(10 * minute);
  const [{ id } = { id: 0 }] = volumes();
  const looks = (): number =>
    world.emulator.control.requests().filter(({ method, path }) => method === 'GET' && path === `/volumes/${id}`).length;
  const before = looks();
  await flux.kubectl('CloudVolume', 'data', 'reconcile-at', '1');
  await world.clock.advance(10_000);
  expect(looks() - before).toBe(1);
});
