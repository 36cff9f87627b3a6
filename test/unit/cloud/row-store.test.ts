import { describe, expect, test } from 'vitest';
import type { Owner } from '../../../src/engine/ports/index.ts';
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
