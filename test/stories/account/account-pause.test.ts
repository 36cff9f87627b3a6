import { beforeEach, describe, expect, it } from 'vitest';
import { type RunningOperator, World } from '../../support/world/world.ts';

let world: World;
let first: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  first = await world.start();
  await apply('data');
  await world.ready('CloudVolume', 'data');
});
const apply = (name: string, more: Record<string, unknown> = {}): Promise<unknown> =>
  world.apply('CloudVolume', name, { region: 'eu-central', lifecycle: { onDelete: 'Delete' }, ...more });
const annotate = (annotations: Record<string, string | null>): Promise<unknown> =>
  world.patch('CloudAccount', 'default', {
    metadata: { annotations: Object.fromEntries(Object.entries(annotations).map(([name, value]) => [`cloudhosting.dev/${name}`, value])) },
  });
const newest = (): number => world.emulator.control.requests().at(-1)?.seq ?? 0;
const changes = (since: number): readonly string[] =>
  world.emulator.control
    .requests(since)
    .flatMap(({ method, path, username }) => (method !== 'GET' && username === 'admin' ? [`${method} ${path}`] : []));
const sizes = (): readonly number[] => (world.emulator.control.rows('volumes') as { size: number }[]).map(({ size }) => size);
const message = async (kind: string, name: string, type = 'Synced'): Promise<string> =>
  (await world.condition(kind, name, type))?.message ?? '';
const minute = 60_000;
const inMinutes = (count: number): string => new Date(world.clock.now() + count * minute).toISOString().replace(/\.\d+Z$/, 'Z');
const paused = async (): Promise<unknown> => (await world.get('CloudAccount', 'default')).status?.['paused'];

describe('annotation pause on a CloudAccount', () => {
  it('keeps what vanishes meanwhile from being made anew, and its object says so; what a person asked for comes afterwards', async () => {
    await annotate({ pause: 'true' });
    await world.clock.advance(5000);
    const path = String((await world.get('CloudVolume', 'data')).status?.['path']);
    await world.emulator.control.actAs({ username: 'colleague', method: 'DELETE', path: `/v4${path}` });
    const lost = await world.reason('CloudVolume', 'data', 'RemoteMissing');
    expect(lost.message).toMatch(
      /^\/volumes\/\d+ is gone from the account.*\. CloudAccount team-a\/default is paused: nothing is made before it goes on$/,
    );
    await world.patch('CloudVolume', 'data', { metadata: { annotations: { 'cloudhosting.dev/recreate': 'now' } } });
    await world.clock.advance(10 * minute);
    expect(sizes()).toEqual([]);
    await annotate({ pause: null });
    await world.ready('CloudVolume', 'data', 10 * minute);
    expect(sizes()).toEqual([20]);
  });
  it('stops every change of its objects, and reads go on', async () => {
    await apply('other', { tags: ['prod'] });
    await world.ready('CloudVolume', 'other');
    await annotate({ pause: 'true' });
    await world.clock.advance(5000);
    const from = newest();
    await apply('data', { sizeGiB: 60 });
    await apply('new');
    await world.clock.advance(10 * minute);
    expect(changes(from)).toEqual([]);
    expect((await world.condition('CloudVolume', 'data', 'Synced'))?.reason).toBe('ReadOnly');
    expect(await message('CloudVolume', 'new')).toContain('paused');
    expect(await message('CloudVolume', 'new')).toContain('would be created');
    expect((await world.condition('CloudAccount', 'default', 'Synced'))?.reason).toBe('Paused');
    expect((await world.condition('CloudAccount', 'default', 'Ready'))?.status).toBe('True');
    expect(await message('CloudAccount', 'default')).toContain('nothing of this account is changed');
    const path = String((await world.get('CloudVolume', 'other')).status?.['path']);
    await world.emulator.control.actAs({ username: 'colleague', method: 'PUT', path: `/v4${path}`, body: { tags: ['theirs'] } });
    await world.clock.advance(minute);
    expect((await world.get('CloudVolume', 'other')).status?.['drift']).toMatchObject([
      { field: 'tags', now: ['theirs'], by: 'colleague' },
    ]);
    expect(await message('CloudVolume', 'data')).toContain('sizeGiB');
    expect((await world.get('CloudVolume', 'data')).status?.['drift']).toBeUndefined();
    expect(changes(from)).toEqual([]);
    await annotate({ pause: null });
    await world.ready('CloudVolume', 'new', minute);
    await world.ready('CloudVolume', 'data', 5 * minute);
    expect(sizes().toSorted((a, b) => a - b)).toEqual([20, 20, 60]);
    expect((await world.get('CloudVolume', 'other')).status?.['drift']).toBeUndefined();
  });

  it('lets deletions wait, which say so, and go on with its end', async () => {
    await annotate({ pause: 'migration' });
    await world.clock.advance(5000);
    const from = newest();
    await world.delete('CloudVolume', 'data');
    await world.clock.advance(10 * minute);
    expect(changes(from)).toEqual([]);
    expect(await message('CloudVolume', 'data')).toContain('is deleted when');
    expect(await message('CloudVolume', 'data')).toContain('paused');
    await annotate({ pause: 'false' });
    await world.gone('CloudVolume', 'data', 5 * minute);
    expect(sizes()).toEqual([]);
  });

  it('holds after a restart, and the account is connected all the same', async () => {
    await annotate({ pause: 'true' });
    await world.clock.advance(5000);
    first.kill();
    const second = world.launch();
    await world.clock.advance(minute);
    const from = newest();
    await apply('new');
    await world.clock.advance(5 * minute);
    expect(changes(from)).toEqual([]);
    expect(second.operator.phase).toBe('leading');
    expect(await message('CloudVolume', 'new')).toContain('would be created');
  });

  it('stops what waits for the rate window meanwhile', async () => {
    world.emulator.control.setKnobs({ rateProfile: 'published-2026' });
    for (let n = 0; n < 300; n += 1) await apply(`v${n}`);
    await world.clock.advance(5000);
    expect(sizes().length).toBeLessThan(200);
    await annotate({ pause: 'true' });
    await world.clock.advance(5000);
    const from = newest();
    await world.clock.advance(10 * minute);
    expect(changes(from)).toEqual([]);
    await annotate({ pause: null });
    await world.clock.advance(10 * minute);
    expect(sizes()).toHaveLength(301);
  });
});

describe('a pause with an end', () => {
  it('is noted, lasts until then whatever becomes of the annotation, and ends by itself', async () => {
    const until = inMinutes(30);
    await annotate({ pause: `until=${until};reason=provider maintenance` });
    await world.clock.advance(5000);
    expect(await paused()).toMatchObject({ until, reason: 'provider maintenance' });
    await annotate({ pause: null });
    const from = newest();
    await apply('new');
    await world.clock.advance(20 * minute);
    expect(changes(from)).toEqual([]);
    expect(await message('CloudVolume', 'new')).toContain(until);
    expect(await message('CloudAccount', 'default')).toContain('provider maintenance');
    await world.clock.advance(9 * minute);
    expect(changes(from)).toEqual([]);
    await world.ready('CloudVolume', 'new', 3 * minute);
    expect(await paused()).toBeUndefined();
  });

  it('holds after a restart without the annotation', async () => {
    await annotate({ pause: `until=${inMinutes(30)}` });
    await world.clock.advance(5000);
    await annotate({ pause: null });
    first.kill();
    const second = world.launch();
    await world.clock.advance(minute);
    const from = newest();
    await apply('new');
    await world.clock.advance(10 * minute);
    expect(changes(from)).toEqual([]);
    expect(second.operator.phase).toBe('leading');
  });

  it('ends earlier with annotation resume, which counts once', async () => {
    await annotate({ pause: `until=${inMinutes(300)}` });
    await world.clock.advance(5000);
    await annotate({ pause: null, resume: 'now' });
    await apply('new');
    await world.ready('CloudVolume', 'new', minute);
    expect(await paused()).toBeUndefined();
    await annotate({ pause: `until=${inMinutes(10)}` });
    await world.clock.advance(5000);
    const from = newest();
    await apply('newer');
    await world.clock.advance(5 * minute);
    expect(changes(from)).toEqual([]);
    await world.ready('CloudVolume', 'newer', 10 * minute);
  });
});
