import { describe, expect, test } from 'vitest';
import { readWhole, readWholeAnySize } from '../../../src/cloud/http/pages.ts';
import type { Request } from '../../../src/cloud/http/client.ts';
import { CloudError } from '../../../src/engine/ports/index.ts';
import type { Reply } from '../../../src/engine/ports/index.ts';

const row = (id: number) => ({ id });
/** A collection that may change between two requests. */
function collection(ids: readonly number[], change?: (ids: readonly number[], request: number) => readonly number[]) {
  let [now, requests] = [ids, 0];
  const ask = ({ path }: Request): Promise<Reply> => {
    const query = new URLSearchParams(path.split('?')[1]);
    const [page, size] = [Number(query.get('page')), Number(query.get('page_size'))];
    now = change?.(now, requests) ?? now;
    requests += 1;
    const data = now.slice((page - 1) * size, page * size).map(row);
    const body = { data, page, pages: Math.max(1, Math.ceil(now.length / size)), results: now.length };
    return Promise.resolve({ body, apiTime: 0, requestedAt: requests, answeredAt: requests });
  };
  return { ask, requests: () => requests };
}
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
const idsOf = (rows: readonly Record<string, unknown>[]): readonly unknown[] =>
  rows.map(({ id }) => id).toSorted((a, b) => Number(a) - Number(b));

describe('a whole collection', () => {
  test.each([0, 1, 499, 500, 501, 1700])('of %i rows', async (count) => {
    const { ask, requests } = collection(upTo(count));
    const whole = await readWhole(ask, '/volumes');
    expect(idsOf(whole.rows)).toEqual(upTo(count));
    expect(whole).toMatchObject({ complete: true, requestedAt: 1, calls: Math.max(1, Math.ceil(count / 500)) });
    expect(requests()).toBe(whole.calls);
  });

  test('that loses a row between two pages is read again, so that no row seems to have vanished', async () => {
    const { ask } = collection(upTo(1200), (ids, request) => (request === 1 ? ids.filter((id) => id !== 3) : ids));
    const whole = await readWhole(ask, '/volumes');
    expect(whole.complete).toBe(true);
    expect(idsOf(whole.rows)).toEqual(upTo(1200).filter((id) => id !== 3));
    expect(whole.requestedAt).toBe(4);
  });

  test('that never keeps still is not called complete, and what was seen is kept', async () => {
    const { ask } = collection(upTo(1200), (ids, request) => ids.filter((id) => id !== request + 1));
    const whole = await readWhole(ask, '/volumes');
    expect(whole.complete).toBe(false);
    expect(whole.rows.length).toBeGreaterThanOrEqual(1190);
  });

  test('that grows meanwhile has all that was there before', async () => {
    const { ask } = collection(upTo(1000), (ids) => [...ids, ids.length + 1]);
    const whole = await readWhole(ask, '/volumes');
    for (const id of upTo(1000)) expect(idsOf(whole.rows)).toContain(id);
  });

  test('whose last page is gone meanwhile (404) is read again', async () => {
    const { ask } = collection(upTo(501));
    let refused = false;
    const sometimes = (request: Request): Promise<Reply> => {
      if (request.path.includes('page=2&') && !refused) {
        refused = true;
        return Promise.reject(new CloudError('NotFound', 'gone'));
      }
      return ask(request);
    };
    expect(await readWhole(sometimes, '/volumes')).toMatchObject({ complete: true, calls: 3 });
  });

  test('that refuses large pages is read in smaller ones', async () => {
    const { ask } = collection(upTo(250));
    const picky = (request: Request): Promise<Reply> =>
      request.path.includes('page_size=500')
        ? Promise.reject(new CloudError('Rejected', 'no', { reasons: [{ reason: 'Must be 25-100', field: 'page_size' }] }))
        : ask(request);
    expect((await readWholeAnySize(picky, '/networking/ips')).rows).toHaveLength(250);
  });

  test('whose rows have no id may have two alike, as items of an invoice', async () => {
    const data = [{ label: 'a' }, { label: 'b' }, { label: 'a' }];
    const body = { data, page: 1, pages: 1, results: 3 };
    const ask = (): Promise<Reply> => Promise.resolve({ body, apiTime: 0, requestedAt: 0, answeredAt: 0 });
    expect(await readWhole(ask, '/account/invoices/1/items')).toMatchObject({ rows: data, complete: true, calls: 1 });
  });

  test('says each time that it is read again', async () => {
    const { ask } = collection(upTo(1200), (ids, request) => ids.filter((id) => id !== request + 1));
    let again = 0;
    await readWhole(ask, '/volumes', { onAgain: () => (again += 1) });
    expect(again).toBe(2);
  });

  test('whose rows have no id is told apart by their content', async () => {
    const data = [{ label: 'a' }, { label: 'b' }];
    const ask = (): Promise<Reply> =>
      Promise.resolve({ body: { data, page: 1, pages: 1, results: 2 }, apiTime: 0, requestedAt: 0, answeredAt: 0 });
    expect((await readWhole(ask, '/object-storage/buckets')).rows).toEqual(data);
  });

  test('that is no collection is malformed', async () => {
    const answer: Reply = { body: { ipv4: {} }, apiTime: 0, requestedAt: 0, answeredAt: 0 };
    await expect(readWhole(() => Promise.resolve(answer), '/vm/instances/1/ips')).rejects.toMatchObject({ fault: 'Malformed' });
  });
});
