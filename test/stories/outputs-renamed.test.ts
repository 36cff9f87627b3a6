import { beforeEach, describe, expect, it } from 'vitest';
import { World } from '../support/world.ts';

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
