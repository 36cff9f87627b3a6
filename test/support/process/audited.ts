import { readFile } from 'node:fs/promises';
import type { EmulatorProgram } from './emulator-program.ts';

interface Line {
  readonly audit: string;
  readonly method: string;
  readonly path: string;
}

/** What the account's own ledger knows that this user changed, or tried to, and for which the audit log has no line `sent` of its own. */
export async function unaudited(emulator: EmulatorProgram, file: string, user = 'admin'): Promise<readonly string[]> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  const written = new Map<string, number>();
  for (const { audit, method, path } of lines.map((line) => JSON.parse(line) as Line))
    if (audit === 'sent') written.set(`${method} ${path}`, (written.get(`${method} ${path}`) ?? 0) + 1);
  const changing = (await emulator.requests()).filter(({ username, method }) => username === user && method !== 'GET');
  if (changing.length === 0) throw new Error('the account was never changed, so this proves nothing');
  return changing
    .map(({ method, path }) => `${method} ${decodeURIComponent(path).replace(/^\/v4(?:beta)?/, '')}`)
    .filter((call) => {
      const left = written.get(call) ?? 0;
      written.set(call, left - 1);
      return left <= 0;
    });
}
