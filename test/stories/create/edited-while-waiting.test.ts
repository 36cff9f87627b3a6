import { expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

const machine = {
  region: 'eu-central',
  type: 'g6-nanode-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: { name: 'root', key: 'password' },
};
const most = 40;
const names = Array.from({ length: most }, (_, n) => `node-${n}`);

/** Machines of which many wait for the window of creates. */
async function waiting() {
  const world = await World.create();
  await world.secret('root', { password: 'Corr3ct-Horse-Battery!' });
  await world.account();
  await world.start();
  for (const name of names) await world.apply('CloudInstance', name, machine);
  await world.clock.advance(5000);
  const found = await Promise.all(names.map((name) => world.get('CloudInstance', name)));
  return { world, left: found.filter(({ status }) => status?.['path'] === undefined).map(({ metadata }) => metadata.name) };
}
const created = (world: World): readonly string[] =>
  world.emulator.control.requests().flatMap(({ method, path, body }) => (method === 'POST' && path === '/vm/instances' ? [body] : []));

it('is made of the spec that it has by the time its turn has come', async () => {
  const { world, left } = await waiting();
  expect(left.length).toBeGreaterThan(10);
  const before = created(world).length;
  for (const name of left) await world.apply('CloudInstance', name, { ...machine, label: `${name}-x`, type: 'g6-standard-1' });
  for (const name of names) await world.ready('CloudInstance', name, 3_600_000);
  const since = created(world).slice(before);
  expect(since).toHaveLength(left.length);
  expect(since.filter((body) => !body.includes('-x"') || !body.includes('"g6-standard-1"'))).toEqual([]);
});

it('is made with what a Secret holds by then', async () => {
  const { world, left } = await waiting();
  const before = created(world).length;
  const data = { password: Buffer.from('An0ther-Horse-Battery!').toString('base64') };
  await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/root', { data });
  for (const name of names) await world.ready('CloudInstance', name, 3_600_000);
  const since = created(world).slice(before);
  expect(since).toHaveLength(left.length);
  expect(since.slice(-5).filter((body) => !body.includes('An0ther'))).toEqual([]);
});
