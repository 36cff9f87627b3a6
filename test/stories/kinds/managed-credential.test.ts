import { beforeEach, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

const kind = 'CloudManagedCredential';
const spec = {
  usernameSecretRef: { name: 'login', key: 'username' },
  passwordSecretRef: { name: 'login', key: 'password' },
};
const text = (value: string): string => Buffer.from(value).toString('base64');

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.secret('login', { username: 'canary-user-1', password: 'canary-password-1' });
  await world.start();
  await world.ready('CloudAccount', 'default');
});
const rows = (): readonly unknown[] => world.emulator.control.rows('managed credentials');
const sent = (): readonly string[] =>
  world.emulator.control
    .requests()
    .filter(({ username, path, method }) => username === 'admin' && path.startsWith('/managed/') && method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);

it('follows its Secret with one call for both, and nobody can read what it is', async () => {
  await world.apply(kind, 'ops', spec);
  await world.ready(kind, 'ops');
  expect(rows()).toMatchObject([{ username: 'canary-user-1', password: 'canary-password-1' }]);
  await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/login', {
    data: { username: text('canary-user-2'), password: text('canary-password-2') },
  });
  await world.clock.advance(700_000);
  expect(rows()).toMatchObject([{ username: 'canary-user-2', password: 'canary-password-2' }]);
  await world.clock.advance(3_600_000);
  expect(sent()).toEqual(['POST /managed/credentials', 'POST /managed/credentials/1000/update']);
  const objects = ['cloudmanagedcredentials', 'cloudaccounts', 'events', 'configmaps'].flatMap((plural) =>
    world.server.objects(`/${plural}`),
  );
  const told = JSON.stringify([objects, world.log, world.changes, world.outcomes]);
  for (const canary of ['canary-user', 'canary-password', text('canary-').slice(0, 8)]) expect(told).not.toContain(canary);
});

it.each([404, 405])('is revoked where DELETE is answered %i although it is there', async (status) => {
  await world.apply(kind, 'ops', spec);
  await world.ready(kind, 'ops');
  const body = JSON.stringify({ errors: [{ reason: status === 404 ? 'Not found' : 'Method Not Allowed' }] });
  world.emulator.control.addFault({
    match: { method: 'DELETE', path: '/managed/credentials/1000' },
    effect: { kind: 'answer', status, body },
  });
  await world.delete(kind, 'ops');
  await world.gone(kind, 'ops');
  expect(rows()).toEqual([]);
  expect(sent().slice(1)).toEqual(['DELETE /managed/credentials/1000', 'POST /managed/credentials/1000/revoke']);
});

it("of a colleague's with the same label neither password nor life is touched", async () => {
  const colleague = new CloudUser(world);
  await colleague.post('/managed/credentials', { label: 'shared', username: 'theirs', password: 'theirs' });
  await world.apply(kind, 'ops', { ...spec, label: 'shared' });
  await world.reason(kind, 'ops', 'AlreadyExists');
  await world.delete(kind, 'ops');
  await world.gone(kind, 'ops');
  expect(rows()).toMatchObject([{ username: 'theirs', password: 'theirs' }]);
  expect(sent()).toEqual([]);
});

it('of which the answer got lost is taken by its mark, where nobody chose its label', async () => {
  world.emulator.control.addFault({ match: { method: 'POST', path: '/managed/credentials' }, times: 1, effect: { kind: 'lose-answer' } });
  await world.apply(kind, 'ops', spec);
  await world.ready(kind, 'ops');
  expect(sent()).toEqual(['POST /managed/credentials']);
  await world.delete(kind, 'ops');
  await world.gone(kind, 'ops');
  expect(rows()).toEqual([]);
});

it('without a password is not made, but adopted, and its password left alone', async () => {
  const { id } = await new CloudUser(world).post('/managed/credentials', { label: 'shared', username: 'theirs', password: 'theirs' });
  await world.apply(kind, 'ops', { label: 'ops' });
  const { message } = await world.reason(kind, 'ops', 'InvalidSpec');
  expect(message).toContain('spec.passwordSecretRef: a credential that is made needs a password');
  await world.apply(kind, 'theirs', { label: 'shared', adopt: { id } });
  await world.ready(kind, 'theirs');
  await world.delete(kind, 'theirs');
  await world.gone(kind, 'theirs');
  expect(rows()).toMatchObject([{ username: 'theirs', password: 'theirs' }]);
  expect(sent()).toEqual([]);
});
