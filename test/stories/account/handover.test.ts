import { beforeEach, describe, expect, it } from 'vitest';
import { type RunningOperator, World } from '../../support/world/world.ts';

let world: World;
let first: RunningOperator;
let second: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  first = await world.start();
  await world.ready('CloudAccount', 'default');
  second = world.launch();
  await world.clock.advance(10_000);
});
const count = 60;
const names = Array.from({ length: count }, (_, n) => `v${n}`);
const volumes = (): unknown[] => world.emulator.control.rows('volumes') as never;
const posts = (): number =>
  world.emulator.control.requests().filter(({ method, path, username }) => method === 'POST' && path === '/volumes' && username === 'admin')
    .length;
async function apply(more: Record<string, unknown> = {}): Promise<void> {
  for (const name of names) await world.apply('CloudVolume', name, { region: 'eu-central', lifecycle: { onDelete: 'Delete' }, ...more });
}
async function handOver(): Promise<number> {
  const begun = world.clock.monotonic();
  let stopped = false;
  void first.operator.stop().then(() => (stopped = true));
  await world.clock.runUntil(() => Promise.resolve(stopped && second.operator.phase === 'leading'), 60_000);
  return world.clock.monotonic() - begun;
}

describe('a graceful stop', () => {
  it('in the middle of many creates hands over within seconds, and each is made once', async () => {
    // Eighty volumes a minute are our share: the other creates wait for the budget when the stop comes.
    const many = Array.from({ length: 120 }, (_, n) => `w${n}`);
    for (const name of many) await world.apply('CloudVolume', name, { region: 'eu-central' });
    await world.clock.advance(500);
    expect(posts()).toBeLessThan(120);
    expect(await handOver()).toBeLessThan(3000);
    for (const name of many) await world.ready('CloudVolume', name);
    expect(volumes()).toHaveLength(120);
    expect(posts()).toBe(120);
  });
  it('in the middle of a create that is slow to be answered writes down what it made', async () => {
    world.emulator.control.setKnobs({ latencyMilliseconds: 1500 });
    await world.apply('CloudVolume', 'v0', { region: 'eu-central' });
    await world.clock.runUntil(() => Promise.resolve(posts() === 1), 10_000);
    expect(await handOver()).toBeLessThan(4500);
    await world.ready('CloudVolume', 'v0');
    expect(posts()).toBe(1);
  });
  it('in the middle of edits and deletions leaves nothing half done', async () => {
    await apply();
    for (const name of names) await world.ready('CloudVolume', name);
    for (const name of names.slice(0, 30)) await world.patch('CloudVolume', name, { spec: { sizeGiB: 40 } });
    for (const name of names.slice(50)) await world.delete('CloudVolume', name);
    await world.clock.advance(200);
    expect(await handOver()).toBeLessThan(3000);
    for (const name of names.slice(0, 50)) await world.ready('CloudVolume', name);
    for (const name of names.slice(50)) await world.gone('CloudVolume', name);
    expect(volumes()).toHaveLength(50);
    expect((volumes() as { size: number }[]).filter(({ size }) => size === 40)).toHaveLength(30);
  });
});

describe('a crash of the leader', () => {
  it('is made good by the standby within twenty seconds', async () => {
    await apply();
    await world.clock.advance(500);
    first.kill();
    const begun = world.clock.monotonic();
    await world.clock.runUntil(() => Promise.resolve(second.operator.phase === 'leading'), 60_000);
    await world.apply('CloudDomain', 'zone', { domain: 'example.com', type: 'master', soaEmail: 'admin@example.com' });
    await world.ready('CloudDomain', 'zone', 20_000 - (world.clock.monotonic() - begun));
    for (const name of names) await world.ready('CloudVolume', name);
    expect(volumes()).toHaveLength(count);
  });
});
