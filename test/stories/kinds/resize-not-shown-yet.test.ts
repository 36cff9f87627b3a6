import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { World } from '../../support/world/world.ts';

/** The service accepts a resize, and for 20 s neither the row nor an event tells. */
let world: World;
let silentUntil = 0;
const lag = 20_000;
interface Row {
  readonly status?: string;
  readonly action?: string;
  readonly data?: readonly Row[];
}
function asBefore(row: Row): Row {
  if (Array.isArray(row.data))
    return { ...row, data: row.data.filter(({ action }) => action?.startsWith('vm_resize') !== true).map(asBefore) };
  return row.status === 'resizing' ? { ...row, status: 'running' } : row;
}
beforeEach(async () => {
  silentUntil = 0;
  world = await World.create({
    between: (server, backend) => ({
      ...(backend.travel && { travel: backend.travel.bind(backend) }),
      handle: async (request) => {
        const answer = await backend.handle(request);
        if (server !== 'cloud') return answer;
        if (request.method === 'POST' && request.path.endsWith('/resize') && answer.status === 200) silentUntil = world.clock.now() + lag;
        const isShown = world.clock.now() >= silentUntil || answer.status !== 200;
        return isShown ? answer : { ...answer, body: JSON.stringify(asBefore(JSON.parse(String(answer.body)) as Row)) };
      },
    }),
  });
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
  await world.secret('root', { password: 'Canary-Horse-9-Battery' });
  await world.apply('CloudInstance', 'web', {
    region: 'eu-central',
    type: 'g6-nanode-1',
    image: 'vm/debian11',
    rootPasswordSecretRef: { name: 'root', key: 'password' },
    lifecycle: { approve: ['InPlace', 'Reboot'] },
  });
  await world.ready('CloudInstance', 'web');
  await world.clock.advance(120_000);
  await edit({ type: 'g6-standard-1' });
  await world.clock.runUntil(() => Promise.resolve(resizes() > 0), 60_000);
  await world.clock.advance(2000);
});
const edit = (spec: Record<string, unknown>): Promise<unknown> => world.patch('CloudInstance', 'web', { spec });
const resizes = (): number => changesOf(world).filter((call) => call.endsWith('/resize')).length;
const type = (): unknown => (world.emulator.control.rows('instances') as unknown as { type: string }[])[0]?.type;
const synced = (): Promise<unknown> => world.condition('CloudInstance', 'web', 'Synced');

describe('a resize that was accepted and does not show yet', () => {
  it('is not sent again for an edit of something else', async () => {
    await edit({ tags: ['shop'] });
    await world.clock.advance(2000);
    await edit({ tags: ['shop', 'web'] });
    await world.ready('CloudInstance', 'web');
    expect(type()).toBe('g6-standard-1');
    expect(resizes()).toBe(1);
  });
  it('is not sent again for an edit there and back', async () => {
    await edit({ type: 'g6-standard-2' });
    await world.clock.advance(1000);
    await edit({ type: 'g6-standard-1' });
    await world.ready('CloudInstance', 'web');
    await world.clock.advance(300_000);
    expect(type()).toBe('g6-standard-1');
    expect(resizes()).toBe(1);
  });
  it('lets the next value wait for it', async () => {
    await edit({ type: 'g6-standard-2' });
    await world.clock.advance(lag / 2);
    expect(resizes()).toBe(1);
    expect(await synced()).toMatchObject({ status: 'False', message: expect.stringContaining('spec.type') });
    await world.ready('CloudInstance', 'web');
    expect(type()).toBe('g6-standard-2');
    expect(resizes()).toBe(2);
  });
  it('is not over because the spec has the value of before again', async () => {
    await edit({ type: 'g6-nanode-1' });
    await world.clock.advance(lag / 2);
    expect(await synced()).toMatchObject({ status: 'False', message: expect.stringContaining('spec.type') });
    await world.ready('CloudInstance', 'web');
    expect(type()).toBe('g6-nanode-1');
    expect(resizes()).toBe(2);
    expect((await world.get('CloudInstance', 'web')).status?.['lastCorrection']).toBeUndefined();
  });
});
