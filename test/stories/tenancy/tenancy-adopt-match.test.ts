import { expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

// team-b may adopt nothing. It let go of a volume, which team-a (adopt: Any) is to adopt by spec.adopt.match and waits (paused).
const [platform, victim, tenant] = ['platform', 'team-a', 'team-b'];
const spec = { accountRef: { name: 'default', namespace: platform }, region: 'eu-central', sizeGiB: 20 };
const hour = 3_600_000;
it.each(['id', 'match'] as const)(
  'what another object is to adopt by its %s stays when a bare object with a finalizer is deleted while the account recovers',
  async (by) => {
    const world = await World.create({ emulator: { speed: 10 } });
    for (const name of [platform, tenant]) await world.namespace(name);
    await world.account({ access: [{ namespaces: [victim], adopt: 'Any' }, { namespaces: [tenant] }] }, platform);
    const operator = await world.start();
    await world.ready('CloudAccount', 'default', 60_000, platform);
    const rows = () => world.emulator.control.rows('volumes') as unknown as { id: number; label: string }[];
    await world.apply('CloudVolume', 'gift', { ...spec, lifecycle: { onDelete: 'Retain' } }, tenant);
    await world.ready('CloudVolume', 'gift', hour, tenant);
    await world.delete('CloudVolume', 'gift', tenant);
    await world.gone('CloudVolume', 'gift', hour, tenant);
    await world.clock.advance(600_000);
    const [{ id, label } = { id: 0, label: '' }] = rows();
    operator.kill();
    await world.patch('CloudAccount', 'default', { spec: { recover: true } }, platform);
    const object = (name: string, namespace: string, metadata: object, more: object) =>
      world.admin('POST', world.path('CloudVolume', namespace), {
        apiVersion: 'cloudhosting.dev/v1alpha1',
        kind: 'CloudVolume',
        metadata: { name, namespace, ...metadata },
        spec: { ...spec, ...more },
      });
    await object(
      'shop',
      victim,
      { annotations: { 'cloudhosting.dev/pause': 'true' } },
      { adopt: by === 'id' ? { id } : { match: { label } } },
    );
    await object('gift', tenant, { finalizers: ['cloudhosting.dev/remote'] }, { lifecycle: { onDelete: 'Delete' } });
    await world.delete('CloudVolume', 'gift', tenant);
    await world.start();
    await world.clock.advance(hour);
    expect(rows().map((row) => row.id)).toEqual([id]);
  },
);
