import { expect } from 'vitest';
import type { Reply } from '../../test-client.ts';
import type { TestAccount } from '../test-account.ts';
import { actionsOf } from './event-table.ts';

export type Row = Readonly<Record<string, unknown>>;
export type Call = readonly [method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object];

/** A path of one row of a collection, chosen by the number; of one that never was when there is none, and now and then. */
type Some = (collection: string, at: number) => Promise<string>;
export type Play = (some: Some, a: number, b: number) => Promise<Call>;

export const numberOf = (path: string): number => Number(path.split('/').at(-1));

async function rowsOf(api: TestAccount, path: string): Promise<readonly Row[]> {
  if (!path.endsWith('/ips')) return (await api.get(`${path}?page_size=500`)).data;
  const { ipv4 } = (await api.get(path)).body as { ipv4?: { public: readonly Row[]; private: readonly Row[] } };
  return [...(ipv4?.public ?? []), ...(ipv4?.private ?? [])].map((row) => ({ id: row['address'] }));
}

const someOf =
  (api: TestAccount): Some =>
  async (collection, at) => {
    const rows = await rowsOf(api, collection);
    return `${collection}/${rows.length === 0 || at % 19 === 18 ? '999999' : String(rows[at % rows.length]?.['id'])}`;
  };

const eventsOf = (api: TestAccount): readonly Row[] => api.emulator.control.rows('events') as readonly Row[];

/** What the record of the path, or of the path above an action, shows before a call. */
async function before(api: TestAccount, [method, path]: Call): Promise<Row> {
  return (await api.get(method === 'POST' ? path.split('/').slice(0, -1).join('/') : path)).body;
}

/** Makes the call; what it does to events must be what the documents say, and a refusal must change nothing at all. */
export async function perform(api: TestAccount, play: Play, a: number, b: number): Promise<Reply> {
  const call = await play(someOf(api), a, b);
  const [method, path, body] = call;
  const record = await before(api, call);
  const known = eventsOf(api).length;
  const answer = await api.send(method, path, { authorization: 'Bearer token-admin' }, body);
  const made = eventsOf(api).slice(known);
  const request = api.emulator.control.requests().at(-1);
  const operation = `${method} ${request?.template ?? ''}`;
  const wanted = answer.status === 200 ? actionsOf(operation, (body ?? {}) as Row, record) : [];
  expect([operation, made.map((event) => event['action'] as string).toSorted(byName)]).toEqual([operation, wanted.toSorted(byName)]);
  expect(made.filter((event) => event['username'] !== 'admin')).toEqual([]);
  if (answer.status !== 200) expect([operation, request?.changes]).toEqual([operation, []]);
  return answer;
}

const byName = (left: string, right: string): number => left.localeCompare(right);
