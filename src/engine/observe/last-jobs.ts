import { type AnyWant, asCollection, asId, type Row } from '../../resource/index.ts';
import type { AccountContext } from '../context.ts';
import type { Identity } from '../model/identity.ts';

/**
 * What the kind recalls, with the newest that events tell of its jobs ({@link AnyKind.lastJobs}, {@link AnyKind.lastNamed});
 * status keeps it when they are long past.
 */
export function withLastJobs(context: AccountContext, { path }: Pick<Identity, 'path'>, want: AnyWant, remote: Row): AnyWant {
  const { kind } = context;
  if (kind.lastJobs === undefined && kind.lastNamed === undefined) return want;
  return { ...want, recalled: { ...want.recalled, ...lastJobs(context, path, want, remote), ...lastNamed(context, path) } };
}

function lastJobs({ kind, account }: AccountContext, path: string, want: AnyWant, remote: Row): Row {
  const made = remote[asCollection(kind)?.createdAt ?? ''];
  const times = Object.entries(kind.lastJobs ?? {}).flatMap(([field, actions = []]) => {
    const told = account.connection.cache.lastJob(path, actions, typeof made === 'string' ? made : undefined);
    const known = want.recalled?.[field];
    const at = newest(told, typeof known === 'string' ? known : undefined);
    return at === undefined ? [] : [[field, at]];
  });
  return Object.fromEntries(times) as Row;
}

/** Events are read from the newest back, so that what they tell is never older than what status has from them. */
function lastNamed({ kind, account }: AccountContext, path: string): Row {
  const ids = Object.entries(kind.lastNamed ?? {}).flatMap(([field, actions = []]) => {
    const id = account.connection.cache.lastNamed(path, actions);
    return id === undefined ? [] : [[field, asId(id)]];
  });
  return Object.fromEntries(ids) as Row;
}

/** What events that are forgotten by now once told counts for more than that none tells of one. */
function newest(told: string | undefined, known: string | undefined): string | undefined {
  if (told === undefined || known === undefined) return told ?? known;
  if (told === 'never' || known === 'never') return told === 'never' ? known : told;
  return told > known ? told : known;
}
