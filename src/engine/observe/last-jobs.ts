import { type AnyWant, asCollection, type Row, seconds } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import type { Identity } from '../model/identity.ts';

/** What the kind recalls, with the newest that events tell of its jobs ({@link AnyKind.lastJobs}); status keeps it when they are long past. */
export function withLastJobs({ kind, account, engine, object }: ClusterContext, { path }: Identity, want: AnyWant, remote: Row): AnyWant {
  if (kind.lastJobs === undefined) return want;
  // Nothing else would wake an object at rest when the first events of this process tell more, or that there is no more to tell.
  if (account.connection.cache.eventsReadAt() === undefined) engine.wake(kind.kind, object.metadata, { after: seconds(15) });
  const made = remote[asCollection(kind)?.createdAt ?? ''];
  const times = Object.entries(kind.lastJobs).flatMap(([field, actions = []]) => {
    const told = account.connection.cache.lastJob(path, actions, typeof made === 'string' ? made : undefined);
    const known = want.recalled?.[field];
    const at = newest(told, typeof known === 'string' ? known : undefined);
    return at === undefined ? [] : [[field, at]];
  });
  return { ...want, recalled: { ...want.recalled, ...Object.fromEntries(times) } };
}

/** What events that are forgotten by now once told counts for more than that none tells of one. */
function newest(told: string | undefined, known: string | undefined): string | undefined {
  if (told === undefined || known === undefined) return told ?? known;
  if (told === 'never' || known === 'never') return told === 'never' ? known : told;
  return told > known ? told : known;
}
