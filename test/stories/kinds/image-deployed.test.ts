import { beforeEach, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

const hour = 3_600_000;
const password = { password: 'correct-horse-Battery-9-staple' };
const rootPasswordSecretRef = { name: 'root', key: 'password' };
const machine = { region: 'eu-central', type: 'g6-standard-1' };
const fromGolden = { ...machine, imageRef: { name: 'golden' }, rootPasswordSecretRef };
const theirs = { ...fromGolden, accountRef: { name: 'default', namespace: 'team-a' }, imageRef: { name: 'golden', namespace: 'team-a' } };

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account({ access: [{ namespaces: ['team-b'], adopt: 'None' }] });
  await world.namespace('team-b');
  await world.start();
  for (const namespace of ['team-a', 'team-b']) await world.secret('root', password, namespace);
  await world.apply('CloudInstance', 'bare', machine);
  await world.apply('CloudDisk', 'root', { instanceRef: { name: 'bare' }, sizeMB: 1000 });
  await world.apply('CloudImage', 'golden', { capture: { diskRef: { name: 'root' } } });
});
const sent = (end: string) =>
  world.emulator.control
    .requests()
    .filter(({ method, path, username }) => method === 'POST' && username === 'admin' && path.endsWith(end))
    .map(({ status, body }) => [status, (JSON.parse(body) as { image?: string }).image]);
const deployed = () => sent('/vm/instances').filter(([, image]) => image !== undefined);
const imageId = async () => String((await world.ready('CloudImage', 'golden')).status?.['id']);

it('an instance and a disk wait until the image is available, and nothing is refused', async () => {
  await world.apply('CloudInstance', 'web', fromGolden);
  await world.apply('CloudDisk', 'copy', {
    instanceRef: { name: 'bare' },
    sizeMB: 3000,
    imageRef: { name: 'golden' },
    rootPasswordSecretRef,
  });
  await world.clock.runUntil(async () => (await world.get('CloudImage', 'golden')).status?.['state'] === 'creating', 120_000);
  await world.clock.advance(10_000);
  const waits = (await world.condition('CloudInstance', 'web', 'Synced'))?.message;
  expect(waits).toContain('spec.imageRef: CloudImage golden can be used once its status.state is available, and it is creating');
  const id = await imageId();
  await world.ready('CloudInstance', 'web');
  await world.ready('CloudDisk', 'copy');
  expect(deployed()).toEqual([[200, id]]);
  expect(sent('/disks').filter(([, image]) => image !== undefined)).toEqual([[200, id]]);
});

it('an image that is made anew erases nothing, and is deployed by an operation that a person confirms', async () => {
  const id = await imageId();
  await world.apply('CloudInstance', 'web', { ...fromGolden, lifecycle: { approve: ['InPlace', 'Reboot', 'Rebuild'] } });
  await world.ready('CloudInstance', 'web');
  await world.emulator.control.actAs({ username: 'colleague', method: 'DELETE', path: `/v4/images/${id}` });
  await world.reason('CloudImage', 'golden', 'RemoteMissing');
  await world.patch('CloudImage', 'golden', { metadata: { annotations: { 'cloudhosting.dev/recreate': 'now' } } });
  await world.clock.runUntil(async () => (await world.get('CloudImage', 'golden')).status?.['id'] !== undefined, hour);
  const second = await imageId();
  expect(second).not.toBe(id);
  await world.clock.advance(hour);
  expect(sent('/rebuild')).toEqual([]);
  expect(await world.condition('CloudInstance', 'web', 'Synced')).toMatchObject({ status: 'True' });
  const notAfter = new Date(world.clock.now() + hour).toISOString().replace(/\.\d+Z$/, 'Z');
  await world.apply('CloudOperation', 'again', { action: 'RebuildInstance', target: { name: 'web' }, notAfter });
  const challenge = async () => (await world.get('CloudOperation', 'again')).status?.['challenge'];
  await world.clock.runUntil(async () => (await challenge()) !== undefined, 60_000);
  await world.patch('CloudOperation', 'again', { metadata: { annotations: { 'cloudhosting.dev/confirm': String(await challenge()) } } });
  await world.ready('CloudOperation', 'again');
  expect(sent('/rebuild')).toEqual([[200, second]]);
});

it('another namespace deploys it where it admits that, and not else', async () => {
  const id = await imageId();
  await world.apply('CloudInstance', 'web', theirs, 'team-b');
  const { message } = await world.reason('CloudInstance', 'web', 'ReferenceNotReady', 60_000, 'team-b');
  expect(message).toContain('is not found, or does not admit namespace team-b');
  expect(message).not.toContain(id);
  await world.clock.advance(600_000);
  expect(deployed()).toEqual([]);
  await world.patch('CloudImage', 'golden', { spec: { allowedRefs: { namespaces: ['team-b'] } } });
  await world.ready('CloudInstance', 'web', 600_000, 'team-b');
  expect(deployed()).toEqual([[200, id]]);
});
