import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { areas } from '../areas.ts';
import type { Furnished } from './rules/furnished.ts';
import { furnished } from './rules/furnished.ts';
import type { Ids, Step } from './rules/rule.ts';
import { filled, named, prepare } from './rules/rule.ts';

/**
 * The request of every operation that takes JSON: all documented keys (`*` = required) and the documented example, its ids
 * replaced by ones that exist. `not as it is` says which keys the example leaves out, and why.
 */
const requests = readFileSync(new URL('rules/requests.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [source = '', given = '', call = '', keys = '', example = ''] = line.split('\t');
    return { source, given: JSON.parse(given || '[]') as Step[], call, keys: keys.split(' '), example: JSON.parse(example) as object };
  });

type Request = (typeof requests)[number];

/** `POST /volumes/{}` -> its body: keys, and whether they are required. */
const declared = new Map(
  areas
    .flatMap((area) => area.operations)
    .map((one) => [
      `${one.method} ${one.path.replaceAll(/\{\w+\*?\}/g, '{}')}`,
      Object.entries(one.body ?? {}).map(([key, field]) => `${key}${field.required ? '*' : ''}`),
    ]),
);

const operationOf = ({ call }: Request): string =>
  call
    .replace(' beta/', ' /')
    .replace('/us-east-1/', '/{}/')
    .replaceAll(/\{\w+\}/g, '{}');

async function ready(request: Request): Promise<Furnished & { readonly send: (body: object) => ReturnType<Furnished['api']['send']> }> {
  const { api, ids: known } = await furnished();
  const ids: Ids = { ...known };
  for (const step of request.given) await prepare(api, ids, step);
  const [method = '', path = ''] = request.call.split(' ');
  const send = (body: object) => api.send(method, named(path, ids), { authorization: 'Bearer token-admin' }, filled(body, ids));
  return { api, ids, send };
}

/** A value that is of no type that the key could have. */
const wrong = (value: unknown): unknown => (typeof value === 'string' || value === null ? { not: 'this' } : 'not this');

const required = (keys: readonly string[]): readonly string[] => keys.filter((key) => key.endsWith('*')).map((key) => key.slice(0, -1));
const bare = (keys: readonly string[]): readonly string[] => keys.map((key) => key.replace('*', '')).toSorted();

const names = (error: string, key: string): boolean => new RegExp(`^(rules\\.)?${key}\\b`).test(error);

/** Read as one value, the rules of a firewall. */
const whole = 'PUT /networking/firewalls/{}/rules';

test('requests have the documented keys and no other', () => {
  const keyed = requests.filter((request) => operationOf(request) !== whole);
  const differing = keyed.map((request) => [request.call, bare(declared.get(operationOf(request)) ?? []), bare(request.keys)] as const);
  expect(differing.filter(([, taken, documented]) => taken.join(' ') !== documented.join(' '))).toEqual([]);
  const told = new Set(requests.map(operationOf));
  const untold = [...declared].filter(([operation, keys]) => keys.length > 0 && !told.has(operation)).map(([operation]) => operation);
  expect(untold).toEqual([]);
});

test(
  'every documented request is accepted as it is, each key of it is read, and no required one may be left out',
  { timeout: 240_000 },
  async () => {
    const broken: string[] = [];
    let keys = 0;
    for (const request of requests) {
      const { send } = await ready(request);
      for (const [key, value] of Object.entries(request.example)) {
        const { status, errors } = await send({ ...request.example, [key]: wrong(value) });
        if (status !== 400 || !errors.some((error) => names(error, key)))
          broken.push(`${request.call} ${key}: ${status} ${errors.join(' | ')}`);
        keys += 1;
      }
      for (const key of required(request.keys)) {
        const { status, errors } = await send({ ...request.example, [key]: '$absent' });
        if (status !== 400 || !errors.some((error) => new RegExp(`\\b${key}\\b`).test(error)))
          broken.push(`${request.call} without ${key}: ${status} ${errors.join(' | ')}`);
      }
      const { status, errors } = await send(request.example);
      if (status !== 200) broken.push(`${request.call}: ${status} ${errors.join(' | ')}`);
    }
    process.stdout.write(`documented requests sent: ${requests.length}, with ${keys} keys\n`);
    expect(broken).toEqual([]);
  },
);
