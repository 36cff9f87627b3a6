import { expect, it } from 'vitest';
import { admission } from '../../../src/engine/model/account.ts';
import type { AnyKind } from '../../../src/resource/index.ts';

const volume = { kind: 'CloudVolume' } as AnyKind;
const key = { namespace: 'platform', name: 'default' };

it.each([
  ['no kinds', {}, true],
  ['an empty list, as it was stored before that was refused', { kinds: [] }, true],
  ['this kind', { kinds: ['CloudVolume'] }, true],
  ['another kind', { kinds: ['CloudDomain'] }, false],
])('an entry that names %s', (_, entry, admits) => {
  const access = [{ namespaces: ['shop'], ...entry }];
  expect(admission({ key, access }, volume, 'shop') !== undefined).toBe(admits);
  expect(admission({ key, access }, volume, 'blog')).toBeUndefined();
});
