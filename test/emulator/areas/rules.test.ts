import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { furnished, good } from './rules/furnished.ts';
import { password } from './test-account.ts';

/**
 * Every rule that the documents or realities state, with its place: `answer` is `ok`, `refused`, a bare field (its text is
 * assumed), or the texts, ` | ` between them. In a change `$absent` takes a field away and `$x65` is a text of 65 letters.
 */
const rules = readFileSync(new URL('rules/rules.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t') as [source: string, call: string, change: string, answer: string]);

const addresses = (length: number): readonly string[] =>
  Array.from({ length: Math.ceil(length / 11) }, (_, index) => `10.123.${100 + index}.200`);

/** What a text of a change stands for. */
function expanded(text: string, ids: Readonly<Record<string, string>>): unknown {
  if (text === '$absent') return undefined;
  if (text === '$password') return password;
  const [, id] = /^\{(\w+)\}$/.exec(text) ?? [];
  if (id !== undefined) return /^\d+$/.test(ids[id] ?? '') ? Number(ids[id]) : ids[id];
  return text.replace(/^\$x(\d+)/, (_whole, count: string) => 'x'.repeat(Number(count)));
}

function filled(value: unknown, ids: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return expanded(value, ids);
  if (Array.isArray(value)) return value[0] === '$ips1001' ? addresses(1001) : value.map((item) => filled(item, ids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner, ids)]));
}

/** Does what came agree with the row? */
function agrees(answer: string, status: number, errors: readonly string[]): boolean {
  if (answer === 'ok') return status === 200;
  if (status !== 400 && !(status === 403 && answer === 'vm_id')) return false;
  if (answer === 'refused') return true;
  if (/^[\w.[\]]+$/.test(answer)) return errors.length > 0 && errors.every((error) => error.startsWith(answer));
  return errors.join(' | ') === answer;
}

test('every stated rule is kept: a table of them with document and line', { timeout: 120_000 }, async () => {
  const broken: string[] = [];
  let { api, ids } = await furnished();
  for (const [source, call, change, answer] of rules) {
    const [method = '', path = ''] = call.split(' ');
    const body = { ...good[call], ...(filled(JSON.parse(change), ids) as object) };
    const at = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => ids[name] ?? '1');
    const { status, errors } = await api.send(method, at, { authorization: 'Bearer token-admin' }, body);
    if (!agrees(answer, status, errors))
      broken.push(`${source} ${call} ${change.slice(0, 150)}: ${status} ${errors.join(' | ')}, not ${answer}`);
    // What was accepted may stand in the way of the next row.
    if (status === 200) ({ api, ids } = await furnished());
  }
  process.stdout.write(`rules kept: ${rules.length - broken.length} of ${rules.length}\n`);
  expect(broken).toEqual([]);
});
