import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

const kind = 'CloudImage';
interface Image {
  readonly id: string;
  readonly label: string;
  readonly status: string;
  readonly is_public: boolean;
}
let world: World;
let colleague: CloudUser;
beforeEach(async () => {
  world = await World.create();
  colleague = new CloudUser(world);
  await world.account();
  await world.start();
  await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' });
  await world.apply('CloudDisk', 'root', { instanceRef: { name: 'web' }, sizeMB: 1000 });
});
const images = (): readonly Image[] =>
  (world.emulator.control.rows('images') as unknown as readonly Image[]).filter(({ is_public: everybodys }) => !everybodys);
const sent = (method: string): number =>
  world.emulator.control
    .requests()
    .filter((one) => one.method === method && one.username === 'admin' && one.path.startsWith('/images') && one.status === 200).length;
const capture = { diskRef: { name: 'root' } };

describe('a capture', () => {
  it('waits for its disk, is asked for once, and is Ready when the service is done', async () => {
    await world.apply(kind, 'golden', { label: 'golden', capture });
    await world.clock.runUntil(() => Promise.resolve(images().some(({ status }) => status === 'creating')), 120_000);
    expect((await world.condition(kind, 'golden', 'Ready'))?.status).toBe('False');
    const { status } = await world.ready(kind, 'golden', 300_000);
    expect(images()).toMatchObject([{ id: status?.['id'], label: 'golden', status: 'available' }]);
    expect(status).toMatchObject({ state: 'available', sizeMB: 1 });
    expect(sent('POST')).toBe(1);
  });
  it('that fails says so, is not made again by itself, and is where somebody asks for it', async () => {
    world.emulator.control.setKnobs({ jobFailureRate: 0 });
    await world.ready('CloudDisk', 'root');
    await world.apply(kind, 'golden', { capture });
    await world.clock.runUntil(() => Promise.resolve(images().length > 0), 120_000);
    world.emulator.control.setKnobs({ jobFailureRate: 1 });
    const { message } = await world.reason(kind, 'golden', 'RemoteMissing', 600_000);
    expect(message).toContain('its job disk_imagize failed');
    expect(await world.condition(kind, 'golden', 'Stalled')).toMatchObject({ status: 'True' });
    expect((await world.get(kind, 'golden')).status).not.toHaveProperty('id');
    await world.clock.advance(7_200_000);
    expect(sent('POST')).toBe(1);
    expect((await world.condition(kind, 'golden', 'Synced'))?.message).toContain('its job disk_imagize failed');
    world.emulator.control.setKnobs({ jobFailureRate: 0 });
    await world.patch(kind, 'golden', { metadata: { annotations: { 'cloudhosting.dev/recreate': 'now' } } });
    await world.ready(kind, 'golden');
    expect(images()).toHaveLength(1);
    expect(sent('POST')).toBe(2);
  });
});

it('an image outlives its disk, is not made anew for it, and stays in the account when its object goes', async () => {
  await world.apply(kind, 'golden', { capture });
  await world.ready(kind, 'golden');
  await world.patch('CloudDisk', 'root', { spec: { lifecycle: { onDelete: 'Delete' } } });
  await world.delete('CloudDisk', 'root');
  await world.gone('CloudDisk', 'root');
  await world.clock.advance(900_000);
  expect(sent('POST')).toBe(1);
  await world.delete(kind, 'golden');
  await world.gone(kind, 'golden');
  expect(images()).toHaveLength(1);
  expect(sent('DELETE')).toBe(0);
});

it('one of the same label that somebody else made is neither taken nor deleted, and adopted where a person says so', async () => {
  const { image } = await colleague.post('/images/upload', { label: 'golden', region: 'us-east' });
  const { id } = image as { id: string };
  await world.apply(kind, 'golden', { label: 'golden', capture });
  const { message } = await world.reason(kind, 'golden', 'AlreadyExists');
  expect(message).toContain(id);
  expect(images()).toMatchObject([{ id }]);
  await world.apply(kind, 'golden', { label: 'golden', capture, adopt: { id } });
  await world.clock.runUntil(async () => (await world.get(kind, 'golden')).status?.['id'] === id, 120_000);
  expect((await world.get(kind, 'golden')).status).toMatchObject({ policy: 'Retain', state: 'pending_upload' });
  expect(sent('POST')).toBe(0);
});

it('images of the provider are none: their labels are free', async () => {
  await world.apply(kind, 'debian', { label: 'Debian 11', capture });
  await world.ready(kind, 'debian');
  expect(images()).toMatchObject([{ label: 'Debian 11' }]);
});

it('a tenant captures no disk of another team, by whatever name', async () => {
  await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'], adopt: 'None' }] } });
  await world.namespace('team-b');
  const accountRef = { name: 'default', namespace: 'team-a' };
  const { id } = (await world.ready('CloudDisk', 'root')).status ?? {};
  const named = { byName: { name: 'root' }, byId: { external: Number(id) } };
  for (const [name, diskRef] of Object.entries(named)) {
    await world.apply(kind, name.toLowerCase(), { accountRef, capture: { diskRef } }, 'team-b');
    await world.reason(kind, name.toLowerCase(), 'ReferenceNotReady', 60_000, 'team-b');
  }
  const made = (await colleague.post('/images', { disk_id: Number(id), label: 'theirs' })) as unknown as Image;
  await world.apply(kind, 'thief', { accountRef, adopt: { id: made.id } }, 'team-b');
  await world.clock.advance(600_000);
  expect((await world.get(kind, 'thief', 'team-b')).status).not.toHaveProperty('id');
  expect(images()).toMatchObject([{ id: made.id }]);
  expect(sent('POST') + sent('DELETE')).toBe(0);
});
