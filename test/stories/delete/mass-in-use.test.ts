import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { World } from '../../support/world/world.ts';

const [minute, later] = [60_000, 900_000];
const all = Array.from({ length: 14 }, (_, n) => `v${n}`);
let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.secret('root', { password: 'Canary-Horse-9-Battery' });
  const rootPasswordSecretRef = { name: 'root', key: 'password' };
  for (const name of ['web', 'mail', 'db']) {
    await world.apply('CloudInstance', name, { region: 'eu-central', type: 'g6-standard-1', image: 'vm/debian11', rootPasswordSecretRef });
    await world.ready('CloudInstance', name);
  }
  for (const [n, name] of all.entries()) {
    const instanceRef = { name: ['web', 'mail', 'db'][n % 3] };
    await world.apply('CloudVolume', name, { sizeGiB: 20, instanceRef, lifecycle: { onDelete: 'Delete' } });
    await world.ready('CloudVolume', name);
  }
  await world.clock.advance(later);
});
const detached = (): readonly string[] => changesOf(world).filter((call) => call.includes('/detach'));
const deleted = (): readonly string[] => changesOf(world).filter((call) => call.startsWith('DELETE'));
async function deletedAll(every: number): Promise<void> {
  for (const name of all) {
    await world.delete('CloudVolume', name);
    await world.clock.advance(every);
  }
}
const said = async (name: string): Promise<string> => String((await world.condition('CloudVolume', name, 'Synced'))?.message);

describe('volumes in use, of which too many are deleted at once', () => {
  it('are not detached from running machines, however slowly a tool goes through its list', async () => {
    await deletedAll(350);
    await world.clock.advance(later);
    expect([detached(), deleted()]).toEqual([[], []]);
    for (const name of all) await world.reason('CloudVolume', name, 'DeletionHeld');
    for (const name of all) expect(await said(name)).not.toContain('taken from what used it');
  });

  it('which were detached before the rest came say so, with the call', async () => {
    world.emulator.control.addFault({
      match: { method: 'DELETE', path: '/v4/volumes' },
      times: 500,
      effect: { kind: 'answer', status: 503 },
    });
    await deletedAll(6000);
    await world.clock.advance(minute);
    const ids = detached().map((call) => /volumes\/(\d+)/.exec(call)?.[1]);
    const there = await Promise.all(all.map(async (name) => ({ name, id: (await world.find('CloudVolume', name))?.status?.['id'] })));
    const freed = there.filter(({ id }) => ids.includes(String(id)));
    expect(freed.length).toBeGreaterThan(0);
    for (const { name, id } of freed)
      expect(await said(name)).toContain(
        ` It was taken from what used it before that (POST /volumes/${String(id)}/detach), and is not given back by itself. What had gone by then: `,
      );
  });
});

it('one of many is deleted after five seconds, and says what it waits for until then', async () => {
  await world.delete('CloudVolume', 'v0');
  await world.clock.advance(500);
  expect(await said('v0')).toBe(
    'what else is being deleted with it is seen within 5 s: where that is much of the namespace, a person is asked first',
  );
  await world.gone('CloudVolume', 'v0', minute);
});

const ten = Array.from({ length: 10 }, (_, n) => `g${n}`);
const six = Array.from({ length: 6 }, (_, n) => `s${n}`);
describe('a folder of ten that are deleted and six that are kept', () => {
  it.each([
    ['first', 0, [...six, ...ten]],
    ['first', 200, [...six, ...ten]],
    ['last', 0, [...ten, ...six]],
    ['last', 200, [...ten, ...six]],
  ] as const)('goes as a whole when the kept ones come %s, %i ms apart', async (_, every, folder) => {
    const small = await World.create();
    await small.account();
    await small.start();
    const spec = { region: 'eu-central', sizeGiB: 20 };
    for (const name of six) await small.apply('CloudVolume', name, { ...spec, lifecycle: { onDelete: 'Retain' } });
    for (const name of ten) await small.apply('CloudVolume', name, { ...spec, lifecycle: { onDelete: 'Delete' } });
    for (const name of folder) await small.ready('CloudVolume', name);
    for (const name of folder) {
      await small.delete('CloudVolume', name);
      await small.clock.advance(every);
    }
    for (const name of folder) await small.gone('CloudVolume', name);
    expect(small.emulator.control.rows('volumes')).toHaveLength(6);
  });
});

it('what was deleted long ago under Retain, and could not go, is held when it is edited to be deleted one by one', async () => {
  const small = await World.create();
  await small.account();
  await small.start();
  const kept = { region: 'eu-central', sizeGiB: 20, lifecycle: { onDelete: 'Retain', protect: true } };
  for (const name of all) await small.apply('CloudVolume', name, kept);
  for (const name of all) await small.ready('CloudVolume', name);
  for (const name of all) await small.delete('CloudVolume', name);
  await small.clock.advance(2 * later);
  for (const name of all) {
    await small.patch('CloudVolume', name, { spec: { lifecycle: { onDelete: 'Delete', protect: false } } });
    await small.clock.advance(minute);
  }
  await small.clock.advance(later);
  expect(small.emulator.control.rows('volumes')).toHaveLength(all.length);
});
