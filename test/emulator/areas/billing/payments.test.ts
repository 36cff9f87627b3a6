import { expect, test } from 'vitest';
import { defaultAccounts } from '../../core/accounts.ts';
import type { TestAccount } from '../test-account.ts';
import { testAccount } from '../test-account.ts';

const methods = '/account/payment-methods';
const card = { card_number: '4111111111111112', cvv: '123', expiry_month: 12, expiry_year: 2029 };
const newMethod = { type: 'credit_card', is_default: false, data: card };

function owing(balance: number): TestAccount {
  const [first, ...rest] = defaultAccounts;
  return testAccount({ accounts: first === undefined ? [] : [{ ...first, record: { balance } }, ...rest] });
}

test('POST /account/payments GET /account/payments GET /account/payments/{paymentId}: the default card is charged, the balance falls', async () => {
  const api = owing(120.5);
  const made = await api.made('/account/payments', { usd: '$20.25', cvv: '123' });
  expect(made).toEqual({ id: made['id'], date: '2026-01-01T00:00:00', usd: 20.25 });
  expect(await api.seen('/account')).toMatchObject({ balance: 100.25 });
  expect((await api.get('/account/payments')).data).toEqual([{ id: 1000, date: '2025-12-31T00:00:00', usd: 21.2 }, made]);
  expect(await api.seen(`/account/payments/${String(made['id'])}`)).toEqual(made);
  expect(await api.event('payment_submitted')).toMatchObject({ entity: null, status: 'notification' });
  expect((await api.as('token-other').get(`/account/payments/${String(made['id'])}`)).status).toBe(404);
  expect((await api.get('/account/payments/9')).status).toBe(404);
});

test.each([
  [0, '4.99', 'Must be 5.00-2000.00'],
  [0, '2000.01', 'Must be 5.00-2000.00'],
  [3.5, '3.49', 'Must be 3.50-2000.00'],
  [9000, '9000.01', 'Must be 5.00-9000.00'],
  [60_000, '50000.01', 'Must be 5.00-50000.00'],
  [0, '1,000.00', 'usd is not valid'],
  [0, '10', 'usd is not valid'],
  [0, '€10.00', 'usd is not valid'],
])('who owes %d cannot pay %s', async (balance, usd, reason) => {
  const api = owing(balance);
  expect((await api.post('/account/payments', { usd, cvv: '123' })).errors).toEqual([`usd: ${reason}`]);
  expect(await api.seen('/account')).toMatchObject({ balance });
});

test.each([
  [3.5, '3.50'],
  [9000, '9000.00'],
  [0, '5.00'],
  [0, '$2000.00'],
])('who owes %d can pay %s', async (balance, usd) => {
  expect((await owing(balance).post('/account/payments', { usd, cvv: '1234' })).status).toBe(200);
});

test('a payment is refused without cvv, with a method that is not there, and when the card is declined', async () => {
  const api = testAccount();
  const pay = async (body: object) => (await api.post('/account/payments', { usd: '10.00', ...body })).errors;
  expect(await pay({})).toEqual(['cvv: cvv is required']);
  expect(await pay({ cvv: '12' })).toEqual(['cvv: cvv is not valid']);
  expect(await pay({ cvv: '123', payment_method_id: 9 })).toEqual(['payment_method_id: A valid payment method by that ID was not found']);
  expect((await api.post('/account/payments', {})).errors).toEqual(['usd: usd is required']);
  api.emulator.control.setKnobs({ cardsDeclined: true });
  expect(await pay({ cvv: '123' })).toEqual(['Your payment was declined.']);
  expect((await api.get('/account/payments')).body['results']).toBe(1);
  expect(await api.log()).toEqual([]);
});

test('a method that is no card needs no cvv', async () => {
  const [first] = defaultAccounts;
  const method = { id: 7, type: 'paypal', is_default: false, created: '2025-01-01T00:00:00', data: { email: 'a@example.org' } };
  const api = testAccount({ accounts: first === undefined ? [] : [{ ...first, rows: { 'payment methods': [method] } }] });
  expect((await api.get(methods)).data).toMatchObject([{ type: 'credit_card' }, method]);
  expect(await api.made('/account/payments', { usd: '10.00', payment_method_id: 7 })).toMatchObject({ usd: 10 });
});

test('POST /account/payments/paypal POST /account/payments/paypal/execute are no longer there', async () => {
  const api = testAccount();
  const urls = { cancel_url: 'https://example.org/a', redirect_url: 'https://example.org/b', usd: '10.00' };
  expect(await api.post('/account/payments/paypal', urls)).toMatchObject({ status: 404, errors: ['Not found'] });
  const execution = { payer_id: 'ABC', payment_id: 'PAY-1' };
  expect(await api.post('/account/payments/paypal/execute', execution)).toMatchObject({ status: 404, errors: ['Not found'] });
  expect((await api.get('/account/payments')).body['results']).toBe(1);
});

test('POST /account/payment-methods GET /account/payment-methods GET /account/payment-methods/{paymentMethodId}', async () => {
  const api = testAccount();
  expect(await api.made(methods, newMethod)).toEqual({});
  const [, added] = (await api.get(methods)).data;
  expect(added).toEqual({
    id: 1002,
    type: 'credit_card',
    is_default: false,
    created: '2026-01-01T00:00:00',
    data: { card_type: 'Visa', last_four: '1112', expiry: '12/2029' },
  });
  expect(await api.seen(`${methods}/1002`)).toEqual(added);
  expect(await api.event('payment_method_add')).toMatchObject({ entity: null });
  expect((await api.as('token-other').get(`${methods}/1002`)).status).toBe(404);
});

test('POST /account/payment-methods/{paymentMethodId}/make-default DELETE /account/payment-methods/{paymentMethodId}: one default', async () => {
  const api = testAccount();
  await api.made(methods, { ...newMethod, is_default: true });
  const defaults = async () => (await api.get(methods)).data.map((row) => [row['id'], row['is_default']]);
  expect(await defaults()).toEqual([
    [1000, false],
    [1002, true],
  ]);
  expect(await api.seen('/account')).toMatchObject({ credit_card: { last_four: '1112', expiry: '12/2029' } });
  expect((await api.delete(`${methods}/1002`)).errors).toEqual(['The default payment method cannot be deleted.']);
  expect(await api.made(`${methods}/1000/make-default`)).toEqual({});
  expect(await api.seen('/account')).toMatchObject({ credit_card: { last_four: '1111' } });
  expect((await api.as('token-readonly').delete(`${methods}/1002`)).body).toEqual({});
  expect(await defaults()).toEqual([[1000, true]]);
  expect((await api.post(`${methods}/1002/make-default`)).status).toBe(404);
  expect(await api.log()).toEqual(['payment_method_add notification']);
});

test.each([
  [{}, ['type: type is required', 'is_default: is_default is required', 'data: data is required']],
  [{ ...newMethod, type: 'paypal' }, ['type: type is not valid']],
  [{ ...newMethod, data: {} }, Object.keys(card).map((name) => `data.${name}: ${name} is required`)],
  [{ ...newMethod, data: { ...card, card_number: '4'.repeat(13) } }, ['data.card_number: Length must be 14-24 characters']],
  [{ ...newMethod, data: { ...card, card_number: '4111-1111-1111-1111' } }, ['data.card_number: card_number is not valid']],
  [{ ...newMethod, data: { ...card, cvv: '12' } }, ['data.cvv: cvv is not valid']],
  [{ ...newMethod, data: { ...card, expiry_month: 13 } }, ['data.expiry_month: Must be 1-12']],
  [{ ...newMethod, data: { ...card, expiry_year: 2025 } }, ['data.expiry_year: expiry_year is not valid']],
])('a payment method is refused, case %#', async (body, errors) => {
  expect((await testAccount().post(methods, body)).errors).toEqual(errors);
});

const until = (expiry_month: number) => ({ ...newMethod, data: { ...card, expiry_month, expiry_year: 2026 } });

test('a card is good up to the end of its month', async () => {
  const api = testAccount();
  expect((await api.post(methods, until(1))).status).toBe(200);
  api.seconds(31 * 86_400);
  expect((await api.post(methods, until(1))).errors).toEqual(['data.expiry_month: expiry_month is not valid']);
  expect((await api.post(methods, until(2))).status).toBe(200);
});

test('6 methods at a time, 60 a day', async () => {
  const api = testAccount();
  for (let count = 1; count < 6; count += 1) await api.made(methods, newMethod);
  expect((await api.post(methods, newMethod)).errors).toEqual(['An account may have at most 6 active payment methods.']);
  const newest = async () => String((await api.get(methods)).data.at(-1)?.['id']);
  for (let count = 5; count < 60; count += 1) {
    await api.delete(`${methods}/${await newest()}`);
    await api.made(methods, newMethod);
  }
  await api.delete(`${methods}/${await newest()}`);
  expect((await api.post(methods, newMethod)).errors).toEqual(['At most 60 payment methods may be added per day.']);
  api.seconds(86_400);
  expect((await api.post(methods, newMethod)).status).toBe(200);
});

test('POST /account/credit-card adds the default card', async () => {
  const api = testAccount();
  expect(await api.made('/account/credit-card', { ...card, card_number: '378282246310005' })).toEqual({});
  const shown = { is_default: true, data: { card_type: 'American Express', last_four: '0005', expiry: '12/2029' } };
  expect((await api.get(methods)).data).toMatchObject([{ is_default: false }, shown]);
  expect(await api.seen('/account')).toMatchObject({ credit_card: { last_four: '0005', expiry: '12/2029' } });
  expect(await api.event('credit_card_updated')).toMatchObject({ entity: null });
  expect((await api.post('/account/credit-card', { cvv: '1' })).errors).toEqual([
    'card_number: card_number is required',
    'cvv: cvv is not valid',
    'expiry_month: expiry_month is required',
    'expiry_year: expiry_year is required',
  ]);
  expect((await api.post('/account/credit-card', { ...card, expiry_year: 2020 })).errors).toEqual([
    'expiry_year: expiry_year is not valid',
  ]);
});

test('a restricted user reads payments with account access and pays only with more', async () => {
  const limited = testAccount().as('token-limited');
  expect((await limited.get('/account/payments')).status).toBe(200);
  expect((await limited.get(methods)).status).toBe(200);
  expect((await limited.post('/account/payments', { usd: '10.00', cvv: '123' })).status).toBe(403);
  expect((await limited.post(methods, newMethod)).status).toBe(403);
  expect((await limited.delete(`${methods}/1000`)).status).toBe(403);
  expect((await limited.as('token-readonly').post('/account/payments', { usd: '10.00' })).status).toBe(401);
});
