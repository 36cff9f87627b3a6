import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

const kind = 'CloudInstance';
const machine = { region: 'eu-central', type: 'g6-nanode-1' };
const root = { rootPasswordSecretRef: { name: 'root', key: 'password' } };
const booting = { ...machine, power: 'On', bootConfigRef: { name: 'main' } };
const config = { instanceRef: { name: 'web' }, label: 'main', devices: {}, lifecycle: { onDelete: 'Delete' } };

let world: World;
let colleague: CloudUser;
beforeEach(async () => {
  world = await World.create();
  colleague = new CloudUser(world);
  await world.account();
  await world.secret('root', { password: 'Canary-Horse-9-Battery' });
  await world.start();
  await world.ready('CloudAccount', 'default');
});
const idOf = async (of: string, name: string) => Number((await world.get(of, name)).status?.['id']);
/** What was asked of the power of instances, with the configuration that was named. */
const bootsOf = (username = 'admin') =>
  world.emulator.control
    .requests()
    .filter(({ method, path, username: by }) => method === 'POST' && /\/(boot|reboot)$/.test(path) && by === username)
    .map(({ path, body }) => [path.replace(/.*\//, ''), (JSON.parse(body || '{}') as { config_id?: number }).config_id]);

describe('the configuration that an instance boots with', () => {
  it('needs the instance first: it is made, waits, and is booted with it once that is there', async () => {
    await world.apply(kind, 'web', booting);
    const { message } = await world.reason(kind, 'web', 'ReferenceNotReady', 60_000);
    expect(message).toContain('spec.bootConfigRef: CloudInstanceConfig main is not found');
    await world.clock.advance(600_000);
    expect(changesOf(world)).toEqual(['POST /vm/instances']);

    await world.apply('CloudInstanceConfig', 'main', config);
    await world.ready('CloudInstanceConfig', 'main');
    await world.ready(kind, 'web', 600_000);
    const id = await idOf('CloudInstanceConfig', 'main');
    expect(bootsOf()).toEqual([['boot', id]]);
    await world.clock.runUntil(async () => (await world.get(kind, 'web')).status?.['bootedConfigId'] === id, 60_000);
    expect(world.panics).toEqual([]);
  });
  it('comes with it in one line, in either order', async () => {
    await world.apply('CloudInstanceConfig', 'main', config);
    await world.apply(kind, 'web', booting);
    await world.ready(kind, 'web', 600_000);
    expect(bootsOf()).toEqual([['boot', await idOf('CloudInstanceConfig', 'main')]]);
  });
  it('is that of the next boot: another one reboots nothing, and what is switched off is booted with it', async () => {
    await world.apply(kind, 'web', { ...booting, image: 'vm/debian11', ...root, bootConfigRef: undefined });
    const at = String((await world.ready(kind, 'web')).status?.['path']);
    await world.apply('CloudInstanceConfig', 'main', config);
    await world.ready('CloudInstanceConfig', 'main');
    await world.patch(kind, 'web', { spec: { bootConfigRef: { name: 'main' } } });
    await world.ready(kind, 'web');
    await world.clock.advance(900_000);
    expect(bootsOf()).toEqual([]);
    await colleague.post(`${at}/shutdown`);
    await world.clock.runUntil(() => Promise.resolve(bootsOf().length > 0), 600_000);
    expect(bootsOf()).toEqual([['boot', await idOf('CloudInstanceConfig', 'main')]]);
  });
  it('is that of an operation which names none; what names one boots that', async () => {
    await world.apply(kind, 'web', booting);
    for (const name of ['main', 'other']) await world.apply('CloudInstanceConfig', name, { ...config, label: name });
    await world.ready(kind, 'web', 600_000);
    await world.ready('CloudInstanceConfig', 'other');
    const operation = { action: 'RebootInstance', target: { name: 'web' }, notAfter: '2026-01-02T00:00:00Z' };
    const done = async (name: string) =>
      world.clock.runUntil(async () => (await world.get('CloudOperation', name)).status?.['phase'] === 'Succeeded', 600_000);
    await world.apply('CloudOperation', 'one', operation);
    await done('one');
    await world.apply('CloudOperation', 'two', { ...operation, configRef: { name: 'other' } });
    await done('two');
    const [main, other] = [await idOf('CloudInstanceConfig', 'main'), await idOf('CloudInstanceConfig', 'other')];
    expect(bootsOf()).toEqual([
      ['boot', main],
      ['reboot', main],
      ['reboot', other],
    ]);
  });
  it('is not guessed by an operation while it is not there', async () => {
    await world.apply(kind, 'web', { ...machine, image: 'vm/debian11', ...root, bootConfigRef: { name: 'main' } });
    await world.reason(kind, 'web', 'ReferenceNotReady', 300_000);
    await world.clock.advance(120_000);
    await world.apply('CloudOperation', 'one', { action: 'RebootInstance', target: { name: 'web' }, notAfter: '2026-01-02T00:00:00Z' });
    await world.clock.advance(300_000);
    expect(JSON.stringify((await world.get('CloudOperation', 'one')).status)).toContain('spec.bootConfigRef');
    expect(bootsOf()).toEqual([]);
  });
  it('goes with the instance, and before it', async () => {
    await world.apply(kind, 'web', booting);
    await world.apply('CloudInstanceConfig', 'main', config);
    await world.ready(kind, 'web', 600_000);
    await world.delete('CloudInstanceConfig', 'main');
    await world.gone('CloudInstanceConfig', 'main');
    const { message } = await world.reason(kind, 'web', 'ReferenceNotReady', 600_000);
    expect(message).toContain('CloudInstanceConfig main');
    await world.apply('CloudInstanceConfig', 'main', config);
    await world.ready('CloudInstanceConfig', 'main');
    for (const [of, name] of [
      [kind, 'web'],
      ['CloudInstanceConfig', 'main'],
    ] as const)
      await world.delete(of, name);
    for (const [of, name] of [
      [kind, 'web'],
      ['CloudInstanceConfig', 'main'],
    ] as const)
      await world.gone(of, name, 600_000);
    expect(world.emulator.control.rows('instances')).toEqual([]);
  });
  it('holds up nobody who makes it anew after it was lost with the instance', async () => {
    await world.apply(kind, 'web', { ...booting, lifecycle: { onMissing: 'Recreate' } });
    await world.apply('CloudInstanceConfig', 'main', config);
    const at = String((await world.ready(kind, 'web', 600_000)).status?.['path']);
    await colleague.delete(at);
    await world.clock.runUntil(() => Promise.resolve(world.emulator.control.rows('instances').length === 0), 600_000);
    await world.clock.runUntil(() => Promise.resolve(bootsOf().length === 2), 1_800_000);
    await world.ready(kind, 'web', 600_000);
    expect(world.emulator.control.rows('instances')).toHaveLength(1);
    expect(bootsOf()[1]).toEqual(['boot', await idOf('CloudInstanceConfig', 'main')]);
  });
});

it('one of another instance is refused by the service, and said to be', async () => {
  await world.apply(kind, 'other', machine);
  await world.apply('CloudInstanceConfig', 'theirs', { ...config, instanceRef: { name: 'other' } });
  await world.ready('CloudInstanceConfig', 'theirs');
  await world.apply(kind, 'web', { ...booting, bootConfigRef: { name: 'theirs' } });
  const { message } = await world.reason(kind, 'web', 'Rejected', 600_000);
  expect(message).toContain('bootConfigRef');
  expect(world.emulator.control.rows('instances')).toMatchObject([{ status: 'offline' }, { status: 'offline' }]);
});
