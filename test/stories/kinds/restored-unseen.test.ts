import { beforeEach, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { connectedWorld } from '../../support/world/connected-world.ts';
import type { RunningOperator, World } from '../../support/world/world.ts';

const minute = 60_000;
const machine = { region: 'us-east', type: 'g6-standard-1', label: 'web' };
const configurations = '/vm/instances/{vmId}/configs';
let world: World;
let admin: CloudUser;
let operator: RunningOperator;
let id: number;
let backup: number;

const made = async (path: string, body: object): Promise<number> => Number((await admin.post(path, { ...body }))['id']);
const labels = (): readonly unknown[] =>
  world.emulator.control.rows('configs').map((row) => (row as unknown as { readonly label: string }).label);
const restore = (): Promise<number> => made(`/vm/instances/${id}/backups/${backup}/restore`, { vm_id: id, overwrite: true });

/** An adopted machine, whose backup has its configuration as `then`; by now that is called `main`. */
beforeEach(async () => {
  ({ world, operator } = await connectedWorld());
  admin = new CloudUser(world, 'token-admin');
  id = await made('/vm/instances', machine);
  await world.clock.advance(minute);
  const config = await made(`/vm/instances/${id}/configs`, { label: 'main', devices: {} });
  await world.apply('CloudInstance', 'web', { ...machine, backupsEnabled: true, adopt: { id } });
  const spec = { instanceRef: { name: 'web' }, devices: {}, adopt: { id: config } };
  await world.apply('CloudInstanceConfig', 'main', { ...spec, label: 'then' });
  for (const [kind, name] of [
    ['CloudInstance', 'web'],
    ['CloudInstanceConfig', 'main'],
  ] as const)
    await world.ready(kind, name);
  backup = await made(`/vm/instances/${id}/backups`, { label: 'before' });
  await world.clock.advance(5 * minute);
  await world.patch('CloudInstanceConfig', 'main', { spec: { label: 'main' } });
  await world.ready('CloudInstanceConfig', 'main');
});

/** Somebody deletes the configuration, and the account takes no other for now; resolves when that is over. */
async function lostAndRefused(status: number): Promise<() => void> {
  const fault = world.emulator.control.addFault({
    match: { method: 'POST', template: configurations },
    times: 1000,
    effect: { kind: 'answer', status },
  });
  const { id: config } = world.emulator.control.rows('configs')[0] as unknown as { readonly id: number };
  await admin.delete(`/vm/instances/${id}/configs/${config}`);
  await world.clock.runUntil(
    async () => Number((await world.get('CloudInstanceConfig', 'main')).status?.['remotesBefore']) >= 1,
    30 * minute,
  );
  return () => void world.emulator.control.removeFault(fault);
}

it('a configuration whose object asks is not made beside the restored one by a mere restart', async () => {
  const over = await lostAndRefused(400);
  await restore();
  await world.clock.advance(5 * minute);
  over();
  await world.reason('CloudInstanceConfig', 'main', 'RemoteMissing', 90 * minute);
  operator.kill();
  await world.clock.advance(minute / 2);
  await world.start();
  await world.clock.advance(60 * minute);
  expect(labels()).toEqual(['then']);
});

it('nor where the machine is restored while no operator runs', async () => {
  const over = await lostAndRefused(503);
  operator.kill();
  await restore();
  await world.clock.advance(5 * minute);
  over();
  await world.start();
  await world.clock.advance(60 * minute);
  expect(labels()).toEqual(['then']);
});
