import { describe, expect, it } from 'vitest';
import { Names } from '../../../src/plugin/export/placing/names.ts';

const scope = { kind: 'CloudBucket', namespace: 'team-a' };
const given = (remotes: readonly (readonly [string, string | number])[], taken: readonly string[] = []): readonly string[] => {
  const names = new Names();
  for (const name of taken) names.take({ ...scope, name });
  return remotes.map(([label, id]) => names.give(scope, { label }, id));
};

describe('names of objects', () => {
  it('are labels, with the id where two are called the same', () => {
    expect(
      given([
        ['Data', 1],
        ['data', 2],
        ['', 3],
      ]),
    ).toEqual(['data', 'data-2', '3']);
  });

  it.each([
    [
      'is called as another one with its id would be',
      [
        ['data-12', 5],
        ['data', 11],
        ['Data', 12],
      ],
      [],
    ],
    [
      'an object is called so',
      [
        ['data', 11],
        ['Data', 12],
      ],
      ['data-12'],
    ],
    [
      'label and id are too long to tell them apart',
      ['a', 'b', 'c'].map((last) => [
        `${'customer-uploads-'.repeat(3)}-of-${last}`,
        `us-east-1/${'customer-uploads-'.repeat(3)}-of-${last}`,
      ]),
      [],
    ],
    [
      'there is nothing to call them after',
      [
        ['', '/'],
        ['', '//'],
      ],
      [],
    ],
  ] as const)('are given once where %s', (_, remotes, taken) => {
    const names = given(remotes as readonly (readonly [string, string | number])[], taken);
    expect(new Set([...taken, ...names]).size).toBe(taken.length + remotes.length);
    for (const name of names) expect(name).toMatch(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
  });
});
