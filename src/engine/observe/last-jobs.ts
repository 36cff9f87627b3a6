import type { Millis } from '../../lib/clock.ts';
import { type AnyWant, asCollection, asId, minutes, type Row } from '../../resource/index.ts';
import type { AccountContext } from '../context.ts';
import type { Identity } from '../model/identity.ts';

/**
 * What the kind recalls, with the newest that events tell of its jobs ({@link AnyKind.lastJobs}, {@link AnyKind.lastNamed});
 * status keeps it when they are long past. Also which run now, and whether one is over after which the service goes on.
 */
export function withLastJobs(context: AccountContext, { path }: Pick<Identity, 'path'>, wanted: AnyWant, remote: Row): AnyWant {
  const { kind } = context;
  const jobs = context.account.connection.cache.jobs(path).flatMap(({ action, status }) => (isOpen.has(status) ? action : []));
  const want: AnyWant = { ...wanted, ...(jobs.length > 0 && { jobs }), ...(goesOnYet(context, path) > 0 && { goesOn: true }) };
  if (kind.lastJobs === undefined && kind.lastNamed === undefined) return want;
  const last = lastJobs(context, path, want, remote);
  return {
    ...want,
    recalled: { ...want.recalled, ...last, ...lastNamed(context, path) },
    overtaken: overtaken(context, path, last),
  };
}

const isOpen: ReadonlySet<string> = new Set(['scheduled', 'started']);
/** By then it is done, or never. */
const goesOnFor = minutes(2);
/** For so long the service may still go on with it by itself. */
export function goesOnYet({ kind, account: { connection } }: AccountContext, path: string): Millis {
  const actions = kind.events.flatMap(({ goesOn = [] }) => goesOn);
  const end = actions.length === 0 ? undefined : connection.cache.lastEnd(path, actions);
  return end === undefined ? 0 : Math.max(0, end + goesOnFor - connection.apiNow());
}

function lastJobs({ kind, account }: AccountContext, path: string, want: AnyWant, remote: Row): Row {
  const made = remote[asCollection(kind)?.createdAt ?? ''];
  const times = Object.entries(kind.lastJobs ?? {}).flatMap(([field, job]) => {
    const told = job && account.connection.cache.lastJob(path, job, typeof made === 'string' ? made : undefined);
    const known = want.recalled?.[field];
    const at = newest(told, typeof known === 'string' ? known : undefined);
    return at === undefined ? [] : [[field, at]];
  });
  return Object.fromEntries(times) as Row;
}

function overtaken({ kind, account }: AccountContext, path: string, last: Row): Readonly<Record<string, boolean>> {
  const all = Object.entries(kind.lastJobs ?? {}).flatMap(([field, job]) => {
    const is = job && account.connection.cache.isOvertaken(path, job, String(last[field]));
    return is === undefined ? [] : [[field, is] as const];
  });
  return Object.fromEntries(all);
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
