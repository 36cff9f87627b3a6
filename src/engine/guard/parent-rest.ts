import { isIdOf, numberId, parentOfItem, type Row, seconds } from '../../resource/index.ts';
import { callOptions, type ClusterContext } from '../context.ts';
import { runsAndUses } from '../model/conditions.ts';
import type { Identity } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import { CloudError, type Lane } from '../ports/index.ts';

export type ParentState = 'atRest' | 'inUse' | 'changing' | 'gone';

/** Whether what is above runs with this remote, by reads of now: what was seen before may be started since. */
export async function parentState(context: ClusterContext, { path: item }: Identity, lane: Lane): Promise<ParentState> {
  const { parentPower } = context.kind;
  if (parentPower === undefined) return 'atRest';
  const path = parentOfItem(context.kind, item);
  const seen = await readParent(context, item, lane);
  if (seen === undefined) return 'gone';
  const power = parentPower.power(seen);
  if (power !== 'on') return power === 'off' ? 'atRest' : 'changing';
  const id = item.slice(item.lastIndexOf('/') + 1);
  const rows = await usersOf(context, `${path}${parentPower.users.path}`, lane);
  if (rows === undefined || !isIdOf(numberId, id)) return 'inUse';
  return rows.some((row) => parentPower.users.has(row, id)) ? 'inUse' : 'atRest';
}

/** The row of what is above a remote of this path, as it is now; undefined: it is gone. */
export async function readParent(context: ClusterContext, item: string, lane: Lane): Promise<Row | undefined> {
  const { kind, engine, account } = context;
  const site = engine.registry.sites(kind.kind).find(({ at }) => at[0] === kind.parent?.ref);
  if (site?.what.is !== 'ref') throw new Error(`${kind.kind} lies below nothing`);
  const above = engine.registry.kind(site.what.target.kind);
  const seen = await account.connection.cache.read(parentOfItem(kind, item), above, callOptions(context, lane));
  return seen?.remote;
}

/** Undefined where one may have been missed. */
async function usersOf(context: ClusterContext, path: string, lane: Lane): Promise<readonly Row[] | undefined> {
  try {
    const { connection } = context.account;
    const { rows, complete } = await connection.list(path, {
      ...callOptions(context, lane),
      notBefore: context.engine.clock.monotonic(),
    });
    return complete ? rows : undefined;
  } catch (error) {
    if (error instanceof CloudError && error.fault === 'NotFound') return undefined;
    throw error;
  }
}

/** Behind `power off`. */
export const howOff = ({ kind }: Pick<ClusterContext, 'kind'>): string =>
  kind.parentPower === undefined ? '' : ` (${kind.parentPower.off})`;

/** Why a call that needs what is above at rest is not sent now; undefined: it may go. `what` is said of the call. */
export async function parentInUse(
  context: ClusterContext,
  identity: Identity,
  { what, reason }: { readonly what: string; readonly reason: 'Updating' | 'Deleting' },
): Promise<Outcome | undefined> {
  const state = await parentState(context, identity, reason === 'Deleting' ? 'delete' : 'edit');
  if (state === 'atRest' || state === 'gone') return undefined;
  const path = parentOfItem(context.kind, identity.path);
  const todo =
    state === 'changing'
      ? `waits until ${path} has come to rest`
      : `waits, because ${path} (spec.${context.kind.parent?.ref}) ${runsAndUses} ${identity.path}. Power it off${howOff(context)}; it is done then, and you may power it on again`;
  return { is: 'Working', reason, message: `${what} ${todo}`, recheckAfter: seconds(state === 'changing' ? 5 : 60) };
}
