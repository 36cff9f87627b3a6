import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { CliError } from '../../exit.ts';
import type { Entry, Journal } from './journal.ts';

const entry: z.ZodType<Entry> = z.object({
  nonce: z.string(),
  at: z.string(),
  account: z.string(),
  verb: z.string(),
  what: z.string(),
  state: z.enum(['Intended', 'Answered', 'Refused', 'Unknown', 'Withdrawn', 'Resolved']),
  look: z.object({ path: z.string(), since: z.string().optional(), columns: z.array(z.string()) }),
  by: z.object({ host: z.string(), pid: z.int(), space: z.string().optional() }).optional(),
  seen: z.string().optional(),
}) as z.ZodType<Entry>;

export const journalAt = (file: string): Pick<Journal, 'where' | 'read' | 'add'> => ({
  where: file,
  read: async () => (await textOf(file)).split('\n').flatMap(read),
  add: async (one) => {
    try {
      await append(file, `${JSON.stringify(one)}\n`);
    } catch (error) {
      throw new CliError(4, `${file} cannot be written, and nothing is sent that is not written down first: ${messageOf(error)}`);
    }
  },
});

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new CliError(4, `${file} cannot be read, so what was sent before is not known: ${messageOf(error)}`);
  }
}

/** A line that a crash cut was never whole on the disk, so nothing was sent for it. */
function read(line: string): readonly Entry[] {
  try {
    const parsed = entry.safeParse(JSON.parse(line));
    return parsed.success ? [parsed.data] : [];
  } catch {
    return [];
  }
}

/** One write at the end, so that processes beside each other see their lines in one order. A cut line stays a line of its own. */
async function append(file: string, line: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(file, 'a', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.write(`\n${line}`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
