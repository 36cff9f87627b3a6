import { beforeEach, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

// Generators of manifests put a hash of the content into the name of a Secret, so that each new value is a new name.
const passwords = { old: 'Correct-Horse-7-battery', renamed: 'Another-Horse-8-battery' };
const spec = { region: 'eu-central', type: 'g6-nanode-1', image: 'vm/debian11' };
const withPassword = (name: string, more: object = {}) => ({ ...spec, rootPasswordSecretRef: { name, key: 'password' }, ...more });

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  for (const [name, password] of Object.entries(passwords)) await world.secret(name, { password });
  await world.start();
  await world.apply('CloudInstance', 'web', withPassword('old'));
  await world.ready('CloudInstance', 'web');
});
const changing = (): readonly { readonly path: string; readonly body: string }[] =>
  world.emulator.control
    .requests()
    .filter(({ method, username }) => method !== 'GET' && username === 'admin')
    .map(({ path, body }) => ({ path, body }));

it('an instance whose Secret has another name stays as it is, also when the old one goes', async () => {
  const before = changing().length;
  await world.apply('CloudInstance', 'web', withPassword('renamed'));
  await world.admin('DELETE', '/api/v1/namespaces/team-a/secrets/old');
  await world.clock.advance(60 * 60_000);
  await world.ready('CloudInstance', 'web', 60_000);
  expect((await world.condition('CloudInstance', 'web', 'Synced'))?.status).toBe('True');
  expect(changing().slice(before)).toEqual([]);
});

it('the next image is deployed with what the new name holds', async () => {
  await world.apply('CloudInstance', 'web', withPassword('renamed', { image: 'vm/debian10', lifecycle: { approve: ['Rebuild'] } }));
  await world.ready('CloudInstance', 'web');
  const last = changing().at(-1);
  expect(last?.path).toMatch(/\/rebuild$/);
  expect(last?.body).toContain(passwords.renamed);
});
