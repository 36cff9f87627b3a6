import { del, seconds } from '../resource/index.ts';
import type { Present } from './act.ts';
import { annotation, twinsAnnotation } from './annotations.ts';
import { twinWatch } from './attempt.ts';
import { ambiguous } from './create.ts';
import { differences } from './drift.ts';
import { isOwn } from './identify.ts';
import { type Intent, intentOf } from './intent.ts';
import { candidates, type Found, matching } from './lookup.ts';
import type { Outcome } from './outcome.ts';
import { how, readRemote, type Turn } from './turn.ts';
import { writeStruck, writeTwin } from './writes.ts';

const lookEvery = seconds(300);

/**
 * After more than one attempt, an earlier one may still turn out to have made something. For 15 minutes listings are
 * searched for it; a twin that was surely never used is deleted, any other is for a person to judge (design 4.4).
 */
export async function watchTwins(turn: Turn, present: Present): Promise<Outcome | undefined> {
  const intent = intentOf(turn.object);
  const noted = notedTwins(turn);
  if (intent === undefined && noted.length === 0) return undefined;
  const found = intent === undefined ? [] : await search(turn, intent, present);
  const twins = [...found, ...(await fetchNoted(turn, noted, present))];
  const used = twins.filter((twin) => !surelyOurs(turn, present, twin));
  if (used.length > 0) return ambiguous([{ row: present.remote, path: present.identity.path }, ...used]);
  for (const { path } of twins) await turn.account.connection.send(del(path), how(turn, 'delete'));
  if (noted.length > 0) await writeTwin(turn, twinsAnnotation, []);
  if (intent !== undefined && over(turn, intent)) await writeStruck(turn, undefined);
  else if (intent !== undefined) turn.engine.wake(turn.kind.kind, turn.object.metadata, { after: lookEvery });
  return undefined;
}

const over = (turn: Turn, intent: Intent): boolean =>
  turn.account.connection.apiNow() - Date.parse(intent.attempts.at(-1)?.at ?? '') > twinWatch;

async function search(turn: Turn, intent: Intent, { want, identity }: Present): Promise<readonly Found[]> {
  const rows = await matching(turn, intent.key, want, turn.engine.clock.monotonic() - lookEvery);
  return candidates(turn, intent, rows).filter(({ path }) => path !== identity.path);
}

function notedTwins(turn: Turn): readonly string[] {
  try {
    const twins = JSON.parse(annotation(turn.object, twinsAnnotation) ?? '[]') as { path?: unknown }[];
    return twins.flatMap(({ path }) => (typeof path === 'string' ? [path] : []));
  } catch {
    return [];
  }
}

async function fetchNoted(turn: Turn, paths: readonly string[], { identity }: Present): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const path of paths.filter((one) => one !== identity.path && one.startsWith(collectionOf(identity.path)))) {
    const seen = await turn.account.connection.mirror.read(path, how(turn, 'wait'));
    if (seen !== undefined) found.push({ row: seen.remote, path });
  }
  return found;
}
const collectionOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** Never used, as far as can be seen: ours by its mark or equal in every field, and nothing holds it. */
function surelyOurs(turn: Turn, { want }: Present, { row }: Found): boolean {
  const readable = readRemote(turn.kind, row);
  if ('malformed' in readable || turn.kind.release?.(readable.remote) !== undefined) return false;
  const equal = differences(turn.kind, want, readable.remote, () => true).length === 0;
  return turn.kind.label === undefined ? equal : isOwn(turn, row, want) && equal;
}
