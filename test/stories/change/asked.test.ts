import { beforeEach, describe, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
});
const look = (at: string): Promise<unknown> =>
  world.patch('CloudVolume', 'data', { metadata: { annotations: { 'cloudhosting.dev/reconcile-at': at } } });
const reads = (path: string): number =>
  world.emulator.control.requests().filter((request) => request.method === 'GET' && request.path === path && request.username === 'admin')
    .length;

describe('annotation reconcile-at', () => {
  it('reads the remote itself, once, and finds what no event told', async () => {
    await world.apply('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20, tags: ['prod'] });
    const path = String((await world.ready('CloudVolume', 'data')).status?.['path']);
    await world.clock.advance(400_000);
    world.emulator.control.addFault({ match: { action: 'volume_update' }, effect: { kind: 'lost' } });
    await world.emulator.control.actAs({ username: 'colleague', method: 'PUT', path: `/v4${path}`, body: { tags: ['theirs'] } });
    const before = reads(path);
    await look('2026-01-01T00:10:00Z');
    await world.clock.advance(1000);
    expect(reads(path)).toBe(before + 1);
    expect(world.emulator.control.rows('volumes')).toMatchObject([{ tags: expect.arrayContaining(['prod']) }]);
    const after = reads(path);
    await world.clock.advance(120_000);
    expect(reads(path)).toBe(after);
  });
  it('is noted once it was done, with what was seen then', async () => {
    await world.apply('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20, tags: ['prod'] });
    const path = String((await world.ready('CloudVolume', 'data')).status?.['path']);
    const handled = async (): Promise<unknown> => (await world.get('CloudVolume', 'data')).status?.['lastHandledReconcileAt'];
    expect(await handled()).toBeUndefined();
    world.emulator.control.addFault({ match: { method: 'GET', path }, times: 1, effect: { kind: 'delay', seconds: 5 } });
    await look('first');
    await world.clock.advance(4000);
    expect(await handled()).toBeUndefined();
    await world.clock.advance(3000);
    expect(await handled()).toBe('first');
    // No time, and nothing that a status should repeat.
    await look('x'.repeat(101));
    await world.clock.advance(10_000);
    expect(await handled()).toBe('first');
  });
  it('on the account reads each list once, whatever hangs on it, and finds what no event told', async () => {
    const names = Array.from({ length: 100 }, (_, n) => `v${n}`);
    for (const name of names) await world.apply('CloudVolume', name, { region: 'eu-central', sizeGiB: 20, tags: ['prod'] });
    for (const name of names) await world.ready('CloudVolume', name);
    const path = String((await world.get('CloudVolume', 'v7')).status?.['path']);
    await world.clock.advance(400_000);
    world.emulator.control.addFault({ match: { action: 'volume_update' }, effect: { kind: 'lost' } });
    await world.emulator.control.actAs({ username: 'colleague', method: 'PUT', path: `/v4${path}`, body: { tags: ['theirs'] } });
    const before = world.emulator.control.requests().length;
    await world.patch('CloudAccount', 'default', { metadata: { annotations: { 'cloudhosting.dev/reconcile-at': 'now' } } });
    await world.clock.advance(60_000);
    const sent = world.emulator.control
      .requests()
      .slice(before)
      .filter((one) => one.username === 'admin' && !one.path.endsWith('/events'));
    expect(sent.filter((one) => one.path === '/volumes')).toHaveLength(1);
    expect(sent.length).toBeLessThanOrEqual(1 + 20);
    expect(sent.filter(({ method }) => method === 'PUT').map((one) => one.path)).toEqual([path]);
    expect((await world.get('CloudAccount', 'default')).status?.['lastHandledReconcileAt']).toBe('now');
  });
  it('takes up a contested field again', async () => {
    await world.apply('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20, tags: ['prod'] });
    const path = String((await world.ready('CloudVolume', 'data')).status?.['path']);
    for (let round = 0; round < 4; round += 1) {
      await world.clock.advance(120_000);
      await world.emulator.control.actAs({ username: 'colleague', method: 'PUT', path: `/v4${path}`, body: { tags: ['theirs'] } });
      await world.clock.advance(60_000);
    }
    await world.reason('CloudVolume', 'data', 'Contested');
    await look('now');
    await world.ready('CloudVolume', 'data', 30_000);
    await world.reason('CloudVolume', 'data', 'Available', 30_000);
  });
});

const text = (value: string): string => Buffer.from(value).toString('base64');
const key = (of: string) => ({ name: 'login', key: of });
const ask = (kind: string, name: string): Promise<unknown> =>
  world.patch(kind, name, { metadata: { annotations: { 'cloudhosting.dev/reconcile-at': 'now' } } });

describe('annotation reconcile-at, of what objects take out of Secrets and give out', () => {
  it('reads a corrected Secret anew', async () => {
    await world.secret('login', { username: 'ops', password: 'before' });
    await world.apply('CloudManagedCredential', 'ops', { usernameSecretRef: key('username'), passwordSecretRef: key('password') });
    await world.ready('CloudManagedCredential', 'ops');
    await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/login', { data: { password: text('corrected') } });
    await ask('CloudManagedCredential', 'ops');
    await world.clock.advance(10_000);
    expect(world.emulator.control.rows('managed credentials')).toMatchObject([{ password: 'corrected' }]);
  });
  it('sees that what was given out is lost, and writes it again', async () => {
    const outputs = [{ configMapName: 'data-env', keys: { DEVICE: 'device-path' } }];
    await world.apply('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20, outputs });
    await world.ready('CloudVolume', 'data');
    await world.admin('DELETE', '/api/v1/namespaces/team-a/configmaps/data-env');
    await ask('CloudVolume', 'data');
    await world.clock.advance(10_000);
    const maps = world.server.objects('/configmaps').map(({ metadata }) => metadata.name);
    expect(maps).toContain('data-env');
  });
});
