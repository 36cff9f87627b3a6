import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openIn, type Entry } from '../../../src/plugin/once/journal/journal.ts';
import { journalAt } from '../../../src/plugin/once/journal/journal-file.ts';
import { journalPlace } from '../../../src/plugin/once/journal/journal-place.ts';
import { thisProcess } from '../../../src/plugin/once/journal/this-process.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'journal-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const entry = (nonce: string, state: Entry['state'] = 'Intended'): Entry => ({
  nonce,
  at: '2026-01-01T00:00:00.000Z',
  account: 'A',
  verb: 'pay',
  what: 'pay 20.00 USD',
  state,
  look: { path: '/account/payments', since: 'date', columns: ['id'] },
});

it("is the person's own, in the folder for state", async () => {
  const journal = journalAt(journalPlace({ XDG_STATE_HOME: folder, HOME: '/nowhere' }));
  expect(await journal.read()).toEqual([]);
  await journal.add(entry('a'));
  expect(journal.where).toBe(join(folder, 'kubectl-cloud', 'journal.jsonl'));
  expect((await stat(journal.where)).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, 'kubectl-cloud'))).mode & 0o777).toBe(0o700);
  expect(await journal.read()).toEqual([entry('a')]);
  expect(journalPlace({ HOME: folder })).toBe(join(folder, '.local', 'state', 'kubectl-cloud', 'journal.jsonl'));
});

it('keeps the order of all who write, and what was open before', async () => {
  const file = join(folder, 'journal.jsonl');
  await Promise.all(['a', 'b', 'c', 'd'].map((nonce) => journalAt(file).add(entry(nonce))));
  await journalAt(file).add(entry('b', 'Answered'));
  const entries = await journalAt(file).read();
  expect(entries).toHaveLength(5);
  expect(
    openIn(entries, 'A')
      .map(({ nonce }) => nonce)
      .toSorted(),
  ).toEqual(['a', 'c', 'd']);
  expect(openIn(entries, 'B')).toEqual([]);
});

it('passes over a line that a crash cut, and loses none that follows', async () => {
  const file = join(folder, 'journal.jsonl');
  await journalAt(file).add(entry('a'));
  await appendFile(file, '{"nonce":"cut","at":"2026');
  await journalAt(file).add(entry('b'));
  expect((await journalAt(file).read()).map(({ nonce }) => nonce)).toEqual(['a', 'b']);
  expect(await readFile(file, 'utf8')).toContain('"cut"');
});

it('that cannot be read or written stops everything', async () => {
  const journal = journalAt(folder);
  await expect(journal.read()).rejects.toThrow('cannot be read, so what was sent before is not known');
  await expect(journal.add(entry('a'))).rejects.toThrow('nothing is sent that is not written down first');
});

it('keeps who wrote a line, and a sign of life opens nothing that is over', async () => {
  const journal = journalAt(join(folder, 'journal.jsonl'));
  const begun: Entry = { ...entry('a'), by: thisProcess.me, seen: entry('a').at };
  await journal.add(begun);
  expect(await journal.read()).toEqual([begun]);
  await journal.add({ ...begun, seen: '2026-01-01T00:00:15.000Z' });
  expect(openIn(await journal.read(), 'A')).toMatchObject([{ nonce: 'a', seen: '2026-01-01T00:00:15.000Z' }]);
  await journal.add({ ...begun, state: 'Resolved' });
  await journal.add({ ...begun, seen: '2026-01-01T00:00:30.000Z' });
  expect(openIn(await journal.read(), 'A')).toEqual([]);
});

it('tells processes of this machine that run from those that ended, and says nothing of others', async () => {
  const { me, runs } = thisProcess;
  expect(runs(me)).toBe(true);
  const other = spawn(process.execPath, ['-e', '']);
  const { pid = 0 } = other;
  await once(other, 'exit');
  expect(runs({ ...me, pid })).toBe(false);
  expect(runs({ ...me, host: 'elsewhere' })).toBeUndefined();
  expect(runs({ ...me, space: 'a container' })).toBeUndefined();
});
