import { expect, it } from 'vitest';
import { InstallationKey } from '../../../src/engine/model/identity.ts';
import { formatReplacing, isReplacing, replacingOf } from '../../../src/engine/model/replacing.ts';
import type { Resource } from '../../../src/engine/ports/index.ts';

const key = new InstallationKey(Buffer.alloc(32, 1));
const name = { installation: 'i', kind: 'CloudVolume', namespace: 'team-a', name: 'data' };
const noted = { account: 'E1AF', path: '/volumes/7', at: Date.parse('2030-01-01T00:00:00Z') };
const object = (value: string, uid = 'u'): Resource => ({
  kind: 'CloudVolume',
  metadata: {
    namespace: 'team-a',
    name: 'data',
    uid,
    generation: 1,
    resourceVersion: '1',
    creationTimestamp: '',
    annotations: { 'cloudhosting.dev/replacing': value },
  },
  spec: {},
});
const text = formatReplacing({ key, name, object: object('') }, noted);

it('what is noted is read again', () => {
  expect(text).toMatch(/^E1AF\/volumes\/7#2030-01-01T00:00:00Z\.[a-z2-7]{16}$/);
  expect(replacingOf({ key, name, object: object(text) })).toEqual(noted);
  expect(isReplacing({ key, name, object: object(text) }, { ...noted, how: 'created' })).toBe(true);
  expect(isReplacing({ key, name, object: object(text) }, { ...noted, path: '/volumes/8', how: 'created' })).toBe(false);
});
it.each([
  text.replace('/7', '/8'),
  text.replace('E1AF', 'E1AE'),
  text.replace('2030', '2031'),
  text.slice(0, -1),
  formatReplacing({ key, name: { ...name, name: 'other' }, object: object('') }, noted),
  formatReplacing({ key, name, object: object('', 'earlier') }, noted),
  formatReplacing({ key: new InstallationKey(Buffer.alloc(32, 2)), name, object: object('') }, noted),
  '',
])('what somebody else wrote is nothing: %s', (value) => {
  expect(replacingOf({ key, name, object: object(value) })).toBeUndefined();
});
