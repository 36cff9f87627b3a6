import { expect, it } from 'vitest';
import { Claims } from '../../../src/engine/memory/claims.ts';
import { OpenCreateIndex } from '../../../src/engine/memory/open-create-index.ts';
import { RecentCreates } from '../../../src/engine/memory/recent-creates.ts';
import { ObjectMemory } from '../../../src/engine/memory/object-memory.ts';
import type { Resource } from '../../../src/engine/ports/index.ts';
import type { Row } from '../../../src/resource/index.ts';

it('what an object deleted is remembered for it alone, and forgotten with it', () => {
  const memory = new ObjectMemory();
  memory.deleted('first', '/buckets/a');
  expect(memory.wasDeleted('first', '/buckets/a')).toBe(true);
  expect(memory.wasDeleted('second', '/buckets/a')).toBe(false);
  memory.mayExistAgain('first', '/buckets/a');
  expect(memory.wasDeleted('first', '/buckets/a')).toBe(false);
  memory.deleted('first', '/buckets/b');
  memory.forget('first');
  expect(memory.wasDeleted('first', '/buckets/b')).toBe(false);
});

it('births are forgotten, those of places where nothing is made any more too', () => {
  const newborn = new RecentCreates();
  newborn.note('a', { path: '/a/1', row: {}, at: 0 }, -100);
  newborn.note('b', { path: '/b/1', row: {}, at: 50 }, -50);
  newborn.note('c', { path: '/c/1', row: {}, at: 120 }, 20);
  expect(newborn.since('a', -1000)).toEqual([]);
  expect(newborn.since('b', -1000)).toHaveLength(1);
  expect(newborn.since('c', -1000)).toHaveLength(1);
});

const intent = (label: string): string => JSON.stringify({ attempts: [], key: { is: { label }, in: '/volumes' }, mac: 'm' });

it('open creates are found by what they make, and forgotten with their object or their end', () => {
  const open = new OpenCreateIndex();
  const key = { namespace: 'team-a', name: 'data' };
  const object = (annotations: Record<string, string>, status?: Row): Resource =>
    ({ kind: 'CloudVolume', metadata: { ...key, uid: 'u', annotations }, spec: {}, status }) as unknown as Resource;
  const ids = (label: string): readonly string[] => [...open.of('CloudVolume', `{"in":"/volumes","is":{"label":"${label}"}}`)];
  open.note('CloudVolume', key, object({ 'cloudhosting.dev/intent': intent('a') }));
  expect(ids('a')).toEqual(['CloudVolume/team-a/data']);
  open.note('CloudVolume', key, object({ 'cloudhosting.dev/intent': 'no JSON' }, { intent: intent('b') }));
  expect([ids('a'), ids('b')]).toEqual([[], ['CloudVolume/team-a/data']]);
  open.note('CloudVolume', key, object({ 'cloudhosting.dev/intent': intent('b'), 'cloudhosting.dev/remote': 'r' }));
  expect(ids('b')).toEqual([]);
  open.note('CloudVolume', key, object({ 'cloudhosting.dev/intent': intent('c') }));
  open.note('CloudVolume', key, undefined);
  expect(ids('c')).toEqual([]);
});

const named = (uid: string, namespace = 'a'): Resource =>
  ({ kind: 'CloudVolume', metadata: { uid, namespace, name: uid } }) as unknown as Resource;

it('who had something is known for a while, however much another namespace lets go of meanwhile', () => {
  const claims = new Claims();
  claims.claim('E1', '/vm/instances/7', named('theirs', 'b'));
  claims.release('theirs');
  for (let id = 0; id < 3000; id += 1) {
    claims.claim('E1', `/volumes/${id}`, named(`mine-${id}`));
    claims.release(`mine-${id}`);
  }
  expect([claims.lastHolder('E1', '/vm/instances/7')?.uid, claims.lastHolder('E1', '/volumes/0')]).toEqual(['theirs', undefined]);
});

it('who waits for room in a collection is told when one of it is let go of, and nobody of another', () => {
  const told: string[] = [];
  const claims = new Claims(({ uid }) => void told.push(uid));
  claims.claim('E1', '/databases/1/backups/7', named('one'));
  claims.claim('E1', '/databases/2/backups/8', named('other'));
  claims.refuse('E1', '/databases/1/backups', named('waiting'));
  claims.release('other');
  expect(told).toEqual([]);
  claims.release('one');
  expect(told).toEqual(['waiting']);
});

it('what is on its way out is held by whoever took that over, once the one before is no more', () => {
  const claims = new Claims();
  const earlier = { account: 'E1', path: '/object-storage/keys/1' };
  claims.retire([earlier], named('old'));
  claims.retire([earlier], named('new'));
  claims.forget('old');
  expect(claims.holder('E1', earlier.path)?.uid).toBe('new');
  claims.forget('new');
  expect(claims.holder('E1', earlier.path)).toBeUndefined();
});
