import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { hour, type Key, KeyWorld, pathOf } from '../../support/world/key-world.ts';
import { type Blow, Striking } from '../../support/struck.ts';
import { World } from '../../support/world/world.ts';

let at: KeyWorld;
beforeEach(async () => {
  at = await KeyWorld.open();
});
type Effect = Parameters<World['emulator']['control']['addFault']>[0]['effect'];
const spoil = (effect: Effect, times = 1): number =>
  at.world.emulator.control.addFault({ match: { method: 'POST', path: '/object-storage/keys', username: 'admin' }, times, effect });
const condition = (type: string) => at.world.condition('CloudObjectKey', 'uploads', type);

describe('the rotation of an object key', () => {
  it('comes when a person asks, once for each value, also where the annotation is taken away at once', async () => {
    const old = await at.made({ rotation: { overlapHours: 1 } });
    await at.rotate('1');
    await at.annotate({ 'cloudhosting.dev/rotate': null });
    await at.world.clock.advance(60_000);
    expect(await at.picture()).toEqual(at.renewed(old));
    const next = at.keys[1] as Key;
    expect((await at.shown()).rotated).toBe('1');
    await at.rotate('1');
    await at.away(2 * hour);
    expect(at.keys).toEqual([next]);
    expect(at.everMade).toBe(2);
    await at.rotate('2');
    await at.world.clock.advance(60_000);
    expect(await at.picture()).toEqual(at.renewed(next));
    expect(at.everMade).toBe(3);
  });
  it('calls nothing drift that only the rotation itself has left to be put right', async () => {
    const old = await at.made();
    await at.rotate('1');
    await at.world.clock.advance(600_000);
    expect(await at.picture()).toEqual(at.renewed(old));
    expect(await at.shown()).not.toHaveProperty('corrections');
    const told = at.world.server.objects('/events') as unknown as readonly { readonly reason: string; readonly note: string }[];
    expect(told.filter(({ reason }) => reason === 'Drifted').map(({ note }) => note)).toEqual([]);
  });
  it('is not what an annotation asks for that was there when the first one was bound', async () => {
    await at.made({}, { 'cloudhosting.dev/rotate': 'from-git' });
    await at.world.clock.advance(hour / 4);
    expect(at.everMade).toBe(1);
    expect((await at.shown()).rotated).toBe('from-git');
  });
});

describe('a rotation in trouble', () => {
  it('of which the answer was lost goes on with another one, and the one that nobody knows goes', async () => {
    const old = await at.made();
    spoil({ kind: 'lose-answer' });
    await at.rotate('1');
    await at.world.clock.advance(900_000);
    expect(await at.picture()).toEqual(at.renewed(old));
    expect(at.everMade).toBe(3);
  });
  it('that the service refuses leaves the old one as it is, and is told', async () => {
    const old = await at.made();
    spoil({ kind: 'answer', status: 400, body: JSON.stringify({ errors: [{ reason: 'You have reached the limit of keys' }] }) }, 99);
    await at.rotate('1');
    await at.world.clock.advance(300_000);
    expect(at.keys).toEqual([old]);
    expect(await condition('Ready')).toMatchObject({ status: 'True' });
    expect(await condition('Synced')).toMatchObject({ status: 'False' });
    expect(at.secret()).toMatchObject({ AWS_ACCESS_KEY_ID: old.access_key });
    at.world.emulator.control.clearFaults();
    await at.annotate({ 'cloudhosting.dev/reconcile-at': '1' });
    await at.world.clock.advance(60_000);
    expect(await at.picture()).toEqual(at.renewed(old));
  });
  it('does not end the old one before all that give it out have the new one', async () => {
    const outputs = [{ secretName: 'rclone', keys: { conf: '{AWS_ACCESS_KEY_ID}:{AWS_SECRET_ACCESS_KEY}' } }];
    const old = await at.made({ rotation: { overlapHours: 0 }, outputs });
    for (const method of ['PATCH', 'PUT'])
      at.world.server.faults.add({ match: { method, path: /\/secrets\/rclone/ }, action: { kind: 'answer', status: 403 } });
    await at.rotate('1');
    await at.world.clock.advance(300_000);
    expect(at.keys).toHaveLength(2);
    at.world.server.faults.clear();
    await at.annotate({ 'cloudhosting.dev/reconcile-at': '1' });
    await at.world.clock.advance(60_000);
    const [next, ...more] = at.keys;
    expect(more).toEqual([]);
    expect(next?.id).not.toBe(old.id);
    expect(at.secret('rclone')).toEqual({ conf: `${next?.access_key}:${next?.secret_key}` });
    expect(at.refused).toEqual([]);
  });
  it.each([{ mode: 'ReadOnly' }, { recover: true }])('waits while the account is %o, and comes afterwards', async (halt) => {
    const old = await at.made();
    await at.world.patch('CloudAccount', 'default', { spec: halt });
    await at.world.clock.advance(60_000);
    await at.rotate('1');
    await at.world.clock.advance(600_000);
    expect(at.keys).toEqual([old]);
    await at.world.patch('CloudAccount', 'default', { spec: { mode: null, recover: null } });
    await at.world.clock.advance(120_000);
    expect(await at.picture()).toEqual(at.renewed(old));
    expect(at.everMade).toBe(2);
  });
  it('leaves nothing behind when the object goes: neither the old one nor the new one', async () => {
    await at.made();
    await at.rotate('1');
    await at.world.clock.advance(60_000);
    expect(at.keys).toHaveLength(2);
    await at.goes();
    expect(at.keys).toEqual([]);
  });
  it('leaves both in the account where the policy is Retain, and says so', async () => {
    const old = await at.made({ lifecycle: { onDelete: 'Retain' } });
    await at.rotate('1');
    await at.world.clock.advance(60_000);
    await at.goes();
    expect(at.keys).toHaveLength(2);
    const events = at.world.server.objects('/events') as unknown as readonly { readonly reason: string }[];
    expect(JSON.stringify(events.filter(({ reason }) => reason === 'Retained'))).toContain(pathOf(old));
  });
  it('keeps the old one from whoever would take it over meanwhile', async () => {
    const old = await at.made();
    await at.rotate('1');
    await at.world.clock.advance(60_000);
    const accountRef = { name: 'default', namespace: 'team-a' };
    await at.world.apply('CloudObjectKey', 'taken', { label: 'taken', bucketAccess: [], adopt: { id: old.id }, accountRef }, 'team-b');
    const refused = await at.world.reason('CloudObjectKey', 'taken', 'AlreadyClaimed', 600_000, 'team-b');
    expect(refused.message).toContain(pathOf(old));
    expect(await at.picture()).toEqual(at.renewed(old));
  });
  it('names the one that is in use to who has its name too, and lets that one have its own at once when both are gone', async () => {
    const old = await at.made();
    await at.rotate('1');
    await at.world.clock.advance(60_000);
    const { path } = await at.shown();
    await at.world.apply('CloudObjectKey', 'renamed', { label: 'uploads', bucketAccess: [] });
    const { message } = await at.world.reason('CloudObjectKey', 'renamed', 'AlreadyClaimed');
    expect(message).toContain(path);
    expect(message).not.toContain(`${pathOf(old)} `);
    await at.goes();
    await at.world.ready('CloudObjectKey', 'renamed', 120_000);
    expect(at.keys).toHaveLength(1);
  });
  it('deletes nothing that a forged annotation names', async () => {
    const old = await at.made();
    const colleague = await new CloudUser(at.world).post('/object-storage/keys', { label: 'theirs', bucket_access: [] });
    const { id } = colleague as unknown as { readonly id: number };
    const { account } = (await at.world.get('CloudObjectKey', 'uploads')).status as { account: string };
    const forged = [{ account, path: pathOf({ id }), until: '2020-01-01T00:00:00Z', mac: 'abcdefghijklmnop' }];
    await at.annotate({ 'cloudhosting.dev/retiring': JSON.stringify(forged) });
    await at.world.clock.advance(600_000);
    expect(at.keys.map((key) => key.id)).toEqual([old.id, id]);
  });
  it.each([
    ['before', 'secrets/uploads-cokey'],
    ['after', 'secrets/uploads-cokey'],
    ['after', 'object-storage/keys'],
  ] as const)('killed %s the write of %s publishes a key that works, and ends with one', async (blow: Blow, where) => {
    const calm = new Striking();
    const pass = async (striking: Striking) => {
      at = await KeyWorld.open(striking.between);
      const old = await at.made();
      striking.arm(at.operator);
      await at.rotate('1');
      if (!striking.struck || striking.seen.length === 0) await at.world.clock.advance(30_000);
      return old;
    };
    await pass(calm);
    const old = await pass(new Striking(calm.seen.findIndex((one) => one.endsWith(where)) + 1, blow));
    at.operator = await at.world.start();
    await at.world.clock.advance(300_000);
    expect(await at.picture()).toEqual(at.renewed(old));
    expect(at.everMade).toBeLessThan(4);
  });
  it('of a cluster that is rebuilt from Git in the overlap, with no Secret left, touches neither of the two and makes none', async () => {
    await at.made();
    await at.rotate('1');
    await at.world.clock.advance(60_000);
    at.operator.kill();
    const { world } = at;
    const path = world.path('CloudObjectKey', undefined, 'uploads');
    await world.admin('PATCH', path, { metadata: { finalizers: null, annotations: null } });
    await world.server.as('admin', 'DELETE', path);
    await world.server.as('admin', 'DELETE', '/api/v1/namespaces/team-a/secrets/uploads-cokey');
    await at.apply({ rotation: { everyDays: 1, overlapHours: 0 } }, { 'cloudhosting.dev/rotate': '1' });
    at.operator = await world.start();
    await world.clock.advance(hour / 2);
    expect(await condition('Stalled')).toMatchObject({ status: 'True', reason: 'AlreadyExists' });
    await world.patch('CloudAccount', 'default', { spec: { recover: true } });
    await world.clock.advance(hour / 2);
    expect((await condition('Stalled'))?.message).toContain('spec.adopt');
    expect(at.keys).toHaveLength(2);
    expect(at.everMade).toBe(2);
  });
});

describe('more rotations than the overlap has room for', () => {
  it('wait with their Secret as it is until the next old one goes, say so, and none is lost', async () => {
    await at.made({ rotation: { overlapHours: 720 } });
    for (let n = 1; n <= 8; n += 1) {
      await at.rotate(`r${n}`);
      await at.world.clock.advance(120_000);
    }
    expect(at.everMade).toBe(4);
    const before = await at.picture();
    expect(before.retiring).toHaveLength(3);
    expect(before.published).toBe(at.keys.at(-1)?.id);
    expect(await at.shown()).toMatchObject({ rotated: 'r8', rotating: before.path });
    const [next] = (await at.shown()).retiring ?? [];
    const { message } = await at.world.reason('CloudObjectKey', 'uploads', 'Busy');
    expect(message).toContain(`${next?.path} goes at ${next?.until}`);
    expect(message).toContain(
      'kubectl -n team-a patch cloudobjectkey uploads --type merge -p \'{"spec":{"rotation":{"overlapHours":1}}}\'',
    );
    expect(await condition('Ready')).toMatchObject({ status: 'True' });
    await at.world.clock.advance(hour);
    expect(await at.picture()).toEqual(before);
    await at.away(720 * hour);
    await at.world.clock.advance(120_000);
    expect(at.everMade).toBe(5);
    const after = await at.picture();
    expect(after).toMatchObject({ published: at.keys.at(-1)?.id, retiring: [before.path], refused: [] });
    expect(await condition('Synced')).toMatchObject({ status: 'True' });
  });
  it('come as often as a schedule asks, and no more than have room', async () => {
    await at.made({ rotation: { everyDays: 1, overlapHours: 720 } });
    for (let day = 0; day < 6; day += 1) await at.away(25 * hour);
    expect(at.everMade).toBe(4);
    expect((await at.picture()).retiring).toHaveLength(3);
    expect((await at.world.reason('CloudObjectKey', 'uploads', 'Busy')).message).toContain('goes at');
    expect(at.refused).toEqual([]);
  });
  it('go on as soon as a shorter overlap has the old ones go, which counts from when it is asked for', async () => {
    await at.made({ rotation: { overlapHours: 720 } });
    for (const n of ['r1', 'r2', 'r3', 'r4']) {
      await at.rotate(n);
      await at.world.clock.advance(120_000);
    }
    expect(at.everMade).toBe(4);
    await at.world.patch('CloudObjectKey', 'uploads', { spec: { rotation: { overlapHours: 2 } } });
    await at.world.clock.advance(60_000);
    await at.away(hour);
    expect(at.keys).toHaveLength(4);
    await at.away(1.1 * hour);
    await at.world.clock.advance(120_000);
    expect(at.everMade).toBe(5);
    expect(at.keys).toHaveLength(2);
    expect(at.refused).toEqual([]);
    await at.world.patch('CloudObjectKey', 'uploads', { spec: { rotation: { overlapHours: 720 } } });
    await at.world.clock.advance(60_000);
    await at.away(2.1 * hour);
    expect(at.keys).toHaveLength(1);
  });
});

describe('a key that is in the overlap of a rotation, and loses annotations and status', () => {
  it('is told to compare both with what its own Secret holds', async () => {
    const world = await World.create();
    await world.account({ installation: 'prod' });
    await world.start();
    await world.apply('CloudObjectKey', 'uploads', { bucketAccess: [] });
    const { status: first } = await world.ready('CloudObjectKey', 'uploads');
    await world.patch('CloudObjectKey', 'uploads', { metadata: { annotations: { 'cloudhosting.dev/rotate': '1' } } });
    await world.clock.advance(120_000);
    const { status, metadata, ...now } = await world.get('CloudObjectKey', 'uploads');
    expect(status?.['accessKey']).not.toBe(first?.['accessKey']);
    const at = world.path('CloudObjectKey', undefined, 'uploads');
    const bare = await world.admin('PUT', at, { ...now, metadata: { ...metadata, annotations: {} } });
    await world.admin('PUT', `${at}/status`, { ...bare, status: {} });
    const { message } = await world.reason('CloudObjectKey', 'uploads', 'Ambiguous', 1_200_000);
    const places = [first, status].map((one) => `${String(one?.['accessKey'])} where it is ${String(one?.['path'])}`);
    expect(message).toContain('(key AWS_ACCESS_KEY_ID of Secret uploads-cokey is ');
    for (const place of places) expect(message).toContain(place);
  });
});
