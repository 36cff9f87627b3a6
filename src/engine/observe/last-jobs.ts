import { type AnyWant, asCollection, type Row } from '../../resource/index.ts';
import type { AccountContext } from '../context.ts';
import type { Identity } from '../model/identity.ts';

/** What the kind recalls, with the newest that events tell of its jobs ({@link AnyKind.lastJobs}); status keeps it when they are long past. */
export function withLastJobs({ kind, account }: AccountContext, { path }: Identity, want: AnyWant, remote: Row): AnyWant {
  if (kind.lastJobs === undefined) return want;
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
