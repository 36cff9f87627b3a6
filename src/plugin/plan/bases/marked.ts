import { accountKey } from '../../../engine/model/account.ts';
import { objectId } from '../../../engine/model/object-id.ts';
import { CloudError } from '../../../engine/ports/index.ts';
import type { BoundRemote } from '../../../engine/model/step.ts';
import type { Key, Resource } from '../../../engine/ports/kubernetes.ts';
import { wordOrQuoted } from '../../../lib/quoted.ts';
import { type AnyKind, readRemote, type Row } from '../../../resource/index.ts';
import type { DryRun } from '../../dry/dry-run.ts';
import { marking, markingText, marksBefore } from '../../dry/marking.ts';
import type { Turned } from '../../dry/turned.ts';
import type { Entry } from '../entries.ts';

/** What is refused is sent nothing, and what goes takes its pools along. */
const unmarked: ReadonlySet<Entry['action']> = new Set(['refused', 'replace', 'delete', 'retain']);

/**
 * The same entries; they say what marks are set, or would be once an object manages what it only looks at, and what marks others left
 * on what it takes over. `there`: the cluster as it is.
 */
export async function marked(
  dry: DryRun,
  entries: readonly Entry[],
  { turned, there, signal }: { readonly turned: readonly Turned[]; readonly there: readonly Resource[]; readonly signal: AbortSignal },
): Promise<readonly Entry[]> {
  const known = new Map(turned.map((one) => [objectId(one.object.kind, one.object.metadata), one] as const));
  return Promise.all(
    entries.map(async (entry) => {
      const one = known.get(objectId(entry.kind, entry));
      const whole = one === undefined || unmarked.has(entry.action) ? undefined : await wholeOf(dry, one, signal);
      const texts = one === undefined || whole === undefined ? [] : textsOf(one, whole, there);
      const words = [...(entry.message === undefined ? [] : [entry.message]), ...texts];
      return words.length === 0 ? entry : { ...entry, message: words.join('; ') };
    }),
  );
}

function textsOf(
  { kind, object, adopted }: Turned,
  { want, remote, identity }: BoundRemote,
  there: readonly Resource[],
): readonly string[] {
  const looksOnly = want.marks?.looksOnly === true;
  const marks = markingText(marking(kind, want, remote, adopted), looksOnly ? undefined : 'it marks');
  const isHandedOver = there.some((one) => one.kind === object.kind && one.status?.['path'] === identity.path);
  const before = adopted && !isHandedOver ? marksBefore(kind, want, remote) : [];
  return [...(before.length === 0 ? [] : [untold(before)]), ...(marks === undefined ? [] : [marks])];
}
const untold = (tags: readonly string[]): string =>
  `whose ${tags.map(wordOrQuoted).join(' and ')} is, by which another object had that, the operator's key alone tells: if it was one of this namespace that is gone, this one has it then; if not, this one is RemoteFailed, sends nothing, and says what decides it`;

/** With its lists below it. */
async function wholeOf(dry: DryRun, { kind, object, steps }: Turned, signal: AbortSignal): Promise<BoundRemote | undefined> {
  const present = steps.at(-1)?.present;
  if (present?.want.marks === undefined) return undefined;
  const { remote, identity } = present;
  const lists = listsOf(kind, remote, identity.path);
  const read = await Promise.all(lists.map(async ([part, path]) => [part, await rowsOf(dry, accountKey(object), path, signal)] as const));
  // Without them nothing is known, and nothing is said.
  if (read.some(([, rows]) => rows === undefined)) return undefined;
  const whole = readRemote(kind, { ...remote, ...Object.fromEntries(read) });
  return 'malformed' in whole ? undefined : { ...present, remote: whole.remote };
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
