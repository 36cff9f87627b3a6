import { beforeEach, describe, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

const password = 'Canary+Horse/9 "Battery"&=';
const forms = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
];
const instance = {
  region: 'eu-central',
  type: 'g6-nanode-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: { name: 'root', key: 'password' },
};
let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.secret('root', { password });
});
/** All that people and machines can read, but the Secrets themselves. */
async function readable(): Promise<string> {
  const objects = await Promise.all(['CloudInstance', 'CloudAccount'].map((kind) => world.admin('GET', world.path(kind))));
  const requests = world.server.ledger.requests.map(({ path }) => path);
  const all = JSON.stringify([objects, world.log, world.panics.map(String), world.server.objects('/events'), requests]);
  return `${all}\n${JSON.parse(JSON.stringify(all))}`;
}
async function nothingLeaks(): Promise<void> {
  const text = await readable();
  for (const secret of [password, 'token-admin'])
    for (const form of forms(secret)) expect({ form, shown: text.includes(form) }).toEqual({ form, shown: false });
}

describe('no secret is shown', () => {
  it.each([400, 401, 403, 429, 500, 503])('though an answer with status %i echoes it in every form', async (status) => {
    const said = [...forms(password), ...forms('token-admin')].join(' and ');
    const body = JSON.stringify({ errors: [{ field: 'root_pass', reason: `root_pass ${said} is not good enough` }] });
    world.emulator.control.addFault({
      match: { method: 'POST', path: '/vm/instances', username: 'admin' },
      effect: { kind: 'answer', status, body },
    });
    await world.apply('CloudInstance', 'web', instance);
    await world.clock.advance(200_000);
    // Throttling is the account's matter and is never written on objects.
    expect((await world.get('CloudInstance', 'web')).status?.conditions === undefined).toBe(status === 429);
    await nothingLeaks();
  });
  it('though an answer that is no JSON repeats the whole request', async () => {
    world.emulator.control.addFault({
      match: { method: 'POST', path: '/vm/instances', username: 'admin' },
      effect: { kind: 'answer', status: 400, body: `<html>${forms(password).join(' ')} Bearer token-admin</html>` },
    });
    await world.apply('CloudInstance', 'web', instance);
    await world.clock.advance(200_000);
    await nothingLeaks();
  });
});
