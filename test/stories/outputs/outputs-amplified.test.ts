import { expect, it } from 'vitest';
import { connectedWorld } from '../../support/world/connected-world.ts';
import type { World } from '../../support/world/world.ts';

const copies = '{url}'.repeat(200);
const many = Object.fromEntries(Array.from({ length: 32 }, (_, index) => [`COPY_${index}`, copies]));
const spec = (keys: Record<string, string>) => ({
  bucketRef: { name: 'assets' },
  object: 'a'.repeat(1000),
  outputs: [
    { secretName: 'grown', keys },
    { secretName: 'small', keys: { URL: 'url' } },
  ],
});
async function secret(world: World, name: string): Promise<readonly string[] | undefined> {
  const { status, body } = await world.server.as('admin', 'GET', `/api/v1/namespaces/team-a/secrets/${name}`);
  return status === 404 ? undefined : Object.keys(body['data'] ?? {});
}
/** Bodies of requests of the operator are that long at most. */
async function begun(): Promise<{ readonly world: World; readonly longest: () => number }> {
  let longest = 0;
  const { world } = await connectedWorld({
    between: (server, backend) => ({
      handle: (request) => {
        if (server === 'kube') longest = Math.max(longest, request.body.length);
        return backend.handle(request);
      },
    }),
  });
  await world.apply('CloudBucket', 'assets', { cluster: 'eu-central-1', label: 'shop-assets' });
  await world.ready('CloudBucket', 'assets');
  return { world, longest: () => longest };
}

it('a text that grows by what it names is not put together beyond what a Secret can hold, and the others are written', async () => {
  const { world, longest } = await begun();
  await world.apply('CloudObjectURL', 'url', spec(many));
  const { message } = await world.reason('CloudObjectURL', 'url', 'InvalidSpec');
  expect(message).toContain('Secret grown would hold more than 1 MiB');
  expect(await secret(world, 'grown')).toBeUndefined();
  expect(await secret(world, 'small')).toEqual(['URL']);
  expect(longest()).toBeLessThan(100_000);
  await world.apply('CloudObjectURL', 'url', spec({ URLS: copies }));
  await world.ready('CloudObjectURL', 'url');
  expect(await secret(world, 'grown')).toEqual(['URLS']);
});

it('what was written before stays while the new text would be too long', async () => {
  const { world } = await begun();
  await world.apply('CloudObjectURL', 'url', spec({ URLS: 'url' }));
  await world.ready('CloudObjectURL', 'url');
  await world.apply('CloudObjectURL', 'url', spec(many));
  await world.reason('CloudObjectURL', 'url', 'InvalidSpec');
  expect(await secret(world, 'grown')).toEqual(['URLS']);
  expect((await world.get('CloudObjectURL', 'url')).status?.['outputs']).toContainEqual(expect.objectContaining({ name: 'grown' }));
});
