import { beforeEach, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { connectedWorld } from '../../support/world/connected-world.ts';
import type { KubeObject } from '../../support/world/custom-object.ts';
import { exported, restore } from '../../support/world/gitops.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

// No event tells any more, or yet, what came in the place of a configuration that is gone: what no object has beside it does.
const minute = 60_000;
const kind = 'CloudInstanceConfig';
const machine = { region: 'us-east', type: 'g6-standard-1', label: 'web' };
let world: World;
let admin: CloudUser;
let operator: RunningOperator;
let id: number;
beforeEach(async () => {
  ({ world, operator } = await connectedWorld());
  admin = new CloudUser(world, 'token-admin');
});

const made = async (path: string, body: object): Promise<number> => Number((await admin.post(path, { ...body }))['id']);
const labels = (): readonly string[] =>
  world.emulator.control.rows('configs').map((row) => (row as unknown as { readonly label: string }).label);
const said = async (of = world): Promise<unknown> =>
  (await of.get(kind, 'main')).status?.conditions?.find(({ type }) => type === 'Synced')?.message;

/** The operator has taken the machine and its configuration over; `then` is what the configuration is called. */
async function imported(): Promise<void> {
  id = await made('/vm/instances', machine);
  await world.clock.advance(minute);
  const config = await made(`/vm/instances/${id}/configs`, { label: 'main', devices: {} });
  await world.apply('CloudInstance', 'web', { ...machine, backupsEnabled: true, adopt: { id } });
  await world.apply(kind, 'main', { instanceRef: { name: 'web' }, devices: {}, label: 'then', adopt: { id: config } });
  await world.ready('CloudInstance', 'web');
  await world.ready(kind, 'main');
}
async function renamed(label: string): Promise<void> {
  await world.patch(kind, 'main', { spec: { label } });
  await world.ready(kind, 'main');
}
/** Takes a backup, has the configuration renamed after that, and resolves to what puts the backup back in place. */
async function backedUp(): Promise<() => Promise<unknown>> {
  const backup = await made(`/vm/instances/${id}/backups`, { label: 'before' });
  await world.clock.advance(5 * minute);
  await renamed('main');
  return () => made(`/vm/instances/${id}/backups/${backup}/restore`, { vm_id: id, overwrite: true });
}
/** Somebody deletes it, and it is made anew by itself. */
async function madeAnew(): Promise<void> {
  await admin.delete(String((await world.get(kind, 'main')).status?.['path']));
  await world.clock.runUntil(async () => Number((await world.get(kind, 'main')).status?.['remotesBefore']) >= 1, 30 * minute);
  await world.ready(kind, 'main', 60 * minute);
  await world.clock.advance(5 * minute);
}
/** As a restore of the cluster's own store does. */
async function putBack({ spec, status, metadata: { annotations } }: KubeObject): Promise<void> {
  operator.kill();
  const now = await world.get(kind, 'main');
  const path = world.path(kind, 'team-a', 'main');
  await world.admin('PUT', path, { ...now, metadata: { ...now.metadata, annotations }, spec });
  await world.admin('PUT', `${path}/status`, { ...(await world.get(kind, 'main')), status });
  operator = await world.start();
  await world.clock.advance(90 * minute);
}

it('what an object had last is not made a second time where the cluster forgot it', async () => {
  await imported();
  const before = await world.get(kind, 'main');
  await renamed('main');
  await madeAnew();
  await putBack(before);
  expect(labels()).toEqual(['main']);
  expect(await said()).toMatch(/No object has \d+ of \/vm\/instances\/\d+ \(\d+: main\): spec.adopt: \{id: \d+\} takes that over/);
});

it('nor where nothing was adopted', async () => {
  await world.apply('CloudInstance', 'web', machine);
  await world.apply(kind, 'main', { instanceRef: { name: 'web' }, label: 'then', devices: {} });
  const before = await world.ready(kind, 'main');
  await renamed('main');
  await madeAnew();
  await putBack(before);
  expect(labels()).toEqual(['main']);
  expect(await said()).toMatch(/No object has \d+ .*To have it made anew, empty, annotate cloudhosting.dev\/recreate=<time>/);
  await world.patch(kind, 'main', { metadata: { annotations: { 'cloudhosting.dev/recreate': 'now' } } });
  await world.ready(kind, 'main');
  expect(labels().toSorted()).toEqual(['main', 'then']);
});

it('a backup of the objects from before a machine was restored has nothing made beside what came with that', async () => {
  await imported();
  const putInPlace = await backedUp();
  const objects = exported(world, { annotations: true });
  await putInPlace();
  await world.clock.advance(20 * minute);
  operator.kill();
  const secrets = '/api/v1/namespaces/cloud-operator/secrets';
  const { data } = (await world.admin('GET', `${secrets}/cloud-operator-key`)) as unknown as { readonly data: unknown };
  const other = await World.create({ beside: world });
  const metadata = { name: 'cloud-operator-key', namespace: 'cloud-operator' };
  await other.admin('POST', secrets, { apiVersion: 'v1', kind: 'Secret', metadata, data });
  await other.account();
  await other.start();
  await restore(other, objects.toReversed());
  await other.clock.advance(60 * minute);
  expect(labels()).toEqual(['then']);
  expect(await said(other)).toMatch(/No object has \d+ of \/vm\/instances\/\d+ \(\d+: then\)/);
});

it('nor while events cannot be read', async () => {
  await imported();
  const putInPlace = await backedUp();
  world.emulator.control.addFault({
    match: { method: 'GET', template: '/account/events' },
    times: 100_000,
    effect: { kind: 'answer', status: 503 },
  });
  await putInPlace();
  await world.clock.advance(90 * minute);
  expect(labels()).toEqual(['then']);
});

it('nor where the clock of the service is an hour behind', async () => {
  world.emulator.control.setClockSkew(-3600);
  await world.clock.advance(minute);
  await imported();
  await (
    await backedUp()
  )();
  await world.clock.advance(90 * minute);
  expect(labels()).toEqual(['then']);
});

it('what was never adopted is not made beside what came with a machine that was restored under another id', async () => {
  await world.apply('CloudInstance', 'web', { ...machine, lifecycle: { onMissing: 'Stall' } });
  id = Number((await world.ready('CloudInstance', 'web')).status?.['id']);
  await world.apply(kind, 'main', { instanceRef: { name: 'web' }, devices: {}, label: 'main' });
  await world.ready(kind, 'main');
  await admin.delete(`/vm/instances/${id}`);
  await world.reason('CloudInstance', 'web', 'RemoteMissing', 30 * minute);
  const restored = await made('/vm/instances', machine);
  await world.clock.advance(minute);
  await made(`/vm/instances/${restored}/configs`, { label: 'then', devices: {} });
  await world.patch('CloudInstance', 'web', {
    spec: { adopt: { id: restored } },
    metadata: { annotations: { 'cloudhosting.dev/recreate': 'now' } },
  });
  await world.ready('CloudInstance', 'web', 30 * minute);
  await world.clock.advance(60 * minute);
  expect(labels()).toEqual(['then']);
  expect(await said()).toContain('nothing tells whether /vm/instances/');
});
