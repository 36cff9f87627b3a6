import { expect, it } from 'vitest';
import { apiLine, whereabouts } from '../../../src/plugin/account/typed-again.ts';

it.each([
  [{}, ''],
  [{ namespace: 'shop' }, ' -n shop'],
  [{ namespace: 'shop', account: 'main', tokenFile: 'a b' }, " -n shop --account main --token-file 'a b'"],
  [{ endpoint: 'a=https://a.test\nb=https://b.test' }, " --endpoint 'a=https://a.test' --endpoint 'b=https://b.test'"],
  [{ expectAccount: 'E1', output: 'json', context: 'prod' }, ' --expect-account E1'],
])('a line about the same account, after %j', (flags, words) => expect(whereabouts(flags)).toBe(words));

const call = { method: 'PUT', path: '/lke/clusters/1/pools/2', body: { tags: ['mine'] } } as const;
it.each([
  [{ account: 'main' }, `kubectl cloud api PUT /lke/clusters/1/pools/2 --write --data '{"tags":["mine"]}' --account main`],
  [{ account: 'main', cluster: false }, 'PUT /lke/clusters/1/pools/2 {"tags":["mine"]}'],
])('a request that a person is to send, after %j', (flags, line) => expect(apiLine(call, flags)).toBe(line));
