import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { areas } from '../areas.ts';
import { namedIn } from './proof.ts';

const here = new URL('.', import.meta.url);

/** `POST /volumes` -> its area, and the file with the test that proves it: the 225 operations of documents 1 to 3. */
const documented = new Map(
  readFileSync(new URL('operations.tsv', here), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
    .map(([method = '', path = '', area = '', , proof = '']) => [
      canonical(`${method} ${path.replace(/^\/v4beta(?=\/)/, '')}`),
      { area, proof },
    ]),
);

/** Path parameters by place, not by name: the documents and the areas may name them differently. */
function canonical(operation: string): string {
  return operation.replaceAll(/\{\w+\*?\}/g, '{}');
}

/** Every operation that the title of a test names, as `METHOD /path`, with the files of such tests. */
function namedInTitles(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const file of readdirSync(here, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'))) {
    const titles = [...readFileSync(new URL(file, here), 'utf8').matchAll(/^test\(\s*(['"`])(.*?)\1,/gms)].map((match) => match[2] ?? '');
    for (const operation of namedIn(titles.join('\n'))) found.set(operation, [...(found.get(operation) ?? []), file]);
  }
  return found;
}

const served = new Map(
  areas.flatMap((area) => area.operations.map((operation) => [canonical(`${operation.method} ${operation.path}`), area.name] as const)),
);

test('the titles of the tests name operations that exist', () => {
  const unknown = [...namedInTitles()].filter(([operation]) => !served.has(operation));
  expect(unknown).toEqual([]);
});

test('operations proven of operations known, per area', () => {
  const proven = namedInTitles();
  const table = new Map<string, { known: number; served: number; proven: number }>();
  for (const operation of new Set([...documented.keys(), ...served.keys()])) {
    const name = documented.get(operation)?.area ?? `beyond the documents: ${served.get(operation) ?? ''}`;
    const row = table.get(name) ?? { known: 0, served: 0, proven: 0 };
    table.set(name, row);
    row.known += 1;
    row.served += Number(served.has(operation));
    row.proven += Number(proven.has(operation));
  }
  const lines = [...table].map(([name, row]) => `${name}: ${row.proven} proven, ${row.served} served of ${row.known}`);
  const lost = [...documented]
    .filter(([operation, { proof }]) => proven.get(operation)?.includes(proof) !== true)
    .map(([operation]) => operation);
  expect(lost).toEqual([]);
  const sum = [...documented.keys()].filter((operation) => proven.has(operation)).length;
  process.stdout.write(`${lines.join('\n')}\nof the documented ${documented.size}: ${sum} proven\n`);
  expect([documented.size, sum]).toEqual([225, 225]);
  const unproven = [...served.keys()].filter((operation) => !proven.has(operation) && !elsewhere.test(operation));
  expect(unproven).toEqual([]);
});

/** Proven by the tests of the core: the account record, the profile, events, catalogues. PostgreSQL has the code of mysql. */
const elsewhere =
  /^\w+ \/(account$|account\/(settings|events|notifications|maintenance|users)|profile(?!\/sshkeys)|databases\/postgresql|regions|vm\/(types|kernels)|probe)/;
