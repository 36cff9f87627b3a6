import { expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

it('creates a volume once, and says Ready when it is active', async () => {
  const world = await World.create();
  await world.account();
  await world.apply('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20, lifecycle: { onDelete: 'Delete' } });
  await world.start();
  await world.ready('CloudAccount', 'default');
  const volume = await world.ready('CloudVolume', 'data');
  expect(volume.status).toMatchObject({ account: 'E1AF5EEC-526F-487D-B317EBEB34C87D71', origin: 'Created', sizeGiB: 20 });
  const posts = world.emulator.control.requests().filter(({ method }) => method === 'POST');
  expect(posts.map(({ path, status }) => `${path} ${status}`)).toEqual(['/volumes 200']);
  await world.delete('CloudVolume', 'data');
  await world.gone('CloudVolume', 'data');
  expect(world.emulator.control.rows('volumes')).toEqual([]);
  expect(world.panics).toEqual([]);
});

it('is made for an instance with several configurations as soon as that has booted, and until then says what it waits for', async () => {
  const world = await World.create();
  await world.secret('web-root', { password: 'Correct-Horse-9-Battery' });
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
  const rootPasswordSecretRef = { name: 'web-root', key: 'password' };
  await world.apply('CloudInstance', 'web', { region: 'us-southeast', type: 'g6-standard-1', image: 'vm/debian11', rootPasswordSecretRef });
  await world.apply('CloudInstanceConfig', 'repair', { instanceRef: { name: 'web' }, devices: {} });
  await world.clock.runUntil(() => Promise.resolve(world.emulator.control.rows('configs').length === 2), 60_000);
  await world.apply('CloudVolume', 'data', { instanceRef: { name: 'web' }, sizeGiB: 20 });
  const { message } = await world.reason('CloudVolume', 'data', 'Busy');
  expect(message).toContain('spec.configRef: the instance has no configuration profile, or several of which none was ever booted');
  expect(await world.condition('CloudVolume', 'data', 'Stalled')).toMatchObject({ status: 'False' });
  await world.ready('CloudVolume', 'data', 300_000);
  expect(world.emulator.control.rows('volumes')).toHaveLength(1);
});

it('goes into the configuration that its configRef names, and waits until that is there', async () => {
  const world = await World.create();
  await world.secret('web-root', { password: 'Correct-Horse-9-Battery' });
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
  const rootPasswordSecretRef = { name: 'web-root', key: 'password' };
  for (const name of ['web', 'web-2'])
    await world.apply('CloudInstance', name, {
      region: 'us-southeast',
      type: 'g6-standard-1',
      image: 'vm/debian11',
      rootPasswordSecretRef,
    });
  await world.apply('CloudVolume', 'data', { instanceRef: { name: 'web' }, configRef: { name: 'repair' }, sizeGiB: 20 });
  await world.reason('CloudVolume', 'data', 'ReferenceNotReady');
  for (const [name, instance] of [
    ['repair', 'web'],
    ['repair-2', 'web-2'],
  ] as const)
    await world.apply('CloudInstanceConfig', name, { instanceRef: { name: instance }, devices: {} });
  const volume = await world.ready('CloudVolume', 'data', 300_000);
  const holders = async (): Promise<readonly (string | undefined)[]> => {
    const rows = world.emulator.control.rows('configs') as unknown as readonly { id: number; devices: Record<string, unknown> }[];
    const ids = rows
      .filter(({ devices }) => JSON.stringify(devices).includes(`"volume_id":${String(volume.status?.['id'])}`))
      .map(({ id }) => id);
    const configs = await Promise.all(['repair', 'repair-2'].map((name) => world.get('CloudInstanceConfig', name)));
    return ids.map((id) => configs.find(({ status }) => Number(status?.['id']) === id)?.metadata.name);
  };
  expect(await holders()).toEqual(['repair']);

  // A move waits for its new profile before anything is detached.
  await world.patch('CloudVolume', 'data', { spec: { instanceRef: { name: 'web-2' }, configRef: { name: 'later' } } });
  await world.clock.advance(120_000);
  expect(await holders()).toEqual(['repair']);
  await world.patch('CloudVolume', 'data', { spec: { configRef: { name: 'repair-2' } } });
  await world.clock.advance(120_000);
  expect(await holders()).toEqual(['repair-2']);
});

it('that goes with its instance is said to be deleted though its detach is refused, and to be refused only where that lasts', async () => {
  const world = await World.create();
  await world.account();
  await world.start();
  await world.secret('web-root', { password: 'Correct-Horse-9-Battery' });
  const lifecycle = { onDelete: 'Delete' };
  const image = { image: 'vm/debian11', rootPasswordSecretRef: { name: 'web-root', key: 'password' } };
  await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1', ...image, lifecycle });
  await world.ready('CloudInstance', 'web');
  const names = ['passes', 'lasts'];
  for (const name of names) await world.apply('CloudVolume', name, { instanceRef: { name: 'web' }, lifecycle });
  for (const name of names) await world.ready('CloudVolume', name);
  const refuse = async (name: string, times: number): Promise<number> =>
    world.emulator.control.addFault({
      match: { method: 'POST', path: `${String((await world.get('CloudVolume', name)).status?.['path'])}/detach` },
      effect: { kind: 'answer', status: 400, body: JSON.stringify({ errors: [{ field: 'vm_id', reason: 'vm_id is not valid' }] }) },
      times,
    });
  await refuse('passes', 1);
  await refuse('lasts', 1000);
  for (const name of names) await world.delete('CloudVolume', name);
  const told = { passes: new Set<string>(), lasts: new Set<string>() };
  for (let at = 0; at < 600; at += 1) {
    await world.clock.advance(250);
    for (const [name, reasons] of Object.entries(told)) reasons.add(String((await world.condition('CloudVolume', name, 'Synced'))?.reason));
  }
  expect([...told.passes].filter((one) => one !== 'undefined')).toEqual(['Deleting']);
  expect([...told.lasts]).toContain('Rejected');
  expect((await world.condition('CloudVolume', 'lasts', 'Synced'))?.message).toContain('is not valid');
  expect(await world.find('CloudVolume', 'passes')).toBeUndefined();
});
