import type { Millis } from '../../lib/clock.ts';
import { type AnyKind, type Row, seconds } from '../../resource/index.ts';
import { type AccountContext, callOptions } from '../context.ts';
import { CloudError } from '../ports/index.ts';

/** By part, what it holds; and why one could not be read. */
export interface SecretParts {
  readonly values: Row;
  readonly trouble?: CloudError | undefined;
}

/**
 * Reads the secret parts that `asked` outputs are made of and that are due. What they hold is handed to whoever writes outputs
 * and kept nowhere. `lacking`: outputs that some target does not have yet.
 */
export async function readSecretParts(
  context: AccountContext,
  path: string,
  { asked, lacking }: { readonly asked: ReadonlySet<string>; readonly lacking: ReadonlySet<string> },
): Promise<SecretParts> {
  const values: Record<string, unknown> = {};
  let trouble: CloudError | undefined;
  for (const [part, outputs] of partsOf(context.kind, asked)) {
    if (
      !isDue(
        context,
        path,
        part,
        outputs.some((name) => lacking.has(name)),
      )
    )
      continue;
    const { value, error } = await read(context, path, part);
    if (value !== undefined) values[part] = value;
    trouble ??= error;
  }
  return { values, trouble };
}

/** Secret part -> the outputs that are made of it. */
function partsOf({ outputs = {} }: AnyKind, asked: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const parts = new Map<string, string[]>();
  for (const [name, { part }] of Object.entries(outputs))
    if (part !== undefined && asked.has(name)) parts.set(part, [...(parts.get(part) ?? []), name]);
  return parts;
}

/** What is lacking is not asked for with every look: it may be that there is none. */
const lackingAgain: Millis = seconds(60);

function isDue({ engine, kind, account }: AccountContext, path: string, part: string, lacks: boolean): boolean {
  const readAt = account.connection.cache.partReadAt(path, part);
  const every = kind.parts?.[part]?.secret?.every;
  if (every === undefined) return false;
  return readAt === undefined || engine.clock.monotonic() - readAt >= (lacks ? Math.min(lackingAgain, every) : every);
}

async function read(
  context: AccountContext,
  path: string,
  part: string,
): Promise<{ readonly value?: unknown; readonly error?: CloudError }> {
  try {
    const body = await context.account.connection.cache.readSecretPart(path, part, callOptions(context, 'wait'));
    if (body === undefined || body === null) return {};
    return { value: context.kind.parts?.[part]?.schema.parse(body) };
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    return { error };
  }
}
