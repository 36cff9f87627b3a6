import { beforeEach, expect, it } from 'vitest';
import { endpoint, cloud, type Ran } from '../../../support/plugin/cloud-cli.ts';
import { World } from '../../../support/world/world.ts';

const reading = ['get volumes', 'cost', 'orphans', 'events', 'export --to -', 'transfer cancel some-token --as-account'];
const secretPath = '/api/v1/namespaces/team-a/secrets/cloud-token';
let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
});
const typed = (line: string): Promise<Ran> => cloud(world, `${line} --endpoint ${endpoint}`);

it.each(reading)('%s says of a Secret that is not there that it does not exist, and the line that makes it', async (line) => {
  await world.admin('DELETE', secretPath);
  const { exit, err, out } = await typed(line);
  expect([exit, out]).toEqual([4, '']);
  expect(err).toContain('Secret team-a/cloud-token does not exist, so CloudAccount team-a/default has no token');
  expect(err).toContain('read -rs TOKEN && kubectl -n team-a create secret generic cloud-token --from-literal=token="$TOKEN"\n');
  expect(err).toContain('CLOUD_TOKEN');
  expect(err).not.toContain('has no key');
});

it('of a Secret without the key that is named says which keys it has, and the line that puts it in', async () => {
  await world.admin('DELETE', secretPath);
  await world.secret('cloud-token', { 'api-token': 'token-admin' });
  const { exit, err } = await typed('get volumes');
  expect(exit).toBe(4);
  expect(err).toContain('Secret team-a/cloud-token has no key token (it has api-token), so CloudAccount team-a/default has no token');
  expect(err).toContain('read -rs TOKEN && kubectl create secret generic cloud-token --from-literal=token="$TOKEN"');
  expect(err).toContain('kubectl -n team-a patch secret cloud-token');
  expect(err).not.toContain('token-admin');
});

it('the line leads to the cluster of the line that told it', async () => {
  await world.admin('DELETE', secretPath);
  expect((await typed('get volumes --as admin')).err).toContain('kubectl --as=admin -n team-a create secret generic cloud-token ');
});

/** What it shows besides tells that something is missing. */
const isAll = (line: string, out: string): boolean =>
  line.startsWith('history') ? out.includes('\nWhat the account tells is missing: ') : out === '';

const money = ['get volumes', 'invoices', 'payments', 'logins', 'events', 'history cacc/default'];
it.each(money)('%s says of a token that is refused whose it is, and where a valid one goes', async (line) => {
  const own = await cloud(world, `${line} --endpoint ${endpoint}`, { cloudToken: 'not-a-token' });
  expect([own.exit, isAll(line, own.out)]).toEqual([4, true]);
  expect(own.out + own.err).toContain(
    'your own token was refused: it is wrong, expired or revoked. Put a valid one into CLOUD_TOKEN, or name its file with --token-file. The service said: 401 "Invalid Token"\n',
  );
  world.emulator.control.revokeToken('token-admin');
  const { exit, err, out } = await typed(line);
  expect([exit, isAll(line, out)]).toEqual([4, true]);
  expect(out + err).toContain(
    'the token of CloudAccount team-a/default was refused: it is wrong, expired or revoked. Put a valid one into Secret team-a/cloud-token, key token; or put one of your own into CLOUD_TOKEN',
  );
});

it.each([
  ['events', 'account:read_only', 'events:read_only'],
  ['history cacc/default', 'account:read_only', 'events:read_only'],
  ['invoices', 'volumes:read_only', 'account:read_only'],
])('%s with a token of scope %s says that it lacks %s', async (line, scopes, lacked) => {
  world.emulator.control.setToken({ token: 'little', username: 'admin', scopes });
  const { exit, out, err } = await cloud(world, `${line} --endpoint ${endpoint}`, { cloudToken: 'little' });
  expect([exit, isAll(line, out)]).toEqual([4, true]);
  expect(out + err).toContain(
    `your own token lacks scope ${lacked}, which this takes. Put one that has it into CLOUD_TOKEN, or name its file with --token-file. The service said: 401 "Your OAuth token is not authorized`,
  );
});
