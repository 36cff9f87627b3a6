import { expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

const script = { label: 'nginx', images: ['vm/debian11'], script: '#!/bin/bash\n# <UDF name="hostname" label="The host name" />\ntrue\n' };
const web = {
  region: 'eu-central',
  type: 'g6-standard-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: { name: 'root', key: 'password' },
  stackscriptData: [{ name: 'hostname', value: 'web-1' }],
};
const password = { password: 'correct-horse-Battery-9-staple' };
const made = (world: World) =>
  world.emulator.control
    .requests()
    .filter(({ method, path, username }) => method === 'POST' && path === '/vm/instances' && username === 'admin')
    .map(({ body, status }) => [status, Number(JSON.parse(body).stackscript_id)]);

it('an instance waits for the script that it runs at its first boot, and says so where that is deleted later', async () => {
  const world = await World.create();
  await world.account();
  await world.start();
  await world.secret('root', password);
  await world.apply('CloudInstance', 'web', { ...web, stackscriptRef: { name: 'nginx' } });
  await world.reason('CloudInstance', 'web', 'ReferenceNotReady');
  expect(made(world)).toEqual([]);
  await world.apply('CloudStackScript', 'nginx', { ...script, lifecycle: { onDelete: 'Delete' } });
  const { id } = (await world.ready('CloudStackScript', 'nginx')).status ?? {};
  await world.ready('CloudInstance', 'web');
  expect(made(world)).toEqual([[200, Number(id)]]);
  await world.delete('CloudStackScript', 'nginx');
  await world.gone('CloudStackScript', 'nginx');
  await world.clock.advance(600_000);
  expect((await world.condition('CloudInstance', 'web', 'Ready'))?.status).toBe('True');
  const { status, message } = (await world.condition('CloudInstance', 'web', 'Synced')) ?? {};
  expect(status).toBe('False');
  expect(message).toContain('spec.stackscriptRef: CloudStackScript nginx is not found');
  expect(made(world)).toHaveLength(1);
});

it('a script of another namespace is run where it admits that, and not else', async () => {
  const world = await World.create();
  await world.account({ access: [{ namespaces: ['team-b'], adopt: 'None' }] });
  await world.namespace('team-b');
  await world.start();
  await world.secret('root', password, 'team-b');
  await world.apply('CloudStackScript', 'nginx', script);
  await world.ready('CloudStackScript', 'nginx');
  const foreign = { ...web, accountRef: { name: 'default', namespace: 'team-a' } };
  await world.apply('CloudInstance', 'web', { ...foreign, stackscriptRef: { name: 'nginx', namespace: 'team-a' } }, 'team-b');
  await world.apply('CloudInstance', 'by-id', { ...foreign, stackscriptRef: { external: 1000 } }, 'team-b');
  for (const name of ['web', 'by-id']) await world.reason('CloudInstance', name, 'ReferenceNotReady', 60_000, 'team-b');
  expect(made(world)).toEqual([]);
  await world.patch('CloudStackScript', 'nginx', { spec: { allowedRefs: { namespaces: ['team-b'] } } });
  await world.ready('CloudInstance', 'web', 600_000, 'team-b');
  expect(made(world)).toHaveLength(1);
});
