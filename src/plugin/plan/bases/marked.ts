import { accountKey } from '../../../engine/model/account.ts';
import { objectId } from '../../../engine/model/object-id.ts';
import { CloudError } from '../../../engine/ports/index.ts';
import type { Key } from '../../../engine/ports/kubernetes.ts';
import { type AnyKind, readRemote, type Row } from '../../../resource/index.ts';
import type { DryRun } from '../../dry/dry-run.ts';
import { marking, markingText } from '../../dry/marking.ts';
import type { Turned } from '../../dry/turned.ts';
import type { Entry } from '../entries.ts';

/** What is refused is sent nothing, and what goes takes its pools along. */
const unmarked: ReadonlySet<Entry['action']> = new Set(['refused', 'replace', 'delete', 'retain']);

/** The same entries; they say what marks are set, or would be once an object manages what it only looks at. */
export async function marked(
  dry: DryRun,
  entries: readonly Entry[],
  turned: readonly Turned[],
  signal: AbortSignal,
): Promise<readonly Entry[]> {
  const known = new Map(turned.map((one) => [objectId(one.object.kind, one.object.metadata), one] as const));
  return Promise.all(
    entries.map(async (entry) => {
      const one = known.get(objectId(entry.kind, entry));
      const text = one === undefined || unmarked.has(entry.action) ? undefined : await textOf(dry, one, signal);
      if (text === undefined) return entry;
      return { ...entry, message: entry.message === undefined ? text : `${entry.message}; ${text}` };
    }),
  );
}

async function textOf(dry: DryRun, { kind, object, steps }: Turned, signal: AbortSignal): Promise<string | undefined> {
  const present = steps.at(-1)?.present;
  if (present?.want.marks === undefined) return undefined;
  const { want, remote, identity } = present;
  const lists = listsOf(kind, remote, identity.path);
  const read = await Promise.all(lists.map(async ([part, path]) => [part, await rowsOf(dry, accountKey(object), path, signal)] as const));
  // Without them nothing is known, and nothing is said.
  if (read.some(([, rows]) => rows === undefined)) return undefined;
  const whole = readRemote(kind, { ...remote, ...Object.fromEntries(read) });
  return 'malformed' in whole
    ? undefined
    : markingText(marking(kind, want, whole.remote), want.marks?.looksOnly === true ? undefined : 'it marks');
}

async function rowsOf(dry: DryRun, account: Key, path: string, signal: AbortSignal): Promise<readonly Row[] | undefined> {
  const options = { lane: 'wait', tenant: account.namespace, signal, notBefore: -Infinity } as const;
  try {
    const listing = await dry.connected(account)?.connection.list(path, options);
    return listing?.complete === true ? listing.rows : undefined;
  } catch (error) {
    if (error instanceof CloudError) return undefined;
    throw error;
  }
}

/** Of what is below it and its own. */
const listsOf = (kind: AnyKind, remote: Row, path: string): readonly (readonly [string, string])[] =>
  Object.values(kind.fields).flatMap(({ members, part = '' }) => {
    const list = members === undefined ? undefined : kind.parts?.[part]?.path(path, remote);
    return list === undefined ? [] : [[part, list] as const];
  });
