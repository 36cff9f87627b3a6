import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

interface Hold {
  readonly namespace?: string;
  readonly count: number;
  readonly release: string;
  readonly message: string;
}
let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  operator = await world.start();
});
/** Longer than the ten minutes within which deletions count as one act. */
const later = 900_000;
const deletions = (): number => changesOf(world).filter((call) => call.startsWith('DELETE')).length;
const regions = (): readonly string[] => (world.emulator.control.rows('volumes') as { region: string }[]).map(({ region }) => region);
const held = async (): Promise<readonly Hold[]> => ((await world.get('CloudAccount', 'default')).status?.['held'] ?? []) as Hold[];
const release = (value: string): Promise<unknown> =>
  world.patch('CloudAccount', 'default', { metadata: { annotations: { 'cloudhosting.dev/release': value } } });
const showsHeld = "kubectl -n team-a get cloudaccount default -o jsonpath='{.status.held[*].message}'";
const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `v${n}`);
const approved = { onDelete: 'Delete', replace: 'Allow', approve: ['InPlace', 'Replace'] };

async function volumes(count: number, lifecycle: Record<string, unknown> = approved): Promise<readonly string[]> {
  for (const name of names(count)) await world.apply('CloudVolume', name, { region: 'eu-central', sizeGiB: 20, lifecycle });
  for (const name of names(count)) await world.ready('CloudVolume', name);
  await world.clock.advance(120_000);
  return names(count);
}
const move = async (all: readonly string[]): Promise<void> => {
  for (const name of all) await world.patch('CloudVolume', name, { spec: { region: 'eu-west' } });
};
async function messages(all: readonly string[]): Promise<readonly string[]> {
  const conditions = await Promise.all(all.map((name) => world.condition('CloudVolume', name, 'Synced')));
  return conditions.flatMap((condition) => (condition?.reason === 'DeletionHeld' ? [condition.message] : []));
}

describe('forty approved replacements', () => {
  it('are held, all but as many as may be deleted at once, until a person lets them go', async () => {
    const all = await volumes(40);
    await move(all);
    await world.clock.advance(later);
    expect(deletions()).toBeLessThanOrEqual(10);
    expect(world.emulator.control.rows('volumes')).toHaveLength(40);
    const [hold] = await held();
    expect(hold).toMatchObject({ namespace: 'team-a', count: 40 - deletions() });
    expect(hold?.message).toContain(`annotate cloudaccount default --overwrite cloudhosting.dev/release=${hold?.release}`);
    expect(await messages(all)).toEqual(Array.from({ length: hold?.count ?? 0 }, () => expect.stringContaining(showsHeld)));
    operator.kill();
    await world.start();
    await world.clock.advance(later);
    expect(deletions()).toBeLessThanOrEqual(10);
    expect((await held())[0]?.release).toBe(hold?.release);
    await release(hold?.release ?? '');
    for (const name of all) await world.ready('CloudVolume', name, 1_200_000);
    expect(regions()).toEqual(all.map(() => 'eu-west'));
    expect(deletions()).toBe(40);
    await world.clock.advance(60_000);
    expect(await held()).toEqual([]);
  });
  it('are held when they were approved together, however long before they were asked for', async () => {
    const all = await volumes(40, { onDelete: 'Delete', replace: 'Allow' });
    for (const name of all) {
      await move([name]);
      await world.clock.advance(60_000);
    }
    for (const name of all) {
      const plan = (await world.get('CloudVolume', name)).status?.['plan'] as { hash: string } | undefined;
      await world.patch('CloudVolume', name, { metadata: { annotations: { 'cloudhosting.dev/approve': plan?.hash ?? '' } } });
    }
    await world.clock.advance(later);
    expect(deletions()).toBeLessThanOrEqual(10);
    expect(world.emulator.control.rows('volumes')).toHaveLength(40);
  });
  it('count for deletions too, and deletions for them', async () => {
    const all = await volumes(16);
    await move(all.slice(0, 8));
    for (const name of all.slice(0, 8)) await world.ready('CloudVolume', name, 300_000);
    for (const name of all.slice(8)) await world.delete('CloudVolume', name);
    await world.clock.advance(later);
    expect(deletions()).toBeLessThanOrEqual(10);
    expect(world.emulator.control.rows('volumes').length).toBeGreaterThanOrEqual(14);
  });
  it('are no act of many when they come one after the other', async () => {
    const all = await volumes(14);
    for (const name of all) {
      await move([name]);
      await world.ready('CloudVolume', name);
      await world.clock.advance(80_000);
    }
    expect(deletions()).toBe(14);
    expect(await held()).toEqual([]);
  });
});

describe('a replacement', () => {
  it('deletes nothing while its CustomResourceDefinition is being removed', async () => {
    const [name = ''] = await volumes(1);
    const definition = /\/customresourcedefinitions\/cloudvolumes\./;
    world.server.faults.add({ match: { method: 'GET', path: definition }, action: { kind: 'answer', status: 404 } });
    await move([name]);
    await world.clock.advance(60_000);
    expect(deletions()).toBe(0);
    expect(regions()).toEqual(['eu-central']);
  });
  it('whose object goes with its CustomResourceDefinition meanwhile leaves what it had', async () => {
    const all = await volumes(3);
    world.emulator.control.addFault({
      match: { method: 'DELETE', username: 'admin' },
      effect: { kind: 'answer', status: 400, body: '{"errors":[{"reason":"Linode busy."}]}' },
    });
    await move(all);
    await world.clock.advance(20_000);
    await world.admin('DELETE', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/cloudvolumes.cloudhosting.dev');
    world.emulator.control.clearFaults();
    await world.clock.advance(later);
    expect(regions()).toEqual(['eu-central', 'eu-central', 'eu-central']);
  });
  it('whose answer was lost is not sent again before it can surely not come about any more', async () => {
    const [name = ''] = await volumes(1);
    world.emulator.control.addFault({
      match: { method: 'DELETE', username: 'admin' },
      times: 1,
      effect: { kind: 'commit-late', seconds: 40 },
    });
    await move([name]);
    await world.ready('CloudVolume', name, 600_000);
    expect(deletions()).toBe(1);
    expect(regions()).toEqual(['eu-west']);
  });
  it('that was refused is not sent again because somebody touches its object', async () => {
    const [name = ''] = await volumes(1);
    const body = '{"errors":[{"reason":"The volume must stay"}]}';
    world.emulator.control.addFault({ match: { method: 'DELETE', username: 'admin' }, effect: { kind: 'answer', status: 400, body } });
    await move([name]);
    for (let n = 0; n < 10; n += 1) {
      await world.patch('CloudVolume', name, { metadata: { annotations: { 'cloudhosting.dev/approve': `touch-${n}` } } });
      await world.clock.advance(20_000);
    }
    expect(deletions()).toBe(1);
    expect((await world.condition('CloudVolume', name, 'Stalled'))?.status).toBe('True');
  });
});

it('objects whose deletion is held all say the same, and the account counts every one of them', async () => {
  const all = await volumes(30, { onDelete: 'Delete' });
  for (const name of all) {
    await world.delete('CloudVolume', name);
    await world.clock.advance(300);
  }
  await world.clock.advance(20_000);
  const [hold] = await held();
  const told = await messages(all);
  expect(told).toHaveLength(hold?.count ?? 0);
  expect(told.length).toBeGreaterThan(1);
  expect(new Set(told).size).toBe(1);
  expect(told[0]).toContain(showsHeld);
});
