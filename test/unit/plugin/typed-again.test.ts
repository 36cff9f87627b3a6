import { expect, it } from 'vitest';
import { whereabouts } from '../../../src/plugin/account/typed-again.ts';

it.each([
  [{}, ''],
  [{ namespace: 'shop' }, ' -n shop'],
  [{ namespace: 'shop', account: 'main', tokenFile: 'a b' }, " -n shop --account main --token-file 'a b'"],
  [{ endpoint: 'a=https://a.test\nb=https://b.test' }, " --endpoint 'a=https://a.test' --endpoint 'b=https://b.test'"],
  [{ expectAccount: 'E1', output: 'json', context: 'prod' }, ' --expect-account E1'],
])('a line about the same account, after %j', (flags, words) => expect(whereabouts(flags)).toBe(words));
