import { minutes, readRemote, seconds } from '../../resource/index.ts';
import { callOptions, type AccountContext } from '../context.ts';
import { isFoundWrong } from '../model/conditions.ts';
import type { BoundRemote, Difference, UpdateStep } from '../model/step.ts';
import { tightFor } from '../plan/catalogue.ts';
import { CloudError, type Fault } from '../ports/index.ts';

/** Of a spec that is refused its parts are read so often at most, whatever touches the object: events tell sooner. Of another spec they are read at once. */
const believed = { refused: minutes(30), edited: seconds(10) };
/** Whether it fits is then for the service to say. */
const untold: ReadonlySet<Fault> = new Set(['Forbidden', 'Malformed']);

/**
 * The same with the parts that tell whether it fits into what this step would ask for or send. Read once, and anew before it is
 * refused: it may have been made smaller meanwhile.
 */
export async function lookedInto(context: AccountContext, step: UpdateStep, present: BoundRemote): Promise<BoundRemote> {
  const { account, engine, kind } = context;
  const { connection } = account;
  const { path } = present.identity;
  const catalogue = (of: string) => connection.catalogue(of);
  const parts = changesOf(step).flatMap((change) => tightFor(change, present.remote, catalogue)?.parts ?? []);
  const age = isFoundWrong(context.object) ? believed.refused : believed.edited;
  const since = step.do === 'refuse' ? engine.clock.monotonic() - age : -Infinity;
  const unread = parts.filter((part) => (connection.cache.partReadAt(path, part) ?? -Infinity) <= since);
  if (unread.length === 0) return present;
  for (const part of unread) await readWhereTold(context, path, part);
  const read = readRemote(kind, connection.cache.get(path)?.remote ?? {});
  return 'remote' in read ? { ...present, remote: read.remote } : present;
}

function changesOf(step: UpdateStep): readonly Difference[] {
  if (step.do === 'approve') return step.asks;
  return step.do === 'update' || step.do === 'refuse' ? step.changes : [];
}

async function readWhereTold(context: AccountContext, path: string, part: string): Promise<void> {
  try {
    await context.account.connection.cache.readPart(path, part, callOptions(context, 'edit'));
  } catch (error) {
    if (!(error instanceof CloudError && untold.has(error.fault))) throw error;
  }
}
