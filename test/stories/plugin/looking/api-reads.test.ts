import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { scene } from '../../../support/plugin/cli-scene.ts';
import { nouns } from '../../../../src/plugin/look/nouns.ts';
import { cloud, dataOf, endpoint } from '../../../support/plugin/cloud-cli.ts';
import type { World } from '../../../support/world/world.ts';

type Row = Readonly<Record<string, unknown>>;

/** Every read that the service has. */
const reads = readFileSync('test/emulator/areas/operations.tsv', 'utf8')
  .split('\n')
  .map((line) => line.split('\t'))
  .flatMap(([method, path = '']) => (method === 'GET' ? [path] : []));

async function answered(world: World, path: string): Promise<Row | undefined> {
  const { status, body } = await world.emulator.control.actAs({ username: 'admin', method: 'GET', path: `/v4${path}?page_size=500` });
  if (status === 400) return bare(world, path);
  return status === 200 ? (JSON.parse(String(body)) as Row) : undefined;
}
async function bare(world: World, path: string): Promise<Row | undefined> {
  const { status, body } = await world.emulator.control.actAs({ username: 'admin', method: 'GET', path: `/v4${path}` });
  return status === 200 ? (JSON.parse(String(body)) as Row) : undefined;
}

/** With the id of the first thing there is for each word in braces; undefined where there is none. */
async function filled(world: World, template: string): Promise<string | undefined> {
  const at = template.indexOf('{');
  if (at === -1) return template;
  const list = await answered(world, template.slice(0, at - 1));
  const [row] = (Array.isArray(list?.['data']) ? list['data'] : []) as readonly Row[];
  const id = row?.['id'] ?? row?.['token'];
  if (id === undefined || id === null) return undefined;
  return filled(world, template.slice(0, at) + encodeURIComponent(id as string | number) + template.slice(template.indexOf('}') + 1));
}

/** Secrets are shown as asterisks. */
function sameBut(shown: unknown, was: unknown): boolean {
  if (shown === '***') return true;
  if (typeof shown !== 'object' || shown === null || typeof was !== 'object' || was === null) return Object.is(shown, was);
  const names = new Set([...Object.keys(shown), ...Object.keys(was)]);
  return [...names].every((name) => sameBut(Reflect.get(shown, name), Reflect.get(was, name)));
}

async function shown(world: World, line: string): Promise<unknown> {
  const ran = await cloud(world, `${line} --share 100 -o json --endpoint ${endpoint}`, { limit: 600_000 });
  return ran.exit === 0 ? dataOf(ran)['rows'] : ran;
}

it('api shows of every read what the service has, of all pages where there are some', { timeout: 120_000 }, async () => {
  const world = await scene();
  await world.clock.advance(600_000);
  const seen: string[] = [];
  const wrong: unknown[] = [];
  for (const template of reads) {
    const path = await filled(world, template);
    const wanted = path === undefined ? undefined : await answered(world, path);
    if (path === undefined || wanted === undefined) continue;
    seen.push(template);
    const isPaged = Array.isArray(wanted['data']) && 'pages' in wanted;
    const rows = await shown(world, `api GET ${path}${isPaged ? ' --paginate' : ''}`);
    if (!sameBut(rows, isPaged ? wanted['data'] : [wanted])) wrong.push([path, rows, wanted]);
  }
  expect(wrong).toEqual([]);
  expect(seen.length).toBeGreaterThan(60);
});

/** With one word for whatever id. */
const wordless = (template: string): string => template.replaceAll(/\{\w+\}/g, '{}');

it('get has a word for every list that the service has', { timeout: 120_000 }, async () => {
  const world = await scene();
  await world.clock.advance(600_000);
  const known = new Set(Object.values(nouns).flatMap(({ list, all = list }) => [wordless(list), wordless(all)]));
  const lists: string[] = [];
  for (const template of reads) {
    const path = await filled(world, template);
    const there = path === undefined ? undefined : await answered(world, path);
    if (Array.isArray(there?.['data']) && 'pages' in there) lists.push(template);
  }
  expect(lists.length).toBeGreaterThan(30);
  expect(lists.filter((template) => !known.has(wordless(template)))).toEqual([]);
});
