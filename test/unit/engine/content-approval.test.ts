import { describe, expect, it } from 'vitest';
import { contentHash, judgeContent } from '../../../src/engine/plan/content-approval.ts';
import { Sensitive } from '../../../src/resource/index.ts';

const subject = { kind: 'CloudInstance', namespace: 'team-a', name: 'web', path: '/vm/instances/7' };
const resize = { field: 'type', want: 'g6-standard-1', have: 'g6-nanode-1' };
const hash = contentHash(subject, 'Reboot', [resize]);

describe('what names a change by its content', () => {
  it('is the same wherever and whenever it is computed', () => {
    // Written out: what was committed beside a change must still be accepted by a later operator.
    expect(hash).toBe('ypvbg2r3nfmareaw');
  });
  it('does not depend on the order of fields, nor on that of members', () => {
    const tags = { field: 'config', want: { b: 1, a: [2] }, have: undefined };
    expect(contentHash(subject, 'Reboot', [tags, resize])).toBe(
      contentHash(subject, 'Reboot', [resize, { ...tags, want: { a: [2], b: 1 }, have: null }]),
    );
  });
  it.each([
    ['kind', contentHash({ ...subject, kind: 'CloudVolume' }, 'Reboot', [resize])],
    ['namespace', contentHash({ ...subject, namespace: 'team-b' }, 'Reboot', [resize])],
    ['name', contentHash({ ...subject, name: 'db' }, 'Reboot', [resize])],
    ['remote', contentHash({ ...subject, path: '/vm/instances/8' }, 'Reboot', [resize])],
    ['effect', contentHash(subject, 'Rebuild', [resize])],
    ['field', contentHash(subject, 'Reboot', [{ ...resize, field: 'image' }])],
    ['what is wanted', contentHash(subject, 'Reboot', [{ ...resize, want: 'g6-standard-2' }])],
    ['what is seen', contentHash(subject, 'Reboot', [{ ...resize, have: 'g6-standard-2' }])],
    ['another change', contentHash(subject, 'Reboot', [resize, { field: 'tags', want: [], have: ['a'] }])],
    ['the far end of a long text', contentHash(subject, 'Reboot', [{ ...resize, want: `${'x'.repeat(5000)}y` }])],
  ])('is another one for another %s', (_, other) => {
    expect(other).toMatch(/^[a-z2-7]{16}$/);
    expect(other).not.toBe(hash);
    expect(other).not.toBe(contentHash(subject, 'Reboot', [{ ...resize, want: 'x'.repeat(5001) }]));
  });
  it.each([
    { ...resize, want: new Sensitive('secret') },
    { ...resize, have: new Sensitive('') },
    { ...resize, want: { nested: [new Sensitive('secret')] } },
  ])('is none where a secret is part of it', (change) => expect(contentHash(subject, 'Reboot', [resize, change])).toBeUndefined());
});

describe('an approval by content', () => {
  const now = Date.parse('2030-01-01T00:00:00Z');
  const until = '2030-01-02T00:00:00Z';
  const value = `${hash}.${until}`;
  const judge = (facts: Partial<Parameters<typeof judgeContent>[0]>) => judgeContent({ value, content: hash, spent: [], now, ...facts });
  const others = (count: number, end = until): string[] => Array.from({ length: count }, (_, n) => `${'abcdefgh'[n]?.repeat(16)}.${end}`);

  it('is none without the annotation', () => expect(judge({ value: undefined })).toEqual({ is: 'none' }));
  it('is kept as spent from the moment in which it counts', () =>
    expect(judge({ spent: others(2) })).toEqual({ is: 'approved', value, spent: [...others(2), value] }));
  it('forgets those whose time is over', () =>
    expect(judge({ spent: others(8, '2030-01-01T00:00:00Z') })).toEqual({ is: 'approved', value, spent: [value] }));
  it.each([
    ['counts once', { spent: [value] }],
    ['is over', { now: Date.parse(until) }],
    ['14 days', { now: Date.parse(until) - 14 * 24 * 3_600_000 - 1 }],
    ['eight', { spent: others(8) }],
    ['another change', { content: 'a'.repeat(16) }],
    ['a secret', { content: undefined }],
    ['cannot be read', { value: hash }],
    ['cannot be read', { value: `${hash}.tomorrow` }],
    ['cannot be read', { value: `${hash}.2030-01-02` }],
    ['cannot be read', { value: `ABCDEFGHIJKLMNOP.${until}` }],
    ['cannot be read', { value: 'true' }],
  ])('%s', (text, facts) => expect(judge(facts)).toEqual({ is: 'refused', why: expect.stringContaining(text) }));
  it('may end exactly 14 days ahead', () =>
    expect(judge({ now: Date.parse(until) - 14 * 24 * 3_600_000 })).toMatchObject({ is: 'approved' }));
});
