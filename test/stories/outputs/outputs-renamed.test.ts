import { beforeEach, describe, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

const minute = 60_000;
const kind = 'CloudVolume';
const at = '/api/v1/namespaces/team-a/configmaps';

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
});
const spec = (more: object = {}): Record<string, unknown> => ({
  region: 'eu-central',
  label: 'data',
  outputs: [{ configMapName: 'disk', keys: { DISK: 'device-path' } }],
  lifecycle: { onDelete: 'Retain' },
  ...more,
});

describe('a ConfigMap of outputs', () => {
  it('is the renamed object’s as soon as the cluster has taken away that of the object before', async () => {
    await world.apply(kind, 'old', spec());
    const { status } = await world.ready(kind, 'old');
    // Between two sweeps of the account, which would look at it as well.
    await world.clock.advance(10 * minute + 30_000);
    await world.apply(kind, 'new', spec({ adopt: { id: Number(status?.['id']) } }));
    await world.reason(kind, 'new', 'AlreadyClaimed');
    await world.delete(kind, 'old');
    await world.gone(kind, 'old');
    await world.ready(kind, 'new', 15_000);
    const { data, metadata } = (await world.admin('GET', `${at}/disk`)) as unknown as { data: object; metadata: object };
    expect(data).toEqual({ DISK: '/dev/disk/by-id/scsi-0Vm_Volume_data' });
    expect(metadata).toMatchObject({ ownerReferences: [{ name: 'new' }] });
  });
  it('that stays although its label names an object that is gone is for a person, after two minutes', async () => {
    const metadata = { name: 'disk', namespace: 'team-a', labels: { 'cloudhosting.dev/owner-uid': 'nobody' } };
    await world.admin('POST', at, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { DISK: 'theirs' } });
    await world.apply(kind, 'new', spec());
    expect((await world.reason(kind, 'new', 'Busy', minute)).message).toContain('was written by an object that is gone');
    await world.reason(kind, 'new', 'AlreadyExists', 4 * minute);
    expect(await world.admin('GET', `${at}/disk`)).toMatchObject({ data: { DISK: 'theirs' } });
  });
  it('two of them are, too, and are not waited for by turns for ever', async () => {
    for (const name of ['disk', 'more']) {
      const metadata = { name, namespace: 'team-a', labels: { 'cloudhosting.dev/owner-uid': 'nobody' } };
      await world.admin('POST', at, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { DISK: 'theirs' } });
    }
    const outputs = ['disk', 'more'].map((configMapName) => ({ configMapName, keys: { DISK: 'device-path' } }));
    await world.apply(kind, 'new', spec({ outputs }));
    await world.reason(kind, 'new', 'AlreadyExists', 4 * minute);
  });
});

async function refused(of: string, name: string, by: string): Promise<void> {
  const { message } = await world.reason(of, name, 'AlreadyExists');
  expect(message).toContain(`is written by ${of} ${by}, and one object has it`);
  // Between two looks that would come anyway.
  await world.clock.advance(90_000);
}

describe('what was refused for a Secret or a ConfigMap that another object writes', () => {
  const bucketAccess = [{ bucketRef: { name: 'assets' }, permissions: 'read_write' }];
  const key = (name: string) => ({ bucketAccess, label: `key-${name}`, secretName: 'rk-secret', lifecycle: { onDelete: 'Delete' } });
  it('is looked at as soon as that object has gone', async () => {
    await world.apply('CloudBucket', 'assets', { cluster: 'eu-central-1' });
    await world.apply('CloudObjectKey', 'rk', key('rk'));
    await world.ready('CloudObjectKey', 'rk');
    await world.apply('CloudObjectKey', 'rk-v2', key('rk-v2'));
    await refused('CloudObjectKey', 'rk-v2', 'rk');
    await world.delete('CloudObjectKey', 'rk');
    await world.gone('CloudObjectKey', 'rk');
    await world.ready('CloudObjectKey', 'rk-v2', 10_000);
    expect(world.emulator.control.rows('object keys')).toMatchObject([{ label: 'key-rk-v2' }]);
    const { metadata } = (await world.admin('GET', '/api/v1/namespaces/team-a/secrets/rk-secret')) as unknown as { metadata: object };
    expect(metadata).toMatchObject({ ownerReferences: [{ name: 'rk-v2' }] });
  });
  it.each([
    ['takes it out of its spec', { outputs: null }],
    ['names another one in its place', { outputs: [{ configMapName: 'other', keys: { DISK: 'device-path' } }] }],
  ])('is looked at as soon as that object %s', async (_, change) => {
    await world.apply(kind, 'old', spec());
    await world.ready(kind, 'old');
    await world.apply(kind, 'new', spec({ label: 'more' }));
    await refused(kind, 'new', 'old');
    await world.patch(kind, 'old', { spec: change });
    await world.ready(kind, 'new', 10_000);
    const { data } = (await world.admin('GET', `${at}/disk`)) as unknown as { data: object };
    expect(data).toEqual({ DISK: '/dev/disk/by-id/scsi-0Vm_Volume_more' });
  });
});
