import { describe, expect, it, vi } from 'vitest';
import { intentAnnotation } from '../../../src/engine/model/annotations.ts';
import { InstallationKey } from '../../../src/engine/model/identity.ts';
import { formatIntent, type Holder, type Intent, intentOf } from '../../../src/engine/model/intent.ts';
import { canonical } from '../../../src/engine/model/values.ts';
import { OpenCreateIndex } from '../../../src/engine/memory/open-create-index.ts';

const name = { installation: 'prod', kind: 'CloudDomain', namespace: 'team-a', name: 'x' };
const holder = (text?: string, key = new InstallationKey(Buffer.from('key'))): Holder => ({
  key,
  name,
  object: {
    kind: 'CloudDomain',
    metadata: { namespace: 'team-a', name: 'x', uid: 'uid', ...(text !== undefined && { annotations: { [intentAnnotation]: text } }) },
    spec: {},
  } as never,
});
const intent: Intent = {
  key: { in: '/domains', is: { domain: 'a,"mac":"aaaaaaaaaaaaaaaa".example' } },
  before: ['1', '2'],
  attempts: [{ n: 1, at: '2026-01-01T00:00:00Z' }],
};

describe('the intent in an annotation', () => {
  it.each([intent, { ...intent, renews: '/domains/1' }])('is read as it was written (%#)', (one) => {
    expect(intentOf(holder(formatIntent(holder(), one)))).toEqual(one);
    const next = new InstallationKey(Buffer.from('next'), [Buffer.from('key')]);
    expect(intentOf(holder(formatIntent(holder(), one), next))).toEqual(one);
  });
  const spoiled: readonly (readonly [string, (text: string) => string, InstallationKey?])[] = [
    ['another key', (text: string) => text, new InstallationKey(Buffer.from('next'))],
    ['another attempt', (text: string) => text.replace('"n":1', '"n":2')],
    ['a field more', (text: string) => text.replace('{"attempts"', '{"a":1,"attempts"')],
    ['a blank more', (text: string) => `${text} `],
    ['another mac', (text: string) => text.replace(/"mac":"./g, '"mac":"0')],
    ['no mac', (text: string) => text.replace(/,"mac":"[a-z2-7]{16}"/g, '')],
  ];
  it.each(spoiled.map(([what, change, key]) => ({ what, change, key })))('counts for nothing with $what', ({ change, key }) => {
    expect(intentOf(holder(change(formatIntent(holder(), intent)), key))).toBeUndefined();
  });
  it('that nobody signed is not even read, as thousands of long ones would hold up everybody', () => {
    const is = Object.fromEntries(Array.from({ length: 3500 }, (_, n) => [`k${n}`, 1]));
    const forged = `{"attempts":[{"at":"2030-01-01T00:00:00Z","n":1}],"before":[],"key":{"in":"/domains","is":${JSON.stringify(is)}},"mac":"aaaaaaaaaaaaaaaa"}`;
    const read = vi.spyOn(JSON, 'parse');
    expect(intentOf(holder(forged))).toBeUndefined();
    expect(read).not.toHaveBeenCalled();
    read.mockRestore();
  });
});

const made = (key: unknown): OpenCreateIndex => {
  const index = new OpenCreateIndex();
  const text = JSON.stringify({ attempts: [], before: [], key });
  index.note('CloudDomain', { namespace: 'team-a', name: 'x' }, holder(text).object);
  return index;
};

describe('the index of open creates', () => {
  it('has an object under the key of its create', () => {
    expect([...made({ is: { domain: 'a' }, in: '/domains' }).of('CloudDomain', '{"in":"/domains","is":{"domain":"a"}}')]).toHaveLength(1);
  });
  it.each([
    ['thousands of fields', { in: '/domains', is: Object.fromEntries(Array.from({ length: 3500 }, (_, n) => [`k${n}`, 1])) }],
    ['fields within fields', { in: '/domains', is: { domain: { a: 1 } } }],
    ['fields beside', { in: '/domains', is: {}, ...Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`k${n}`, 1])) }],
    ['a place of thousands of fields', { in: Object.fromEntries(Array.from({ length: 3500 }, (_, n) => [`k${n}`, 1])), is: {} }],
    ['no fields', { in: '/domains' }],
  ])('knows no key of %s', (_, key) => {
    expect([...made(key).of('CloudDomain', canonical(key))]).toEqual([]);
  });
});
