import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

const kind = 'CloudInstance';
const machine = { region: 'eu-central', type: 'g6-nanode-1' };
const deployed = { ...machine, image: 'vm/debian11', rootPasswordSecretRef: { name: 'root', key: 'password' } };

let world: World;
let colleague: CloudUser;
let operator: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  colleague = new CloudUser(world);
  await world.account();
  await world.secret('root', { password: 'Canary-Horse-9-Battery' });
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
});
const status = async () => (await world.get(kind, 'web')).status ?? {};
const configs = () => world.emulator.control.rows('configs') as readonly { readonly id: number; readonly label: string }[];
async function instance(spec: Record<string, unknown>): Promise<string> {
  await world.apply(kind, 'web', spec);
  return String((await world.ready(kind, 'web')).status?.['path']);
}

describe('an instance shows its configurations', () => {
  it('by their ids, and which one it was booted with last, across a restart and a rebuild', async () => {
    const at = await instance(deployed);
    const [made] = configs();
    await world.clock.runUntil(async () => (await status())['bootedConfigId'] === made?.id, 60_000);
    expect((await status())['configs']).toEqual([{ id: made?.id, label: made?.label }]);

    const { id: other } = await colleague.post(`${at}/configs`, { label: 'other', devices: {} });
    await world.clock.runUntil(async () => JSON.stringify((await status())['configs']).includes('other'), 900_000);
    expect(await status()).toMatchObject({ bootedConfigId: made?.id });
    await colleague.post(`${at}/reboot`, { config_id: other });
    await world.clock.runUntil(async () => (await status())['bootedConfigId'] === other, 120_000);

    operator.process.kill();
    await world.start();
    await world.clock.advance(600_000);
    expect(await status()).toMatchObject({ bootedConfigId: other, configs: [{ id: made?.id }, { id: other, label: 'other' }] });

    await colleague.post(`${at}/rebuild`, { image: 'vm/debian11', root_pass: 'Canary-Horse-9-Battery' });
    await world.clock.advance(900_000);
    const [rebuilt] = configs();
    expect(await status()).toMatchObject({ bootedConfigId: rebuilt?.id, configs: [{ id: rebuilt?.id }] });
    expect(world.panics).toEqual([]);
  });
  it('and does not say with which it was booted where none ever was', async () => {
    const at = await instance(machine);
    await colleague.post(`${at}/configs`, { label: 'other', devices: {} });
    await world.clock.advance(900_000);
    expect(await status()).toMatchObject({ configs: [{ label: 'other' }] });
    expect((await status())['bootedConfigId'] ?? null).toBeNull();
  });
  it('fifty of them at most', async () => {
    const at = await instance(machine);
    for (let n = 1; n <= 60; n += 1) await colleague.post(`${at}/configs`, { label: `c${n}`, devices: {} });
    await world.clock.advance(900_000);
    expect((await status())['configs']).toHaveLength(50);
  });
});

it('what an instance shows of its configurations is no proof that the account has none of a name', async () => {
  // No event that tells of it is read in time.
  const at = await instance(machine);
  const listed = () => world.emulator.control.requests().filter(({ method, path }) => method === 'GET' && path === `${at}/configs`).length;
  await world.clock.runUntil(() => Promise.resolve(listed() > 0), 900_000);
  await colleague.post(`${at}/configs`, { label: 'main', devices: {} });
  await world.apply('CloudInstanceConfig', 'main', { instanceRef: { name: 'web' }, label: 'main', devices: {} });
  const { message } = await world.reason('CloudInstanceConfig', 'main', 'AlreadyExists', 60_000);
  expect(message).toContain('spec.adopt');
  expect(configs().map(({ label }) => label)).toEqual(['main']);
});
