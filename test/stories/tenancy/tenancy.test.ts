import { beforeEach, describe, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.namespace('team-b');
});
const volumes = (): { id: number; label: string }[] => world.emulator.control.rows('volumes') as never;
const shared = { name: 'default', namespace: 'team-a' };
const volume = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  accountRef: shared,
  region: 'eu-central',
  lifecycle: { onDelete: 'Delete' },
  ...more,
});
async function synced(name: string): Promise<string> {
  return (await world.condition('CloudVolume', name, 'Synced', 'team-b'))?.reason ?? '';
}
const inOrder = (texts: readonly string[]): string[] => texts.toSorted((a, b) => a.localeCompare(b));

describe('access to an account', () => {
  it('maxObjects holds for objects that are made at once, and a place that is given up is used again', async () => {
    await world.account({ access: [{ namespaces: ['team-b'], maxObjects: 2 }] });
    await world.start();
    await world.ready('CloudAccount', 'default');
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) await world.apply('CloudVolume', name, volume(), 'team-b');
    await world.clock.advance(60_000);
    expect(volumes()).toHaveLength(2);
    const reasons = await Promise.all(names.map(synced));
    expect(inOrder(reasons)).toEqual(['Available', 'Available', 'QuotaExceeded', 'QuotaExceeded', 'QuotaExceeded']);
    await world.delete('CloudVolume', names[reasons.indexOf('Available')] ?? '', 'team-b');
    await world.clock.advance(3_700_000);
    expect(volumes()).toHaveLength(2);
  });
  it('maxObjects counts objects, not what they left in the account', async () => {
    await world.account({ access: [{ namespaces: ['team-b'], maxObjects: 1 }] });
    await world.start();
    await world.apply('CloudVolume', 'first', volume({ lifecycle: { onDelete: 'Retain' } }), 'team-b');
    await world.ready('CloudVolume', 'first', 60_000, 'team-b');
    await world.apply('CloudVolume', 'second', volume(), 'team-b');
    await world.reason('CloudVolume', 'second', 'QuotaExceeded', 60_000, 'team-b');
    expect(volumes()).toHaveLength(1);
    await world.delete('CloudVolume', 'first', 'team-b');
    await world.ready('CloudVolume', 'second', 3_700_000, 'team-b');
    expect(volumes()).toHaveLength(2);
  });
  it('maxObjects counts what is adopted', async () => {
    await world.account({ access: [{ namespaces: ['team-b'], maxObjects: 1, adopt: 'Any' }] });
    await world.start();
    const ids: number[] = [];
    for (const label of ['one', 'two']) {
      const body = { label, region: 'eu-central', size: 20 };
      const answer = await world.emulator.control.actAs({ username: 'colleague', method: 'POST', path: '/v4/volumes', body });
      ids.push((JSON.parse(String(answer.body)) as { id: number }).id);
    }
    for (const id of ids) await world.apply('CloudVolume', `v${id}`, volume({ adopt: { id } }), 'team-b');
    await world.clock.advance(60_000);
    expect(inOrder(await Promise.all(ids.map((id) => synced(`v${id}`))))).toEqual(['Available', 'QuotaExceeded']);
  });
  it('adds up what several entries admit for one namespace, and every limit holds', async () => {
    const access = [
      { namespaces: ['team-b', 'team-c'], maxObjects: 2 },
      { namespaces: ['team-b'], kinds: ['CloudVolume'], adopt: 'Any', maxObjects: 5 },
    ];
    await world.account({ access });
    await world.start();
    const body = { label: 'theirs', region: 'eu-central', size: 20 };
    const answer = await world.emulator.control.actAs({ username: 'colleague', method: 'POST', path: '/v4/volumes', body });
    const { id } = JSON.parse(String(answer.body)) as { id: number };
    await world.apply('CloudVolume', 'taken', volume({ adopt: { id } }), 'team-b');
    await world.reason('CloudVolume', 'taken', 'Available', 60_000, 'team-b');
    await world.apply('CloudVolume', 'second', volume(), 'team-b');
    await world.reason('CloudVolume', 'second', 'Available', 60_000, 'team-b');
    await world.apply('CloudVolume', 'third', volume(), 'team-b');
    await world.reason('CloudVolume', 'third', 'QuotaExceeded', 60_000, 'team-b');
  });
  it('admits the kinds that it names, and adopts nothing unless it says so', async () => {
    await world.account({ access: [{ namespaces: ['team-b'], kinds: ['CloudVolume'] }] });
    await world.start();
    const body = { label: 'theirs', region: 'eu-central', size: 20 };
    const answer = await world.emulator.control.actAs({ username: 'colleague', method: 'POST', path: '/v4/volumes', body });
    const { id } = JSON.parse(String(answer.body)) as { id: number };
    await world.apply('CloudVolume', 'taken', volume({ adopt: { id } }), 'team-b');
    await world.reason('CloudVolume', 'taken', 'Forbidden', 60_000, 'team-b');
    await world.apply('CloudVolume', 'attached', volume({ region: undefined, instanceRef: { external: 4711 } }), 'team-b');
    const refused = await world.reason('CloudVolume', 'attached', 'ReferenceNotReady', 60_000, 'team-b');
    expect(refused.message).toContain('access[].adopt');
    await world.apply('CloudFirewall', 'fw', { accountRef: shared, inboundPolicy: 'DROP', outboundPolicy: 'DROP' }, 'team-b');
    const unknown = await world.reason('CloudFirewall', 'fw', 'AccountNotReady', 60_000, 'team-b');
    expect(unknown.message).toContain('is not found');
    expect(volumes()).toHaveLength(1);
  });
  it('an object that the account does not admit cannot hold up its deletion', async () => {
    await world.account();
    await world.start();
    await world.ready('CloudAccount', 'default');
    const object = await world.apply('CloudVolume', 'stranger', volume(), 'team-b');
    await world.patch('CloudVolume', 'stranger', { metadata: { finalizers: ['cloudhosting.dev/remote'] } }, 'team-b');
    expect(object.spec).toMatchObject({ accountRef: shared });
    await world.clock.advance(5000);
    await world.delete('CloudAccount', 'default');
    await world.gone('CloudAccount', 'default', 60_000);
  });
  it('an object that was admitted and no longer is keeps the account until what it made is gone', async () => {
    await world.account({ access: [{ namespaces: ['team-b'] }] });
    await world.start();
    await world.apply('CloudVolume', 'data', volume(), 'team-b');
    await world.ready('CloudVolume', 'data', 60_000, 'team-b');
    await world.patch('CloudAccount', 'default', { spec: { access: [] } });
    await world.delete('CloudAccount', 'default');
    await world.clock.advance(60_000);
    expect((await world.condition('CloudAccount', 'default', 'Synced'))?.message).toContain('CloudVolume team-b/data');
  });
});
