import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { areas } from '../areas.ts';
import type { Operation } from '../contract/operation.ts';
import type { Reply } from '../test-client.ts';
import type { Furnished } from './rules/furnished.ts';
import { furnished } from './rules/furnished.ts';
import { filled } from './rules/rule.ts';

interface Served {
  readonly area: string;
  readonly operation: Operation;
}

const served: readonly Served[] = areas.flatMap(({ name: area, operations }) => operations.map((operation) => ({ area, operation })));
const nameOf = ({ operation: { method, path } }: Served): string => `${method} ${path}`;

let account: Furnished;

beforeAll(async () => {
  const { api, ids } = await furnished();
  const postgresql = { label: 'pgs', engine: 'postgresql/13.2', region: 'us-east', type: 'g6-nanode-1' };
  const [invoice] = (await api.get('/account/invoices')).data;
  const more = {
    c: (await api.made('/managed/credentials', { label: 'cred', password: 'secret' }))['id'],
    label: (await api.made('/tags', { label: 'tagged', vms: [Number(ids['vmId'])] }))['label'],
    postgresqlId: (await api.made('/databases/postgresql/instances', postgresql))['id'],
    invoiceId: invoice?.['id'],
  };
  api.seconds(7200);
  account = { api, ids: { ...ids, ...Object.fromEntries(Object.entries(more).map(([name, id]) => [name, String(id)])) } };
});

/** `POST /volumes/{}` -> its documented body. */
const examples = new Map(
  readFileSync(new URL('rules/requests.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
    .map(([, , call = '', , example = '{}']) => [
      call.replace('us-east-1', '{}').replaceAll(/\{\w+\}/g, '{}'),
      JSON.parse(example) as object,
    ]),
);

const anonymous = (path: string): string => path.replaceAll(/\{\w+\*?\}/g, '{}');

const databaseIds = ['mongodbId', 'postgresqlId'];

/** What stands for a path parameter; in object storage a cluster is another thing. */
function idOf(path: string, name: string): string {
  const ids: Readonly<Record<string, string | undefined>> = path.startsWith('/object-storage')
    ? { clusterId: 'us-east-1', bucket: account.ids['bucket'] }
    : { ...account.ids, instanceId: account.ids[databaseIds.find((word) => path.includes(word.replace('Id', ''))) ?? 'instanceId'] };
  return ids[name] ?? '1';
}

function ask({ method, path, segments }: Operation, unknown: string | undefined, query = '', headers: object = {}): Promise<Reply> {
  const at = path.replaceAll(/\{(\w+)\*?\}/g, (_whole, name: string) => (name === unknown ? '999999' : idOf(path, name)));
  const body = examples.get(`${method} ${anonymous(path)}`);
  const sent = { authorization: 'Bearer token-admin', ...headers };
  return account.api.send(method, `${segments === 'v4beta' ? 'beta' : ''}${at}${query}`, sent, body && filled(body, account.ids));
}

/** What was asked of how many operations, by area. */
class Table {
  readonly #rows = new Map<string, { asked: number; good: number }>();
  readonly wrong: string[] = [];

  add({ area }: Served, good: boolean, what: string): void {
    const row = this.#rows.get(area) ?? { asked: 0, good: 0 };
    this.#rows.set(area, { asked: row.asked + 1, good: row.good + Number(good) });
    if (!good) this.wrong.push(what);
  }

  print(title: string): void {
    const parts = [...this.#rows].map(([area, { asked, good }]) => `${area} ${good}/${asked}`);
    process.stdout.write(`${title}: ${parts.join(', ')}\n`);
  }
}

const inside = served.filter(({ operation }) => operation.outside !== true);

test('a wrong token is refused, where none is needed too when one is optional', async () => {
  const table = new Table();
  for (const one of inside.filter(({ operation }) => operation.auth !== 'none')) {
    const { status, errors, headers } = await ask(one.operation, undefined, '', { authorization: 'Bearer nobody' });
    const good = status === 401 && errors[0] === 'Invalid Token' && headers['x-oauth-scopes'] === 'unknown';
    table.add(one, good, `${nameOf(one)}: ${status} ${errors.join(' | ')}`);
  }
  table.print('wrong token');
  expect(table.wrong).toEqual([]);
});

test('an unknown id is not found, each of a path', async () => {
  const table = new Table();
  for (const one of inside) {
    for (const [, name = ''] of one.operation.path.matchAll(/\{(\w+)\*?\}/g)) {
      const { status, errors } = await ask(one.operation, name);
      table.add(one, status === 404, `${nameOf(one)} without ${name}: ${status} ${errors.join(' | ')}`);
    }
  }
  table.print('unknown ids');
  expect(table.wrong).toEqual([]);
});

const lists = inside.filter(({ operation }) => operation.method === 'GET' && operation.filterable !== undefined);

test('every list has pages: their bounds, and what is past the end', async () => {
  const table = new Table();
  for (const one of lists) {
    const [page, beyond, ...refused] = await Promise.all(
      ['?page_size=25', '?page=900', '?page_size=24', '?page_size=501', '?page=0', '?page=x'].map((query) =>
        ask(one.operation, undefined, query),
      ),
    );
    const whole = ['data', 'page', 'pages', 'results'].every((key) => page !== undefined && key in page.body);
    const empty = beyond?.status === 200 && beyond.data.length === 0 && beyond.body['results'] === page?.body['results'];
    const bounded = refused.every(({ status }) => status === 400);
    table.add(one, whole && empty && bounded, `${nameOf(one)}: ${whole} ${empty} ${bounded} ${page?.errors.join(' | ')}`);
  }
  table.print('pages');
  expect(table.wrong).toEqual([]);
});

const at = (row: unknown, key: string): unknown =>
  key.split('.').reduce<unknown>((value, part) => (value as Readonly<Record<string, unknown>> | null)?.[part], row);

const scalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** The rows that a filter of one row's value gives are those that have it. */
async function filters({ operation }: Served, key: string, rows: Reply['data']): Promise<string | undefined> {
  const value = rows.map((row) => at(row, key)).find(scalar) ?? 'nothing';
  const { status, data, errors } = await ask(operation, undefined, '', { 'x-filter': JSON.stringify({ [key]: value }) });
  if (status !== 200) return `${status} ${errors.join(' | ')}`;
  const wanted = rows.filter((row) => at(row, key) === value).length;
  const exact = rows.some((row) => Array.isArray(at(row, key))) || data.length === wanted;
  return exact ? undefined : `${String(value)} gives ${data.length} rows, not ${wanted}`;
}

test('every filterable field of every list filters, and no other key is taken', async () => {
  const table = new Table();
  for (const one of lists) {
    const { data } = await ask(one.operation, undefined, '?page_size=500');
    for (const key of one.operation.filterable ?? []) {
      const wrong = await filters(one, key, data);
      table.add(one, wrong === undefined, `${nameOf(one)} ${key}: ${wrong}`);
    }
    const { status, errors } = await ask(one.operation, undefined, '', { 'x-filter': '{"nonsense":1}' });
    table.add(one, status === 400 && errors[0] === 'X-Filter: Cannot filter on nonsense', `${nameOf(one)} nonsense: ${status}`);
  }
  table.print('filters');
  expect(table.wrong).toEqual([]);
});
