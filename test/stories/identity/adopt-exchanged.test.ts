import { beforeEach, describe, expect, test } from 'vitest';
import { cloud, endpoint } from '../../support/plugin/cloud-cli.ts';
import { changesOf } from '../../support/world/changes.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

const [kind, minute] = ['CloudVolume', 60_000];
const retained = { region: 'eu-central', lifecycle: { onDelete: 'Retain' } };
const specs = { alpha: { ...retained, label: 'alpha', sizeGiB: 20 }, beta: { ...retained, label: 'beta', sizeGiB: 20 } };
const document = (name: string, spec: object): string =>
  JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind, metadata: { name, namespace: 'team-a' }, spec });

let world: World;
let running: Awaited<ReturnType<World['start']>>;
let [alpha, beta] = [0, 0];
let before: readonly string[] = [];
beforeEach(async () => {
  world = await World.create();
  await world.account();
  running = await world.start();
  await world.apply(kind, 'a', specs.alpha);
  alpha = Number((await world.ready(kind, 'a')).status?.['id']);
  await world.apply(kind, 'b', specs.beta);
  beta = Number((await world.ready(kind, 'b')).status?.['id']);
  await world.clock.advance(5 * minute);
  before = changesOf(world);
});
const synced = async (name: string) => world.condition(kind, name, 'Synced');
const undecided = (named: number, has: number) => ({
  status: 'False',
  reason: 'InvalidSpec',
  message: expect.stringContaining(`spec.adopt names /volumes/${named}`) as unknown,
  has: expect.stringContaining(`this object has /volumes/${has}`) as unknown,
});
const told = async (name: string) => {
  const { status, reason, message } = (await synced(name)) ?? {};
  return { status, reason, message, has: message };
};

async function exchange(): Promise<void> {
  await world.apply(kind, 'a', { ...specs.beta, adopt: { id: beta } });
  await world.apply(kind, 'b', { ...specs.alpha, adopt: { id: alpha } });
  await world.clock.advance(10 * minute);
}

describe('two objects whose names Git exchanged, each with the id of what it shall have,', () => {
  test('keep what they have, and nothing of either is given to the other', async () => {
    await exchange();
    expect.soft(await told('a')).toEqual(undecided(beta, alpha));
    expect.soft(await told('b')).toEqual(undecided(alpha, beta));
    expect(changesOf(world)).toEqual(before);
  });

  test('also by an operator that has just started', async () => {
    await running.operator.stop();
    await world.apply(kind, 'a', { ...specs.beta, adopt: { id: beta } });
    await world.apply(kind, 'b', { ...specs.alpha, adopt: { id: alpha } });
    await world.start();
    await world.clock.advance(10 * minute);
    expect.soft(await told('a')).toEqual(undecided(beta, alpha));
    expect(changesOf(world)).toEqual(before);
  });

  test('are planned so', async () => {
    const files = { 'x.yaml': document('a', { ...specs.beta, adopt: { id: beta } }) };
    const { out } = await cloud(world, `plan -f x.yaml --endpoint ${endpoint}`, { files });
    expect.soft(out).toContain(`spec.adopt names /volumes/${beta}`);
    expect(out).not.toContain('PUT');
  });

  test('are exchanged by what the message says', async () => {
    await exchange();
    for (const name of ['a', 'b']) await world.delete(kind, name);
    await world.gone(kind, 'a');
    await world.gone(kind, 'b');
    await exchange();
    expect.soft((await world.ready(kind, 'a')).status?.['id']).toBe(String(beta));
    expect.soft((await world.ready(kind, 'b')).status?.['id']).toBe(String(alpha));
    expect(changesOf(world)).toEqual(before);
  });
});

test('in a chain of names nothing is changed for what another one has', async () => {
  await world.apply(kind, 'b', { ...specs.alpha, sizeGiB: 60, adopt: { id: alpha } });
  await world.apply(kind, 'c', { ...specs.beta, adopt: { id: beta } });
  await world.delete(kind, 'a');
  await world.clock.advance(10 * minute);
  expect.soft(await told('b')).toEqual(undecided(alpha, beta));
  expect(changesOf(world)).toEqual(before);
});

test('one that nobody has is told, too; one that is not there holds nothing up', async () => {
  const other = await new CloudUser(world).post('/volumes', { label: 'other', region: 'eu-central', size: 20 });
  await world.apply(kind, 'a', { ...specs.alpha, tags: ['now'], adopt: { id: Number(other['id']) } });
  await world.clock.advance(10 * minute);
  expect.soft(await told('a')).toEqual(undecided(Number(other['id']), alpha));
  expect.soft(changesOf(world).filter((call) => call.startsWith('PUT'))).toEqual(before.filter((call) => call.startsWith('PUT')));
  await world.apply(kind, 'a', { ...specs.alpha, tags: ['now'], adopt: { id: 4711 } });
  await world.clock.advance(10 * minute);
  expect((await synced('a'))?.status).toBe('True');
});
