import { describe, expect, test } from 'vitest';
import type { Owner } from '../../../src/engine/ports/index.ts';
import type { Row } from '../../../src/resource/index.ts';
import { RowStore } from '../../../src/cloud/cache/row-store.ts';
import { kinds } from './account-world.ts';

const owner = (name: string, kind: keyof typeof kinds = 'volume', collection = '/volumes'): Owner => ({
  kind: kinds[kind],
  key: { namespace: 'team', name },
  collection,
});

describe('owners', () => {
  test('are counted by kind, each remote once, wherever it is listed', () => {
    const rows = new RowStore(0);
    const count = (): readonly number[] => [rows.owned('CloudVolume'), rows.owned('CloudInstance')];
    rows.track('/volumes/1', owner('a'));
    rows.track('/volumes/1', owner('a'));
    rows.track('/volumes/1', owner('same remote'));
    rows.track('/volumes/2', owner('b'));
    rows.track('/volumes/2', owner('b', 'instance'));
    rows.track('/volumes/2', owner('b', 'instance', '/elsewhere'));
    expect(count()).toEqual([2, 1]);
    rows.untrack('/volumes/1');
    rows.untrack('/volumes/1');
    expect(count()).toEqual([1, 1]);
    rows.untrack('/volumes/2');
    expect(count()).toEqual([0, 0]);
  });
  test('go one by one, and the remote is known as long as one is left', () => {
    const rows = new RowStore(0);
    rows.track('/volumes/1', owner('a'));
    rows.track('/volumes/1', owner('same remote'));
    expect(rows.untrack('/volumes/1', owner('a'))).toEqual([]);
    expect(rows.owners('/volumes/1')).toEqual([owner('same remote')]);
    expect([...rows.paths('/volumes')]).toEqual(['/volumes/1']);
    expect(rows.untrack('/volumes/1', owner('same remote'))).toEqual([owner('same remote')]);
    expect([...rows.paths('/volumes')]).toEqual([]);
  });
});

const at = (updated: unknown, status: string): string => JSON.stringify({ id: 1, status, updated });
const swept = (answer: string, listed: string, requestedAt = 20): unknown => {
  const rows = new RowStore(60_000);
  rows.track('/volumes/1', owner('a'));
  rows.written('/volumes/1', JSON.parse(answer) as Row, 5, 10);
  rows.swept('/volumes/1', listed, requestedAt);
  return rows.get('/volumes/1')?.remote['status'];
};
describe('a listing within its lag after our change', () => {
  const [before, later] = ['2026-01-01T00:00:08', '2026-01-01T00:00:15'];
  test.each([
    ['counts where its row is of a later time', at(before, 'creating'), at(later, 'active'), 'active'],
    ['does not where it is of the same', at(before, 'creating'), at(before, 'active'), 'creating'],
    ['does not where it is of an earlier one', at(later, 'creating'), at(before, 'active'), 'creating'],
    ['does not where the answer names none', at(undefined, 'creating'), at(later, 'active'), 'creating'],
    ['does not where it names something else', at(before, 'creating'), at('zzz', 'active'), 'creating'],
  ])('%s', (_, answer, listed, status) => expect(swept(answer, listed)).toBe(status));
  test('does not where it was requested before our change was answered', () =>
    expect(swept(at(before, 'creating'), at(later, 'active'), 7)).toBe('creating'));
  test('is followed by no older one', () => {
    const rows = new RowStore(60_000);
    rows.track('/volumes/1', owner('a'));
    rows.written('/volumes/1', { id: 1, status: 'creating', updated: before }, 5, 10);
    rows.swept('/volumes/1', at(later, 'active'), 20);
    rows.swept('/volumes/1', at(before, 'creating'), 30);
    expect(rows.get('/volumes/1')?.remote['status']).toBe('active');
  });
});
