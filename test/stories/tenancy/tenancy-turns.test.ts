import { expect, it } from 'vitest';
import type { Backend } from '../../support/virtual/backend.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

const [hog, quiet] = ['hog', 'quiet'];
const turns = 12;
const accountRef = { name: 'default', namespace: 'team-a' };

/** What is asked about objects in buckets takes seconds to be answered, and one is asked at a time. */
const slow = (backend: Backend): Backend => ({
  handle: (request) => backend.handle(request),
  travel: ({ path }) => ({ there: path.includes('/object-acl') ? 15_000 : 0, back: 0 }),
});

it('who has three times as many objects that wait as there are turns keeps no other namespace from its own', async () => {
  const world = await World.create({ turns, between: (server, backend) => (server === 'cloud' ? slow(backend) : backend) });
  const user = new CloudUser(world);
  for (const name of [hog, quiet]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [hog, quiet] }] });
  await world.start();
  await world.apply('CloudBucket', 'assets', { accountRef, cluster: 'eu-central-1', label: 'assets' }, hog);
  await world.ready('CloudBucket', 'assets', 600_000, hog);
  const pictures = Array.from({ length: 3 * turns }, (_, n) => `p${n}`);
  for (const name of pictures) await user.object('eu-central-1/assets', 'PUT', name, 'x');
  for (const object of pictures) {
    const spec = { accountRef, bucketRef: { name: 'assets' }, object, acl: 'public-read' };
    await world.apply('CloudObjectACL', object, spec, hog);
  }
  await world.clock.advance(5000);
  await world.apply('CloudVolume', 'mine', { accountRef, region: 'us-east', sizeGiB: 20 }, quiet);
  await world.ready('CloudVolume', 'mine', 3_600_000, quiet);
  const asked = world.emulator.control.requests().filter(({ path }) => path.endsWith('/object-acl'));
  expect(asked.length).toBeLessThan(pictures.length / 3);
  for (const name of pictures) await world.ready('CloudObjectACL', name, 3_600_000, hog);
  expect(world.panics).toEqual([]);
});

// The service takes one such call at a time, and refuses everybody's calls for a while when a second comes.
it('who has two dozen URLs that are signed at once has no call refused, and no other waits for it', async () => {
  const world = await World.create({ emulator: { knobs: { latencyMilliseconds: 200 } } });
  for (const name of [hog, quiet]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [hog, quiet] }] });
  await world.start();
  await world.apply('CloudBucket', 'assets', { accountRef, cluster: 'eu-central-1', label: 'assets' }, hog);
  await world.ready('CloudBucket', 'assets', 600_000, hog);
  await world.apply('CloudVolume', 'data', { accountRef, region: 'eu-central', sizeGiB: 20 }, quiet);
  await world.ready('CloudVolume', 'data', 600_000, quiet);
  const urls = Array.from({ length: 24 }, (_, n) => `u${n}`);
  for (const object of urls)
    await world.apply('CloudObjectURL', object, { accountRef, bucketRef: { name: 'assets' }, object, expiresInSeconds: 360 }, hog);
  await world.patch('CloudVolume', 'data', { spec: { tags: ['now'] } }, quiet);
  await world.clock.advance(3000);
  expect.soft(world.emulator.control.rows('volumes')).toMatchObject([{ tags: expect.arrayContaining(['now']) as unknown }]);
  for (const name of urls) await world.ready('CloudObjectURL', name, 30_000, hog);
  expect(world.emulator.control.requests().filter(({ status }) => status === 429)).toEqual([]);
});
