import { expect, it } from 'vitest';
import { signUser, verifyUser } from './user-token.ts';

const USER = { name: 'jane', groups: ['developers', 'system:authenticated'] };

it('carries its user', () => {
  expect(verifyUser(signUser(USER, 'key'), 'key')).toEqual(USER);
});

it.each([
  ['another key', signUser(USER, 'other')],
  [
    'a changed user',
    signUser(USER, 'key').replace(/\.(.*)\./, `.${Buffer.from('{"name":"admin","groups":["system:masters"]}').toString('base64url')}.`),
  ],
  ['a part more', `${signUser(USER, 'key')}.x`],
  ['no token of ours', 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln'],
  ['nothing', ''],
])('refuses %s', (_what, token) => {
  expect(verifyUser(token, 'key')).toBeUndefined();
});
