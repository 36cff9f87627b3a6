import { beforeEach, describe, expect, it } from 'vitest';
import type { Backend } from '../../../support/virtual/backend.ts';
import { cloud, type CliOptions } from '../../../support/plugin/cloud-cli.ts';
import { World } from '../../../support/world/world.ts';

const minute = 60_000;
const volume = { region: 'us-east', sizeGiB: 20 };
let world: World;
beforeEach(async () => {
  world = await World.create();
});

/** `kubectl cloud wait`, and how long it took. */
async function waited(line: string, options: CliOptions = {}) {
  const before = world.clock.now();
  const ran = await cloud(world, `wait ${line}`, { limit: 60 * minute, ...options });
  return { ...ran, took: world.clock.now() - before };
}
const putToken = (token: string) =>
  world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/cloud-token', { data: { token: Buffer.from(token).toString('base64') } });
async function connected(): Promise<void> {
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
}

/** As an API server notes it, which the one in memory does not. */
const writtenAt = (ago: number) => (server: Backend) => ({
  handle: async (request: Parameters<Backend['handle']>[0]) => {
    const answer = await server.handle(request);
    if (!request.path.endsWith('/secrets/cloud-token')) return answer;
    const secret = JSON.parse(String(answer.body)) as { metadata: object };
    const time = new Date(world.clock.now() - ago).toISOString();
    const managedFields = [{ manager: 'kubectl', operation: 'Update', time, fieldsV1: { 'f:data': { 'f:token': {} } } }];
    return { ...answer, body: JSON.stringify({ ...secret, metadata: { ...secret.metadata, managedFields } }) };
  },
});

describe('right after a refused token was put right', () => {
  beforeEach(async () => {
    await connected();
    world.emulator.control.setToken({ token: 'token-new', username: 'admin', scopes: '*' });
    world.emulator.control.revokeToken('token-admin');
    await world.reason('CloudAccount', 'default', 'Unauthorized', 60 * minute);
    await world.apply('CloudVolume', 'data', volume);
    await world.reason('CloudVolume', 'data', 'Unauthorized', 60 * minute);
  });
  it.each(['cvol/data', 'cacc/default'])('wait %s gives the operator the minute in which it reads it, and says so', async (name) => {
    await putToken('token-new');
    const { exit, err, took } = await waited(name);
    expect([exit, err]).toEqual([
      0,
      expect.stringMatching(/Unauthorized: .*Secret team-a\/cloud-token was written since, and the operator reads it every minute/),
    ]);
    expect(took).toBeLessThan(2 * minute);
  });
  it.each(['cvol/data', 'cacc/default'])('wait %s ends after that, where the new one is refused, too', async (name) => {
    await putToken('token-wrong');
    const { exit, out, took } = await waited(name);
    expect([exit, out]).toEqual([1, expect.stringMatching(/needs a person: Unauthorized: .*Invalid Token/)]);
    expect(took).toBeGreaterThanOrEqual(minute);
    expect(took).toBeLessThan(3 * minute);
  });
  it.each(['cvol/data', 'cacc/default'])('and not where it was not touched: wait %s ends at once', async (name) => {
    const { exit, err, took } = await waited(name);
    expect([exit, err]).toEqual([1, expect.not.stringContaining('was written')]);
    expect(took).toBeLessThan(10_000);
  });
  it('or was written long ago, as its time of writing shows', async () => {
    await putToken('token-wrong');
    expect((await waited('cvol/data', { between: writtenAt(10 * minute) })).took).toBeLessThan(10_000);
    await world.clock.advance(minute);
    await putToken('token-new');
    expect(await waited('cvol/data', { between: writtenAt(5_000) })).toMatchObject({ exit: 0 });
  });
  it('or was written before the operator said that it is refused', async () => {
    await putToken('token-new');
    await world.ready('CloudAccount', 'default');
    await putToken('token-wrong');
    await world.reason('CloudAccount', 'default', 'Unauthorized', 60 * minute);
    const { exit, err, took } = await waited('cacc/default', { between: writtenAt(30_000) });
    expect([exit, err]).toEqual([1, expect.not.stringContaining('was written')]);
    expect(took).toBeLessThan(10_000);
  });
  it('and who may not read it is told at once what is wrong', async () => {
    await putToken('token-new');
    world.server.addUser('reader', { name: 'reader' });
    const verbs = ['get', 'list', 'watch'];
    world.server.setGrants([{ to: 'reader', rules: [{ apiGroups: ['cloudhosting.dev'], resources: ['*'], verbs }] }]);
    expect(await waited('cvol/data', { token: 'reader' })).toMatchObject({ exit: 1, out: expect.stringContaining('Unauthorized') });
  });
});

it('wait of an account whose Secret has just been made waits for it', async () => {
  await world.apply('CloudAccount', 'default', {
    endpoint: 'main',
    tokenSecretRef: { name: 'cloud-token', key: 'token' },
    installation: 'tests',
  });
  await world.start();
  await world.reason('CloudAccount', 'default', 'AccountNotReady');
  await world.secret('cloud-token', { token: 'token-admin' });
  expect(await waited('cacc/default')).toMatchObject({
    exit: 0,
    err: expect.stringContaining('Secret team-a/cloud-token was written since'),
  });
});

it('wait of what was refused for the value of a Secret gives the operator the time in which it reads that again', async () => {
  await connected();
  await world.secret('root', { password: 'short' });
  const rootPasswordSecretRef = { name: 'root', key: 'password' };
  await world.apply('CloudInstance', 'web', { region: 'us-east', type: 'g6-nanode-1', image: 'vm/debian11', rootPasswordSecretRef });
  await world.reason('CloudInstance', 'web', 'Rejected');
  expect((await waited('cinst/web')).exit).toBe(1);
  const password = Buffer.from('Correct-Horse-7').toString('base64');
  await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/root', { data: { password } });
  expect(await waited('cinst/web')).toMatchObject({
    exit: 0,
    err: expect.stringContaining('Secret team-a/root was written since, and the operator reads it every five minutes'),
  });
});

describe('what was asked for by an annotation, and no operator has taken up yet', () => {
  it('is waited for: a look at what was refused', async () => {
    await connected();
    const body = JSON.stringify({ errors: [{ reason: 'is not allowed' }] });
    const fault = world.emulator.control.addFault({
      match: { method: 'POST', path: '/volumes' },
      effect: { kind: 'answer', status: 400, body },
    });
    await world.apply('CloudVolume', 'data', volume);
    await world.reason('CloudVolume', 'data', 'Rejected');
    expect(await waited('cvol/data')).toMatchObject({ exit: 1 });
    world.emulator.control.removeFault(fault);
    await world.patch('CloudVolume', 'data', { metadata: { annotations: { 'cloudhosting.dev/reconcile-at': '2026-01-01T00:00:30Z' } } });
    expect(await waited('cvol/data')).toMatchObject({
      exit: 0,
      err: expect.stringContaining('it was asked for a look (annotation reconcile-at), and no operator has taken that up yet'),
    });
  });
  it('is not waited for for ever', async () => {
    await world.account();
    const operator = await world.start();
    await world.apply('CloudVolume', 'data', { ...volume, volumeRef: { name: 'data' } });
    await world.reason('CloudVolume', 'data', 'InvalidSpec');
    operator.kill();
    await world.patch('CloudVolume', 'data', { metadata: { annotations: { 'cloudhosting.dev/reconcile-at': '2026-01-01T00:00:30Z' } } });
    const { exit, took } = await waited('cvol/data');
    expect([exit, took > minute, took < 3 * minute]).toEqual([1, true, true]);
  });
  it('is waited for: the release of what is held', async () => {
    await connected();
    const names = Array.from({ length: 14 }, (_, n) => `v${n}`);
    for (const name of names) await world.apply('CloudVolume', name, { ...volume, lifecycle: { onDelete: 'Delete' } });
    for (const name of names) await world.ready('CloudVolume', name);
    for (const name of names) await world.delete('CloudVolume', name);
    await world.clock.advance(10_000);
    const [hold] = ((await world.get('CloudAccount', 'default')).status?.['held'] ?? []) as { release: string }[];
    await world.patch('CloudAccount', 'default', { metadata: { annotations: { 'cloudhosting.dev/release': hold?.release } } });
    expect(await waited('cvol --for=Deleted')).toMatchObject({ exit: 0 });
  });
});
