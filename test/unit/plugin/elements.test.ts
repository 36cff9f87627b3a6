import { describe, expect, it } from 'vitest';
import { elementsOf } from '../../../src/plugin/dry/elements.ts';
import { Sensitive } from '../../../src/resource/index.ts';

describe('how two records differ', () => {
  const have = { name: 'pool 7 without the mark of base', type: 'g6-standard-1', count: 3, autoscaler: { enabled: false } };
  it('is told field by field, without those that agree', () => {
    expect(elementsOf(have, { ...have, name: 'base', count: 5 })).toEqual([
      '~ name: pool 7 without the mark of base -> base',
      '~ count: 3 -> 5',
    ]);
  });
  it('is told of what is known as text, as status has it', () => {
    expect(elementsOf(JSON.stringify(have), { ...have, count: 5 })).toEqual(['~ count: 3 -> 5']);
  });
  it('is told field by field where there is only one of them', () => {
    const all = ['name: pool 7 without the mark of base', 'type: g6-standard-1', 'count: 3', 'autoscaler: {enabled: false}'];
    expect(elementsOf(undefined, have)).toEqual(all.map((line) => `+ ${line}`));
    expect(elementsOf(JSON.stringify(have), null)).toEqual(all.map((line) => `- ${line}`));
  });
  it('shows no secret', () => {
    expect(elementsOf({ count: 1 }, { count: 2, password: new Sensitive('canary') })).toEqual([
      '~ count: 1 -> 2',
      '~ password: none -> [redacted]',
    ]);
  });
  it('is no list of differences where one of them is none, or where all agree', () => {
    expect([elementsOf('a text', have), elementsOf(have, have)]).toEqual([undefined, undefined]);
  });
});

describe('how two lists of records differ', () => {
  it('is told by what came, went and changed', () => {
    expect(
      elementsOf(
        [
          { name: 'a', port: 1 },
          { name: 'b', port: 2 },
        ],
        [
          { name: 'b', port: 3 },
          { name: 'c', port: 4 },
        ],
      ),
    ).toEqual(['- [0] a: {port: 1}', '~ [0] b: port: 2 -> 3', '+ [1] c: {port: 4}']);
  });
});
