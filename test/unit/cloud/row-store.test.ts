import { describe, expect, test } from 'vitest';
import type { Owner } from '../../../src/engine/ports.ts';
import { RowStore } from '../../../src/cloud/row-store.ts';
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
    rows.own('/volumes/1', owner('a'));
    rows.own('/volumes/1', owner('a'));
    rows.own('/volumes/1', owner('same remote'));
    rows.own('/volumes/2', owner('b'));
    rows.own('/volumes/2', owner('b', 'instance'));
    rows.own('/volumes/2', owner('b', 'instance', '/elsewhere'));
    expect(count()).toEqual([2, 1]);
    rows.disown('/volumes/1');
    rows.disown('/volumes/1');
    expect(count()).toEqual([1, 1]);
    rows.disown('/volumes/2');
    expect(count()).toEqual([0, 0]);
  });
});
