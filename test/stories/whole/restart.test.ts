import { beforeEach, describe, expect, it } from 'vitest';
import { type RunningOperator, World } from '../../support/world/world.ts';

let world: World;
let running: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  running = await world.start();
});
/** Killed, and a new process begins when its lease has run out. */
async function restart(): Promise<void> {
  running.kill();
  running = await world.start();
  await world.clock.advance(20_000);
}
const remotes = (collection: string): { id: number; size: number }[] => world.emulator.control.rows(collection) as never;
const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `x${n}`);
const firewall = { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' };

async function made(kind: string, count: number, spec: Record<string, unknown>): Promise<readonly string[]> {
  for (const name of names(count)) await world.apply(kind, name, spec);
  for (const name of names(count)) await world.ready(kind, name);
  return names(count);
}
const deleteFirewalls = async (ids: readonly number[]): Promise<void> => {
  for (const id of ids)
    await world.emulator.control.actAs({ username: 'colleague', method: 'DELETE', path: `/v4/networking/firewalls/${id}` });
};
const held = async (): Promise<readonly { count: number; release: string }[]> =>
  ((await world.get('CloudAccount', 'default')).status?.['held'] ?? []) as never;
const release = (value: string): Promise<unknown> =>
  world.patch('CloudAccount', 'default', { metadata: { annotations: { 'cloudhosting.dev/release': value } } });

describe('a process that starts in the middle', () => {
  it('of a mass deletion counts what its forerunner saw going', async () => {
    for (const name of await made('CloudVolume', 14, { region: 'eu-central', lifecycle: { onDelete: 'Delete' } })) {
      await world.delete('CloudVolume', name);
      await world.clock.advance(10_000);
      if (name === 'x6') await restart();
    }
    await world.clock.advance(900_000);
    expect(remotes('volumes')).toHaveLength(4);
  });
  it('forgets what went once ten minutes have passed', async () => {
    const all = await made('CloudVolume', 14, { region: 'eu-central', lifecycle: { onDelete: 'Delete' } });
    for (const name of all.slice(0, 8)) await world.delete('CloudVolume', name);
    await world.clock.advance(60_000);
    expect((await world.get('CloudAccount', 'default')).status?.['deletedLately']).toMatchObject([{ namespace: 'team-a', count: 8 }]);
    await restart();
    await world.clock.advance(700_000);
    expect((await world.get('CloudAccount', 'default')).status?.['deletedLately']).toBeUndefined();
    for (const name of all.slice(8)) await world.delete('CloudVolume', name);
    await world.clock.advance(60_000);
    expect(remotes('volumes')).toEqual([]);
  });
  it('of a mass loss goes on to wait for a person, though too few are left to be one', async () => {
    await made('CloudFirewall', 8, firewall);
    await world.clock.advance(200_000);
    await deleteFirewalls(remotes('firewalls').map(({ id }) => id));
    await world.clock.advance(120_000);
    const waiting = await Promise.all(names(8).map((name) => world.condition('CloudFirewall', name, 'Synced')));
    const stopped = names(8).filter((_, i) => waiting[i]?.reason === 'DeletionHeld');
    expect(stopped.length).toBeGreaterThan(5);
    for (const name of stopped.slice(3)) await world.delete('CloudFirewall', name);
    await world.clock.advance(60_000);
    const there = remotes('firewalls').length;
    await restart();
    await world.clock.advance(1_800_000);
    expect(remotes('firewalls')).toHaveLength(there);
    await release((await held())[0]?.release ?? '');
    for (const name of stopped.slice(0, 3)) await world.reason('CloudFirewall', name, 'Available');
    expect(remotes('firewalls')).toHaveLength(there + 3);
  });
  it('of letting a mass loss be made anew goes on with it', async () => {
    await made('CloudFirewall', 8, firewall);
    await world.clock.advance(200_000);
    await deleteFirewalls(remotes('firewalls').map(({ id }) => id));
    await world.clock.advance(120_000);
    world.emulator.control.addFault({ match: { method: 'POST' }, skip: 1, effect: { kind: 'lose-request' } });
    const there = remotes('firewalls').length;
    await release((await held())[0]?.release ?? '');
    await world.clock.runUntil(() => Promise.resolve(remotes('firewalls').length === there + 1), 60_000);
    running.kill();
    world.emulator.control.clearFaults();
    running = await world.start();
    for (const name of names(8)) await world.reason('CloudFirewall', name, 'Available', 1_800_000);
    expect(remotes('firewalls')).toHaveLength(8);
    expect(await held()).toEqual([]);
  });
  it('of a quarrel about a field remembers how often it was rewritten', async () => {
    const [name = ''] = await made('CloudVolume', 1, { region: 'eu-central', label: 'data', tags: ['mine'] });
    const { id } = (await world.get('CloudVolume', name)).status as unknown as { id: string };
    for (const tag of ['one', 'two', 'three', 'four']) {
      await world.emulator.control.actAs({ username: 'colleague', method: 'PUT', path: `/v4/volumes/${id}`, body: { tags: [tag] } });
      await world.clock.advance(60_000);
      if (tag === 'two') await restart();
    }
    await world.reason('CloudVolume', name, 'Contested');
  });
  it('of a proof that something is gone begins it anew', async () => {
    const [name = ''] = await made('CloudFirewall', 1, firewall);
    await world.clock.advance(200_000);
    const [{ id } = { id: 0 }] = remotes('firewalls');
    world.emulator.control.addFault({
      match: { method: 'GET', path: `/networking/firewalls/${id}` },
      times: 1,
      effect: { kind: 'answer', status: 404 },
    });
    await world.patch('CloudFirewall', name, { metadata: { annotations: { 'cloudhosting.dev/reconcile-at': 'now' } } });
    await world.clock.advance(2000);
    await restart();
    await world.clock.advance(300_000);
    expect(remotes('firewalls')).toMatchObject([{ id }]);
    await world.ready('CloudFirewall', name);
  });
});
