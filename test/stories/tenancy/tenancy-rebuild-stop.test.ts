import { expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

// Rebuilds of their own machines, which they ask for and confirm themselves, through the operator.
const [platform, victim] = ['platform', 'team-a'];
const accountRef = { name: 'default', namespace: platform };
const hour = 3_600_000;
it.each([[{ 'team-b': 5, 'team-c': 5 }], [{ 'team-b': 8, 'team-c': 3 }], [{ 'team-b': 8 }]])(
  'rebuilds of %j hold no create of another namespace, nor their own',
  async (disks) => {
    const world = await World.create({ emulator: { speed: 10 } });
    for (const name of [platform, 'team-b', 'team-c']) await world.namespace(name);
    await world.account({ access: [{ namespaces: [victim, 'team-b', 'team-c'] }] }, platform);
    await world.start();
    await world.ready('CloudAccount', 'default', 60_000, platform);
    const machine = { accountRef, region: 'us-southeast', type: 'g6-standard-4', lifecycle: { onDelete: 'Delete' } };
    const disk = { accountRef, instanceRef: { name: 'web' }, sizeMB: 1000, filesystem: 'ext4' };
    for (const [ns, count] of Object.entries(disks)) {
      await world.secret('root', { password: 'correct-Horse-7-battery' }, ns);
      await world.apply('CloudInstance', 'web', machine, ns);
      await world.ready('CloudInstance', 'web', hour, ns);
      for (let i = 0; i < count; i++) await world.apply('CloudDisk', `d${i}`, { ...disk, lifecycle: { onMissing: 'Recreate' } }, ns);
      for (let i = 0; i < count; i++) await world.ready('CloudDisk', `d${i}`, hour, ns);
      await world.patch(
        'CloudInstance',
        'web',
        { spec: { image: 'vm/debian11', rootPasswordSecretRef: { name: 'root', key: 'password' } } },
        ns,
      );
    }
    await world.clock.advance(60_000);
    const notAfter = new Date(world.clock.now() + 2 * hour).toISOString().replace(/\.\d+Z$/, 'Z');
    for (const ns of Object.keys(disks))
      await world.apply('CloudOperation', 'rb', { accountRef, action: 'RebuildInstance', target: { name: 'web' }, notAfter }, ns);
    await world.clock.advance(60_000);
    for (const ns of Object.keys(disks)) {
      const { status } = await world.get('CloudOperation', 'rb', ns);
      await world.patch(
        'CloudOperation',
        'rb',
        { metadata: { annotations: { 'cloudhosting.dev/confirm': String(status?.['challenge']) } } },
        ns,
      );
    }
    await world.clock.advance(1_200_000);
    await world.apply('CloudInstance', 'web', machine, victim);
    await world.ready('CloudInstance', 'web', hour, victim);
    await world.apply('CloudDisk', 'own', disk, victim);
    await world.clock.advance(600_000);
    const reasonIn = async (ns: string, name: string) => (await world.condition('CloudDisk', name, 'Synced', ns))?.reason;
    const last = await Promise.all(Object.entries(disks).map(([ns, count]) => reasonIn(ns, `d${count - 1}`)));
    expect(await reasonIn(victim, 'own')).toBe('Available');
    // What a rebuild leaves of the machine's room is too little for them, which the service says.
    expect(last.map((reason) => reason === 'DeletionHeld')).toEqual(last.map(() => false));
  },
);
