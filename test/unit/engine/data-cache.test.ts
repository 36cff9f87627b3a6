import { beforeEach, expect, test } from 'vitest';
import type { DataRecord, Key } from '../../../src/engine/ports/index.ts';
import { DataCache } from '../../../src/engine/resolve/data-cache.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';

const { signal } = new AbortController();
const mib = 2 ** 20;
let clock: VirtualClock;
let read: string[];
let cache: DataCache<number>;
/** Values stand for so many bytes. */
let bytes: number;
let version: string;

const get = ({ namespace, name }: Key): Promise<DataRecord<number> | undefined> => {
  read.push(`${namespace}/${name}`);
  const record = { uid: name, resourceVersion: version, labels: {}, data: { small: 1, unused: bytes - 1 } };
  return Promise.resolve(name === 'absent' ? undefined : record);
};
const names = (namespace: string, count: number): readonly Key[] => Array.from({ length: count }, (_, n) => ({ namespace, name: `s${n}` }));
/** What of these had to be read. */
async function use(keys: readonly Key[], maxAge?: number): Promise<readonly string[]> {
  read = [];
  const wrong: Key[] = [];
  for (const key of keys) if ((await cache.record(key, signal, maxAge))?.uid !== key.name) wrong.push(key);
  expect(wrong).toEqual([]);
  return read;
}

beforeEach(() => {
  clock = new VirtualClock();
  read = [];
  bytes = mib;
  version = '1';
  cache = new DataCache({ get }, clock, (value) => value);
});

test('what is kept has a bound in bytes, and what gave way is read again', async () => {
  const many = names('tenant', 200);
  expect(await use(many)).toHaveLength(200);
  expect(cache.bytes).toBeLessThanOrEqual(16 * mib);
  expect((await use(many)).length).toBeGreaterThan(180);
  expect(cache.bytes).toBeLessThanOrEqual(16 * mib);
});

test('what is kept of the others stays, whatever one namespace names', async () => {
  const others = [...names('team-a', 3), ...names('team-b', 3)];
  bytes = 1000;
  await use(others);
  bytes = mib;
  await use(names('tenant', 200));
  expect(await use(others)).toEqual([]);
});

test('one that is larger than all that may be kept hinders nothing', async () => {
  bytes = 1000;
  await use(names('team-a', 3));
  bytes = 20 * mib;
  await use(names('tenant', 2));
  expect(cache.bytes).toBeLessThan(10_000);
  expect(await use(names('team-a', 3))).toEqual([]);
});

test('many that hold nothing are within the bound, too', async () => {
  bytes = 1;
  await use(names('tenant', 40_000));
  expect((await use(names('tenant', 40_000))).length).toBeGreaterThan(20_000);
});

test('what is too old goes when anything else is read, and what is not there is not kept', async () => {
  await use(names('tenant', 3));
  await clock.advance(7 * 60_000);
  expect(await cache.record({ namespace: 'team-a', name: 'absent' }, signal)).toBeUndefined();
  expect(cache.bytes).toBe(0);
});

test('what is known serves for five minutes, or for as long as who asks says, until it is forgotten', async () => {
  const [one, two] = names('team-a', 2) as [Key, Key];
  expect(await use([one, two])).toHaveLength(2);
  await clock.advance(2000);
  expect(await use([one, two])).toEqual([]);
  expect(await use([one], 1000)).toEqual(['team-a/s0']);
  cache.forget(two);
  expect(await use([one, two])).toEqual(['team-a/s1']);
  cache.forgetIn('team-a');
  expect(cache.bytes).toBe(0);
  expect(await use([one, two])).toHaveLength(2);
  await clock.advance(5 * 60_000);
  expect(await use([one, two])).toHaveLength(2);
});

test('the same version is the same object, and another one is not', async () => {
  const [one] = names('team-a', 1) as [Key];
  const first = await cache.record(one, signal);
  await clock.advance(2000);
  expect(await cache.record(one, signal, 1000)).toBe(first);
  version = '2';
  await clock.advance(2000);
  expect((await cache.record(one, signal, 1000))?.resourceVersion).toBe('2');
});
