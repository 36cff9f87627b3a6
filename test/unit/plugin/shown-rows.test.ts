import { expect, it } from 'vitest';
import type { AccountReader } from '../../../src/plugin/account/account-reader.ts';
import { answered } from '../../../src/plugin/look/shown.ts';

const reader = { shown: { account: 'shop/default' } } as unknown as AccountReader;

it.each(['lines', 'wide'] as const)('no secret of the account is in %s, whatever shows its rows', (form) => {
  const rows = [{ id: 1, api_key: 'told-to-nobody', below: { password: 'told-to-nobody' } }];
  const answer = answered(
    reader,
    rows,
    (shown) => [JSON.stringify(shown)],
    (shown) => [JSON.stringify(shown)],
  );
  expect(answer[form]).toEqual(['[{"id":1,"api_key":"***","below":{"password":"***"}}]']);
});
