import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

const kind = 'CloudInstance';
const machine = { region: 'eu-central', type: 'g6-nanode-1' };
const golden = { ...machine, image: 'vm/debian11', rootPasswordSecretRef: { name: 'root', key: 'password' }, label: 'golden' };
const copy = { ...machine, cloneFrom: { instanceRef: { name: 'golden' } } };

let world: World;
const instances = () =>
  world.emulator.control.rows('instances') as readonly { readonly id: number; readonly label: string; readonly tags: string[] }[];
const clones = () => changesOf(world).filter((call) => call.endsWith('/clone')).length;
const loseAnswer = (effect: 'lose-answer' | 'lose-request') =>
  world.emulator.control.addFault({
    match: { method: 'POST', template: '/vm/instances/{vmId}/clone', username: 'admin' },
    times: 1,
    effect: { kind: effect },
  });
async function started(): Promise<void> {
  await world.account();
  await world.secret('root', { password: 'Canary-Horse-9-Battery' });
  await world.start();
  await world.apply(kind, 'golden', golden);
  await world.ready(kind, 'golden');
  await world.clock.advance(120_000);
}

describe('a copy of an instance', () => {
  beforeEach(async () => {
    world = await World.create();
    await started();
  });

  it('is made once, with the disks of its source, and brought to its own spec', async () => {
    await world.apply(kind, 'copy', { ...copy, label: 'copied', power: 'On', tags: ['prod'], watchdogEnabled: false });
    await world.ready(kind, 'copy', 1_800_000);
    const [source, made] = instances();
    expect(made).toMatchObject({
      label: 'copied',
      status: 'running',
      region: 'eu-central',
      image: 'vm/debian11',
      tags: ['prod'],
      watchdog_enabled: false,
    });
    expect(world.emulator.control.rows('disks').filter((row) => (row as { vm_id?: number }).vm_id === made?.id)).toHaveLength(2);
    expect(changesOf(world).slice(1)).toEqual([
      `POST /vm/instances/${source?.id}/clone`,
      `PUT /vm/instances/${made?.id}`,
      `POST /vm/instances/${made?.id}/boot`,
    ]);
    expect(world.panics).toEqual([]);
  });
  it('is not booted before all is copied', async () => {
    await world.apply(kind, 'copy', { ...copy, power: 'On' });
    await world.clock.runUntil(() => Promise.resolve(instances().length === 2), 60_000);
    await world.clock.advance(60_000);
    expect(changesOf(world).some((call) => call.endsWith('/boot'))).toBe(false);
    await world.ready(kind, 'copy', 600_000);
    expect(changesOf(world).filter((call) => call.endsWith('/boot'))).toHaveLength(1);
  });
  it.each([
    ['a label that was derived', {}],
    ['a label that was chosen', { label: 'copied' }],
  ])('of which the answer was lost is found again, under %s', async (_, chosen) => {
    loseAnswer('lose-answer');
    await world.apply(kind, 'copy', { ...copy, ...chosen });
    await world.ready(kind, 'copy', 1_800_000);
    expect(instances()).toHaveLength(2);
    expect(clones()).toBe(1);
  });
  it('of which the request was lost is made all the same, once', async () => {
    loseAnswer('lose-request');
    await world.apply(kind, 'copy', { ...copy, label: 'copied' });
    await world.ready(kind, 'copy', 1_800_000);
    expect(instances()).toHaveLength(2);
  });
  it('is none of what somebody else made of that name at that moment', async () => {
    const colleague = new CloudUser(world);
    loseAnswer('lose-request');
    await world.apply(kind, 'copy', { ...copy, label: 'copied' });
    await world.clock.advance(3000);
    expect(instances()).toHaveLength(1);
    await colleague.post('/vm/instances', { ...machine, label: 'copied' });
    const { message } = await world.reason(kind, 'copy', 'AlreadyExists', 1_800_000);
    expect(message).toContain('spec.adopt');
    expect(instances()).toHaveLength(2);
  });
  it('is none of what our own user made another way of that name at that moment', async () => {
    loseAnswer('lose-request');
    await world.apply(kind, 'copy', { ...copy, label: 'copied' });
    await world.clock.advance(3000);
    await new CloudUser(world, 'token-admin').post('/vm/instances', { ...machine, label: 'copied' });
    await world.reason(kind, 'copy', 'AlreadyExists', 1_800_000);
    await world.delete(kind, 'copy');
    await world.gone(kind, 'copy', 1_800_000);
    expect(instances()).toHaveLength(2);
  });
  it('does not take the place of what has its name already', async () => {
    const colleague = new CloudUser(world);
    await colleague.post('/vm/instances', { ...machine, label: 'copied' });
    await world.apply(kind, 'copy', { ...copy, label: 'copied' });
    await world.reason(kind, 'copy', 'AlreadyExists', 600_000);
    expect(instances()).toHaveLength(2);
  });
  it('that does not fit into its type is refused with words', async () => {
    await world.apply(kind, 'large', { ...golden, label: 'large', type: 'g6-standard-2' });
    await world.ready(kind, 'large');
    await world.clock.advance(120_000);
    await world.apply(kind, 'copy', { ...copy, cloneFrom: { instanceRef: { name: 'large' } } });
    const { message } = await world.reason(kind, 'copy', 'Rejected', 600_000);
    expect(message).toContain('spec.type: the disks of the instance that is copied do not fit');
  });
  it('waits while its source is busy, and two are made one after the other', async () => {
    for (const name of ['one', 'two']) await world.apply(kind, name, { ...copy, label: `copy-${name}` });
    for (const name of ['one', 'two']) await world.ready(kind, name, 1_800_000);
    expect(
      instances()
        .map(({ label }) => label)
        .toSorted(),
    ).toEqual(['copy-one', 'copy-two', 'golden']);
  });
  it('keeps what it is when its source goes', async () => {
    await world.apply(kind, 'copy', { ...copy, label: 'copied' });
    await world.ready(kind, 'copy', 600_000);
    await world.clock.advance(300_000);
    await world.delete(kind, 'golden');
    await world.gone(kind, 'golden');
    await world.clock.advance(900_000);
    expect((await world.condition(kind, 'copy', 'Ready'))?.status).toBe('True');
    expect(instances().map(({ label }) => label)).toEqual(['copied']);
    expect(clones()).toBe(1);
  });
});

it('an instance of another namespace is copied by nobody', async () => {
  world = await World.create();
  await started();
  await world.namespace('team-b');
  await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'] }] } });
  const { id } = (await world.get(kind, 'golden')).status ?? {};
  const accountRef = { name: 'default', namespace: 'team-a' };
  await world.apply(kind, 'by-name', { ...copy, accountRef }, 'team-b');
  await world.apply(kind, 'by-id', { ...copy, accountRef, cloneFrom: { instanceRef: { external: id } } }, 'team-b');
  await world.clock.advance(600_000);
  const message = async (name: string) => (await world.condition(kind, name, 'Synced', 'team-b'))?.message;
  expect(await message('by-name')).toContain('CloudInstance golden is not found');
  expect(await message('by-id')).toContain('adopt: Any');
  expect(instances()).toHaveLength(1);
});

describe('while an account recovers, what has no tag to tell whose it is', () => {
  const accountRef = { name: 'default', namespace: 'team-a' };
  const handmade = {
    ...copy,
    accountRef,
    label: 'by-hand',
    cloneFrom: { instanceRef: { name: 'mine' } },
    lifecycle: { onDelete: 'Delete' },
  };
  async function recovering(adopt: 'None' | 'Any'): Promise<void> {
    world = await World.create();
    await world.namespace('team-b');
    await world.account({ access: [{ namespaces: ['team-b'], adopt }] });
    await world.start();
    await world.apply(kind, 'mine', { ...machine, accountRef }, 'team-b');
    await world.ready(kind, 'mine', 600_000, 'team-b');
    await new CloudUser(world).post('/vm/instances', { ...machine, label: 'by-hand' });
    await world.patch('CloudAccount', 'default', { spec: { recover: true } });
    await world.clock.advance(60_000);
    await world.apply(kind, 'copy', handmade, 'team-b');
  }
  it('is taken for a copy by no namespace that may not adopt, and so not deleted', async () => {
    await recovering('None');
    await world.reason(kind, 'copy', 'RemoteMissing', 600_000, 'team-b');
    await world.delete(kind, 'copy', 'team-b');
    await world.gone(kind, 'copy', 600_000, 'team-b');
    expect(instances().map(({ label }) => label)).toContain('by-hand');
  });
  it('is taken as adopted where that namespace may adopt it', async () => {
    await recovering('Any');
    await world.ready(kind, 'copy', 600_000, 'team-b');
    expect((await world.get(kind, 'copy', 'team-b')).status?.['origin']).toBe('Adopted');
  });
});
