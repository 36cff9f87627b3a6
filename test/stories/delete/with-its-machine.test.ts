import { beforeEach, describe, expect, it } from 'vitest';
import { type Condition, World } from '../../support/world/world.ts';

const minute = 60_000;
let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.secret('root', { password: 'Canary-Horse-9-Battery' });
  await world.apply('CloudInstance', 'web', {
    region: 'us-east',
    type: 'g6-nanode-1',
    image: 'vm/debian11',
    rootPasswordSecretRef: { name: 'root', key: 'password' },
  });
  await world.apply('CloudVolume', 'data', { sizeGiB: 20, instanceRef: { name: 'web' }, lifecycle: { onDelete: 'Delete' } });
  for (const kind of ['CloudInstance', 'CloudVolume']) await world.ready(kind, kind === 'CloudVolume' ? 'data' : 'web');
  await world.clock.advance(minute);
});
const changes = (path: string): readonly string[] =>
  world.emulator.control
    .requests()
    .filter((request) => request.method !== 'GET' && request.path.startsWith(path))
    .map(({ method, path: of, status }) => `${method} ${of} ${status}`);
const detaches = (): readonly string[] => changes('/volumes').filter((call) => call.includes('detach'));
/** The machine first, as `kubectl delete -f` does it. */
const bothDeleted = async (): Promise<void> => {
  await world.delete('CloudInstance', 'web');
  await world.clock.advance(500);
  await world.delete('CloudVolume', 'data');
};
const synced = async () =>
  (((await world.get('CloudVolume', 'data')).status?.['conditions'] ?? []) as Condition[]).find(({ type }) => type === 'Synced');

describe('a volume that is deleted with the machine that has it', () => {
  it('waits until it comes free by that, and no call is sent that must be refused', async () => {
    await bothDeleted();
    await world.clock.advance(3000);
    expect(await synced()).toMatchObject({
      reason: 'Deleting',
      message: expect.stringMatching(
        /^it is in use by \/vm\/instances\/\d+, which is being deleted: it comes free with that, and is deleted then$/,
      ),
    });
    await world.gone('CloudVolume', 'data');
    await world.gone('CloudInstance', 'web');
    expect(changes('/')).toEqual([
      expect.stringMatching(/^POST \/vm\/instances 200$/),
      'POST /volumes 200',
      expect.stringMatching(/^DELETE \/vm\/instances\/\d+ 200$/),
      expect.stringMatching(/^DELETE \/volumes\/\d+ 200$/),
    ]);
  });

  it('is detached at once where the machine does not go yet', async () => {
    const { path } = (await world.get('CloudInstance', 'web')).status ?? {};
    world.emulator.control.addFault({
      match: { method: 'DELETE', path: String(path) },
      times: 5,
      effect: { kind: 'answer', status: 503 },
    });
    await bothDeleted();
    await world.gone('CloudVolume', 'data');
    expect(detaches()).toEqual([expect.stringMatching(/ 200$/)]);
    await world.gone('CloudInstance', 'web');
  });

  it('is detached after all where the service does not let go of it', async () => {
    const { id } = (await world.get('CloudInstance', 'web')).status ?? {};
    const { id: volume } = (await world.get('CloudVolume', 'data')).status ?? {};
    await bothDeleted();
    const keep = () =>
      world.emulator.control.edit({ collection: 'volumes', key: Number(volume), row: { vm_id: Number(id), vm_label: 'web' } });
    const kept = async (time: number): Promise<void> => {
      for (const end = world.clock.now() + time; world.clock.now() < end; await world.clock.advance(1000)) keep();
    };
    await kept(4 * minute);
    expect(detaches()).toEqual([]);
    await kept(4 * minute);
    expect(detaches()).not.toEqual([]);
  });
});
