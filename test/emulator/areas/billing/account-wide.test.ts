import { expect, test } from 'vitest';
import { defaultAccounts } from '../../core/accounts.ts';
import type { TestAccount } from '../test-account.ts';
import { testAccount } from '../test-account.ts';

function accountWith(record: Readonly<Record<string, unknown>>, rows = {}): TestAccount {
  const [first, ...rest] = defaultAccounts;
  return testAccount({ accounts: first === undefined ? [] : [{ ...first, record, rows }, ...rest] });
}

test('GET /account/invoices GET /account/invoices/{invoiceId} GET /account/invoices/{invoiceId}/items: what the provider billed', async () => {
  const invoice = {
    id: 77,
    date: '2025-12-01T00:00:00',
    label: 'Invoice #77',
    subtotal: 5,
    tax: 0,
    tax_summary: [],
    total: 5,
  };
  const item = {
    label: 'Nanode 1GB',
    type: 'misc',
    amount: 5,
    tax: 0,
    total: 5,
    quantity: 1,
    unit_price: '5.00',
    from: '2025-11-01T00:00:00',
    to: '2025-11-30T23:59:59',
  };
  const api = accountWith({}, { invoices: [invoice] });
  expect((await api.get('/account/invoices/77/items')).data).toEqual([]);
  api.emulator.control.edit({ collection: 'invoices', key: 77, row: { label: 'Invoice #77, corrected' } });
  api.emulator.control.edit({ collection: 'invoice items', row: { id: 9, invoice_id: 77, ...item } });
  const corrected = { ...invoice, label: 'Invoice #77, corrected' };
  const list = await api.get('/account/invoices');
  expect(list.data).toMatchObject([{ label: 'Invoice #1000', total: 21.2 }, corrected]);
  expect(await api.seen('/account/invoices/77')).toEqual(corrected);
  expect((await api.get('/account/invoices/77/items')).data).toEqual([item]);
  const seeded = await api.get('/account/invoices/1000/items');
  expect(seeded.data.map((row) => row['total'])).toEqual([21.2]);
  expect((await api.get('/account/invoices/78/items')).status).toBe(404);
  expect((await api.as('token-other').get('/account/invoices/77')).status).toBe(404);
  expect((await api.as('token-limited').get('/account/invoices')).status).toBe(200);
});

test('GET /account/logins GET /account/logins/{loginId}: ninety days of all users, for unrestricted users', async () => {
  const api = testAccount();
  const [login] = (await api.get('/account/logins')).data;
  expect(login).toEqual({
    id: 1000,
    datetime: '2025-12-31T00:00:00',
    ip: '192.0.2.0',
    username: 'admin',
    status: 'successful',
    restricted: false,
  });
  expect(await api.seen('/account/logins/1000')).toEqual(login);
  expect((await api.as('token-other').get('/account/logins/1000')).status).toBe(404);
  expect((await api.as('token-limited').get('/account/logins')).status).toBe(403);
  expect((await api.as('token-limited').get('/account/logins/1000')).status).toBe(403);
  api.emulator.control.edit({
    collection: 'logins',
    row: { datetime: '2026-01-01T00:00:00', ip: '192.0.2.1', username: 'limited', status: 'successful', restricted: true },
  });
  api.seconds(89 * 86_400 + 1);
  expect((await api.get('/account/logins')).data).toMatchObject([{ username: 'limited' }]);
  expect((await api.get('/account/logins/1000')).status).toBe(404);
});

test('POST /account/promo-codes: a young account without one takes a code that is still good', async () => {
  const api = accountWith({ active_since: '2025-12-01T00:00:00' });
  const promotion = await api.made('/account/promo-codes', { promo_code: 'WELCOME50' });
  expect(promotion).toMatchObject({ credit_remaining: '50.00', service_type: 'all' });
  expect(await api.seen('/account')).toMatchObject({ active_promotions: [promotion] });
  expect(await api.event('account_promo_apply')).toMatchObject({ entity: null });
  expect((await api.post('/account/promo-codes', { promo_code: 'WELCOME50' })).errors).toEqual([
    'promo_code: This account has a promotion already.',
  ]);
});

test.each([
  [{}, 'promo_code is required'],
  [{ promo_code: 'p'.repeat(33) }, 'Length must be 1-32 characters'],
  [{ promo_code: 'NOSUCH' }, 'promo_code is not valid'],
  [{ promo_code: 'SUMMER2020' }, 'promo_code is not valid'],
])('a promo code is refused, case %#', async (body, reason) => {
  const api = accountWith({ active_since: '2025-12-01T00:00:00' });
  expect((await api.post('/account/promo-codes', body)).errors).toEqual([`promo_code: ${reason}`]);
  expect(await api.seen('/account')).toMatchObject({ active_promotions: [] });
});

test('the account that is there without any file takes a promo code', async () => {
  expect(await testAccount().made('/account/promo-codes', { promo_code: 'WELCOME50' })).toMatchObject({ credit_remaining: '50.00' });
});

test('promo codes are neither for old accounts nor for restricted users', async () => {
  const api = accountWith({ active_since: '2025-09-01T00:00:00' });
  expect((await api.post('/account/promo-codes', { promo_code: 'WELCOME50' })).errors).toEqual([
    'promo_code: Promo codes are only for accounts younger than 90 days.',
  ]);
  expect((await api.as('token-limited').post('/account/promo-codes', { promo_code: 'WELCOME50' })).status).toBe(403);
});

test('POST /account/cancel: what is owed is charged first, and 409 when that fails', async () => {
  const unable = 'We were unable to charge your credit card for services rendered.';
  const api = accountWith({ balance: 42.5 });
  api.emulator.control.setKnobs({ cardsDeclined: true });
  const refused = await api.post('/account/cancel', { comments: 'Too dear' });
  expect(refused).toMatchObject({ status: 409, errors: [expect.stringContaining(unable)] });
  expect(await api.seen('/account')).toMatchObject({ balance: 42.5 });
  api.emulator.control.setKnobs({ cardsDeclined: false });
  expect((await api.as('token-limited').post('/account/cancel')).status).toBe(403);
  expect((await api.post('/account/cancel', { comments: 5 })).errors).toEqual(['comments: comments is not valid']);
  expect(await api.made('/account/cancel')).toEqual({ survey_link: expect.stringMatching(/^https:/) });
  expect(await api.seen('/account')).toMatchObject({ balance: 0 });
  expect((await api.get('/account/payments')).data.at(-1)).toMatchObject({ usd: 42.5 });
  expect(await api.log()).toEqual([]);
  const cardless = accountWith({ balance: 1 });
  cardless.emulator.control.edit({ collection: 'payment methods', key: 1000 });
  expect((await cardless.post('/account/cancel')).status).toBe(409);
});
