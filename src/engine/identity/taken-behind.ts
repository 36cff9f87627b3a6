import { asCollection, readRemote, type Row, type Taken } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import type { Claim } from '../memory/claims.ts';
import { mayAdopt } from '../guard/recovery.ts';
import { toldName } from '../model/object-id.ts';

/** What a change of this remote changes as well, and an object of another namespace has by now (README: effects). */
export const takenBehind = (context: ClusterContext, path: string): readonly Taken[] =>
  holdersBehind(context, path).map((holder) => ({
    path: holder.path,
    by: toldName(context, holder) ?? 'an object of another namespace',
  }));

export function holdersBehind(context: ClusterContext, path: string): readonly Claim[] {
  const { engine, account, kind, object } = context;
  const { changesAlso } = asCollection(kind) ?? {};
  if (changesAlso === undefined || mayAdopt(context)) return [];
  return (changesAlso(rowOf(context, path)) ?? []).flatMap((one) => {
    const holder = engine.claims.holder(account.connection.identity.account, one);
    return holder === undefined || holder.key.namespace === object.metadata.namespace ? [] : [holder];
  });
}

function rowOf({ account, kind }: ClusterContext, path: string): Row {
  const read = readRemote(kind, account.connection.cache.get(path)?.remote ?? {});
  return 'remote' in read ? read.remote : {};
}
