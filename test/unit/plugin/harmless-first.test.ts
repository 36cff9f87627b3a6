import { expect, it } from 'vitest';
import { belowDeleting } from '../../support/plugin/harmless-first.ts';

const look = '  kubectl cloud release --list -n a cacc/default';
const keep = `  kubectl -n a patch cvol x --type=merge -p '{"spec":{"lifecycle":{"protect":false,"onDelete":"Retain"}}}'`;
const deleting = [
  '  kubectl cloud release -n a cacc/default --of a',
  '  kubectl -n a delete cloudvolume x',
  `  kubectl -n a patch cdisk x --type=merge -p '{"spec":{"lifecycle":{"protect":false}}}'`,
  `  kubectl -n a patch cvol x --type=merge -p '{"spec":{"lifecycle":{"protect":false,"onDelete":"Delete"}}}'`,
];

it.each(deleting)('what keeps below what deletes is found: %s', (line) => {
  for (const one of [look, keep]) {
    expect(belowDeleting('why cvol/x', [one, line].join('\n'))).toBeUndefined();
    expect(belowDeleting('why cvol/x', ['What to do:', line, one].join('\n'))).toBe(one.trim());
  }
});

it('several that delete may follow each other, and another block is another matter', () => {
  expect(belowDeleting('status', deleting.join('\n'))).toBeUndefined();
  expect(belowDeleting('status', [...deleting, 'CloudVolume a/y: Busy', look].join('\n'))).toBeUndefined();
});
