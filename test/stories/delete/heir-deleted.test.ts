import { beforeEach, describe, expect, it } from 'vitest';
import { cloud, dataOf, endpoint } from '../../support/plugin/cloud-cli.ts';
import type { PlanData } from '../../../src/plugin/output/plan-shape.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

// A rename that Git takes back in the midst: who asks for what the old one has is deleted before it took that.
const minute = 60_000;
let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  world = await World.create();
});
async function begin(access?: readonly Record<string, unknown>[]): Promise<void> {
  await world.account(access === undefined ? {} : { access }, 'team-a', 'token-admin');
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
}
const volume: Record<string, unknown> = { region: 'eu-central', sizeGiB: 20, label: 'data', lifecycle: { onDelete: 'Delete' } };
const keeps = { lifecycle: { onDelete: 'Retain' } };
const byDefault = { lifecycle: undefined };
const cannotTake = { instanceRef: { name: 'nope' } };

/** The old one, and who asks for what it has and cannot take it. */
async function asked(more: object, spec = volume): Promise<number> {
  await begin();
  await world.apply('CloudVolume', 'data', spec);
  const id = Number((await world.ready('CloudVolume', 'data')).status?.['id']);
  await world.apply('CloudVolume', 'shop-data', { ...volume, ...cannotTake, adopt: { id }, ...more });
  await world.reason('CloudVolume', 'shop-data', 'ReferenceNotReady');
  return id;
}
async function waiting(more: object, spec = volume): Promise<number> {
  const id = await asked(more, spec);
  await world.delete('CloudVolume', 'data');
  await world.clock.advance(10_000);
  await world.reason('CloudVolume', 'data', 'ReferenceNotReady');
  return id;
}
async function restarted(): Promise<void> {
  operator.kill();
  await world.clock.advance(minute);
  operator = await world.start();
}
const ids = (): readonly unknown[] => world.emulator.control.rows('volumes').map((row) => (row as { readonly id?: unknown }).id);
const deletes = (): number =>
  world.emulator.control.requests().filter(({ method, username }) => method === 'DELETE' && username === 'admin').length;
const retained = (): readonly string[] =>
  (world.server.objects('/events') as unknown as readonly { readonly reason: string; readonly message: string }[])
    .filter(({ reason }) => reason === 'Retained')
    .map(({ message }) => message);

describe('who asks for what a deleted object has, and is deleted before it took that', () => {
  it.each([
    ['by default', byDefault],
    ['with Retain', keeps],
    ['with Observe', { lifecycle: { management: 'Observe' } }],
  ])('keeps it %s, and says so once', async (_, more) => {
    const id = await waiting(more);
    await world.delete('CloudVolume', 'shop-data');
    await world.gone('CloudVolume', 'data', 2 * minute);
    await world.clock.advance(10 * minute);
    expect(ids()).toEqual([id]);
    expect(deletes()).toBe(0);
    expect(retained()).toEqual([
      expect.stringMatching(
        /^\/volumes\/\d+ stays in the account, because the policy of CloudVolume shop-data, which asked for it last, is Retain\. /,
      ),
    ]);
  });
  it('is followed by the old one applied anew, which has it again', async () => {
    const id = await waiting({ ...byDefault, label: undefined }, { ...volume, label: undefined });
    await world.apply('CloudVolume', 'data', { ...volume, label: undefined });
    await world.delete('CloudVolume', 'shop-data');
    await world.gone('CloudVolume', 'data', 2 * minute);
    await world.apply('CloudVolume', 'data', { ...volume, label: undefined });
    expect((await world.ready('CloudVolume', 'data', 5 * minute)).status).toMatchObject({ id: String(id) });
    expect(ids()).toEqual([id]);
  });
  it('keeps it where it goes while no operator runs', async () => {
    const id = await waiting(byDefault);
    operator.kill();
    await world.delete('CloudVolume', 'shop-data');
    await world.clock.advance(minute);
    operator = await world.start();
    await world.gone('CloudVolume', 'data', 5 * minute);
    expect(ids()).toEqual([id]);
    expect(retained()).toHaveLength(1);
  });
  it('keeps it where it goes after a restart', async () => {
    const id = await waiting(byDefault);
    await restarted();
    await world.clock.advance(minute);
    await world.delete('CloudVolume', 'shop-data');
    await world.gone('CloudVolume', 'data', 2 * minute);
    expect(ids()).toEqual([id]);
  });
  it('keeps it where both are deleted in the same moment, the old one first', async () => {
    const id = await asked(byDefault);
    await world.delete('CloudVolume', 'data');
    await world.delete('CloudVolume', 'shop-data');
    await world.gone('CloudVolume', 'data', 5 * minute);
    expect(ids()).toEqual([id]);
  });
  it('keeps it where a finalizer of somebody else holds it', async () => {
    const id = await waiting(byDefault);
    await world.admin('PATCH', world.path('CloudVolume', 'team-a', 'shop-data'), { metadata: { finalizers: ['example.org/hook'] } });
    await world.delete('CloudVolume', 'shop-data');
    await restarted();
    await world.gone('CloudVolume', 'data', 2 * minute);
    expect(ids()).toEqual([id]);
  });
  it.each([
    ['', false],
    [' while no operator runs', true],
  ])('has it deleted where its own policy says so%s', async (_, alone) => {
    await waiting({});
    if (alone) operator.kill();
    await world.delete('CloudVolume', 'shop-data');
    if (alone) operator = await world.start();
    await world.gone('CloudVolume', 'data', 5 * minute);
    expect(ids()).toEqual([]);
  });
  it('says how to have it deleted after all: its policy is edited, and it is deleted', async () => {
    await waiting(keeps);
    const { message } = await world.reason('CloudVolume', 'data', 'ReferenceNotReady');
    expect(message).toContain(
      'To have it deleted after all, take spec.adopt out of CloudVolume shop-data, or set spec.lifecycle.onDelete: Delete there and delete that',
    );
    await world.patch('CloudVolume', 'shop-data', { spec: { lifecycle: { onDelete: 'Delete' } } });
    await world.delete('CloudVolume', 'shop-data');
    await world.gone('CloudVolume', 'data', 2 * minute);
    expect(ids()).toEqual([]);
  });
  it('leaves it to the next that asks, and that one has the last word', async () => {
    const id = await waiting(keeps);
    operator.kill();
    await world.delete('CloudVolume', 'shop-data');
    await world.apply('CloudVolume', 'third', { ...volume, ...cannotTake, adopt: { id } });
    operator = await world.start();
    await world.clock.advance(2 * minute);
    expect(ids()).toEqual([id]);
    await world.delete('CloudVolume', 'third');
    await world.gone('CloudVolume', 'data', 5 * minute);
    expect(ids()).toEqual([]);
  });
  it.each(['', ' after a restart'])('or spec.adopt is taken out of it%s', async (when) => {
    await waiting(keeps);
    if (when !== '') operator.kill();
    await world.patch('CloudVolume', 'shop-data', { spec: { adopt: null } });
    if (when !== '') operator = await world.start();
    await world.gone('CloudVolume', 'data', 5 * minute);
    expect(deletes()).toBe(1);
  });
  it('keeps it where it has one of its own, as in a chain of renames', async () => {
    await begin();
    await world.apply('CloudVolume', 'data', volume);
    const id = Number((await world.ready('CloudVolume', 'data')).status?.['id']);
    await world.apply('CloudVolume', 'shop-data', { ...volume, label: 'other' });
    await world.ready('CloudVolume', 'shop-data');
    await world.patch('CloudVolume', 'shop-data', { spec: { adopt: { id }, lifecycle: null } });
    await world.clock.advance(minute);
    await world.delete('CloudVolume', 'data');
    await world.reason('CloudVolume', 'data', 'DeletionHeld', 2 * minute);
    await world.delete('CloudVolume', 'shop-data');
    await world.gone('CloudVolume', 'data', 2 * minute);
    await world.clock.advance(minute);
    expect(ids()).toContain(id);
  });
});

describe('keeps nothing', () => {
  it('where it is of another namespace', async () => {
    await world.namespace('team-b');
    await begin([{ namespaces: ['team-a', 'team-b'], adopt: 'Any' }]);
    await world.apply('CloudVolume', 'data', volume);
    const id = Number((await world.ready('CloudVolume', 'data')).status?.['id']);
    const spec = { ...volume, ...byDefault, accountRef: { name: 'default', namespace: 'team-a' }, adopt: { id } };
    await world.apply('CloudVolume', 'data', spec, 'team-b');
    await world.reason('CloudVolume', 'data', 'AlreadyClaimed', 10 * minute, 'team-b');
    await world.delete('CloudVolume', 'data');
    await world.delete('CloudVolume', 'data', 'team-b');
    await world.gone('CloudVolume', 'data', 2 * minute);
    expect(ids()).toEqual([]);
  });
  it.each([
    ['may not adopt', { adopt: undefined }, {}],
    ['names another one', { adopt: 'Any' }, { adopt: { id: 4711 } }],
  ])('where it %s', async (_, rule, more) => {
    await world.namespace('team-b');
    await begin([{ namespaces: ['team-b'], ...rule }]);
    const spec = { ...volume, accountRef: { name: 'default', namespace: 'team-a' } };
    await world.apply('CloudVolume', 'data', spec, 'team-b');
    const { status } = await world.ready('CloudVolume', 'data', 10 * minute, 'team-b');
    const id = Number(status?.['id']);
    await world.apply('CloudVolume', 'shop-data', { ...spec, ...byDefault, ...cannotTake, adopt: { id }, ...more }, 'team-b');
    await world.clock.advance(minute);
    await world.delete('CloudVolume', 'data', 'team-b');
    await world.delete('CloudVolume', 'shop-data', 'team-b');
    await world.gone('CloudVolume', 'data', 5 * minute, 'team-b');
    expect(ids()).toEqual([]);
  });
  it('where it may not adopt, and has one of its own', async () => {
    await world.namespace('team-b');
    await begin([{ namespaces: ['team-b'] }]);
    const spec = { ...volume, accountRef: { name: 'default', namespace: 'team-a' } };
    await world.apply('CloudVolume', 'data', spec, 'team-b');
    const { status } = await world.ready('CloudVolume', 'data', 10 * minute, 'team-b');
    await world.apply('CloudVolume', 'other', { ...spec, ...byDefault, label: 'other' }, 'team-b');
    await world.ready('CloudVolume', 'other', 10 * minute, 'team-b');
    await world.patch('CloudVolume', 'other', { spec: { adopt: { id: Number(status?.['id']) } } }, 'team-b');
    await world.clock.advance(minute);
    await world.delete('CloudVolume', 'data', 'team-b');
    await world.clock.advance(10_000);
    await world.delete('CloudVolume', 'other', 'team-b');
    await world.gone('CloudVolume', 'data', 5 * minute, 'team-b');
    expect(ids()).not.toContain(Number(status?.['id']));
  });
  it('where it was deleted before the old one was', async () => {
    await asked(byDefault);
    await world.delete('CloudVolume', 'shop-data');
    await world.clock.advance(5000);
    await world.delete('CloudVolume', 'data');
    await world.gone('CloudVolume', 'data', 5 * minute);
    expect(ids()).toEqual([]);
  });
  it('where it takes its wish back right before', async () => {
    await waiting(byDefault);
    await world.patch('CloudVolume', 'shop-data', { spec: { adopt: null } });
    await world.delete('CloudVolume', 'shop-data');
    await world.gone('CloudVolume', 'data', 5 * minute);
    expect(ids()).toEqual([]);
  });
  it('where a status that was noted for another object says so', async () => {
    await begin();
    await world.apply('CloudVolume', 'data', volume);
    await world.ready('CloudVolume', 'data');
    await world.delete('CloudVolume', 'data');
    const forged = { status: { keptFor: 'another-uid gone-uid shop-data' } };
    await world.admin('PATCH', `${world.path('CloudVolume', 'team-a', 'data')}/status`, forged);
    await world.gone('CloudVolume', 'data', 2 * minute);
    expect(ids()).toEqual([]);
  });
});

it('many that were to be handed over are held together, where those that ask for them are deleted with Delete', async () => {
  await begin();
  const names = Array.from({ length: 14 }, (_, at) => `data-${at}`);
  for (const name of names) await world.apply('CloudVolume', name, { ...volume, label: name });
  for (const name of names) {
    const { status } = await world.ready('CloudVolume', name, 10 * minute);
    await world.apply('CloudVolume', `shop-${name}`, { ...volume, ...cannotTake, label: name, adopt: { id: Number(status?.['id']) } });
  }
  await world.clock.advance(minute);
  for (const name of names) await world.delete('CloudVolume', name);
  await world.reason('CloudVolume', 'data-13', 'ReferenceNotReady', minute);
  for (const name of names) await world.delete('CloudVolume', `shop-${name}`);
  await world.reason('CloudVolume', 'data-13', 'DeletionHeld', 2 * minute);
  expect(deletes()).toBe(0);
});

const document = (kind: string, name: string, spec: object): string =>
  JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind, metadata: { name, namespace: 'team-a' }, spec });
describe('a plan of its deletion alone', () => {
  it.each([
    ['what is deleted then', {}, ` --endpoint ${endpoint}`, { action: 'delete', calls: [{ method: 'DELETE' }] }],
    ['what stays then', byDefault, ` --endpoint ${endpoint}`, { action: 'retain', calls: [] }],
    ['what stays then, against the cluster', byDefault, ' --against cluster', { action: 'retain' }],
    ['what is deleted then, against the cluster', {}, ' --against cluster', { action: 'delete' }],
  ])('names %s', async (_, more, against, last) => {
    const id = await waiting(more);
    const files = {
      'none.yaml': document('CloudTag', 'x', { label: 'some-tag' }),
      'new.yaml': document('CloudVolume', 'shop-data', { ...volume, ...cannotTake, adopt: { id }, ...more }),
    };
    const { objects } = dataOf(
      await cloud(world, `plan -f none.yaml --base new.yaml${against} -o json`, { files, limit: 5 * minute }),
    ) as unknown as PlanData;
    expect(objects).toMatchObject([{ name: 'x' }, { name: 'shop-data' }, { name: 'data', ...last }]);
  });
});
