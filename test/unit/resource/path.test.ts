import { describe, expect, it } from 'vitest';
import { kinds } from '../../../src/generated/kinds.ts';
import { clusterAndLabel, isIdOf, itemOf, numberId, path } from '../../../src/resource/index.ts';

describe('a path', () => {
  it('holds ids as they are, but for what would end them', () => {
    expect(path`/images/${'private/12'}/x`).toBe('/images/private%2F12/x');
    expect(path`/volumes/${7}`).toBe('/volumes/7');
    expect(path`/object-storage/buckets/${'eu-central-1'}/${'a..b'}`).toBe('/object-storage/buckets/eu-central-1/a..b');
  });
  it.each(['', '.', '..', 'private/..', './12', '../vm/instances/1002', undefined as never])('never climbs by %j', (id) => {
    expect(() => path`/domains/${id}/records`).toThrow('no id');
  });
});

describe('an id', () => {
  it.each([1, '1', '123456789012345'])('%j is a number', (id) => expect(isIdOf(numberId, id)).toBe(true));
  it.each([0, -1, 1.5, '01', '', ' 1', '1 ', '1\n', '..', '1/2', undefined, null, true, {}, ['1']])('%j is none', (id) =>
    expect(isIdOf(numberId, id)).toBe(false),
  );
  it.each(['eu-central-1/assets', 'a/b.c--d'])('%j is a cluster and a label', (id) => expect(isIdOf(clusterAndLabel, id)).toBe(true));
  it.each([5, '5', 'a/..', '../a', 'a/b/c', 'a/', '/a', 'a/b..c', 'a%2Fb'])('%j is none', (id) =>
    expect(isIdOf(clusterAndLabel, id)).toBe(false),
  );
});

describe('the path of a remote', () => {
  const [kind] = kinds.filter(({ mode, item }) => mode === 'collection' && item === undefined);
  it.each(['..', '.', '', '1/..'])('is none where the id is %j', (id) => {
    if (kind === undefined) throw new Error('every kind has paths of its own');
    expect(() => itemOf(kind, { id }, '/domains/7/records')).toThrow('no id');
  });
});
