import { group } from '../../../generate/names.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { Sensitive } from '../../../resource/index.ts';
import type { Call } from '../../command-line/command.ts';
import { Around } from '../../objects/around.ts';
import { conditionOf } from '../../objects/facts.ts';
import { entriesOf } from '../entries.ts';
import { tellingAccounts } from './accounts-changed.ts';
import { leftToNext } from './left-to.ts';
import { heldOf, inOrder, overlaid, type Seen, type Wishes } from './look.ts';
import { priced } from '../money.ts';
import { awake, tellingPauses } from '../pauses.ts';
import { type Ground, type Supposition, suppose } from './supposing.ts';
import { withTakenAlong } from './with-taken-along.ts';
import { clusterUidOf, dataSource, surroundings } from './surroundings.ts';
import type { Target } from '../targets/targets.ts';
import { unplaced } from './unplaced.ts';
import { accountsOf, notWritable } from './unwritable.ts';

/** Tells by what stands there what would be done; the account is not asked, and no token is read. */
export async function lookSupposing(call: Call, targets: readonly Target[], wishes: Wishes, ground: Ground): Promise<Seen> {
  const asked = targets.flatMap(({ object }) => object ?? []);
  const wanted = asked.map(awake);
  const { dry, all } = await suppose(call, wanted, ground);
  try {
    const planned = all.map(({ turned: { object }, verdict }) => ({ object, verdict, unasked: true as const }));
    const objects = overlaid(ground.objects, wanted);
    const around = new Around(objects);
    const first = entriesOf(planned, wishes.until);
    const after = targets.flatMap(({ object, goes }) => (goes === true ? [] : (object ?? [])));
    // Where objects have ids the engine itself tells what is handed over.
    const renamed = ground.placed ? first : leftToNext(first, { before: ground.objects, after });
    const told = withTakenAlong(renamed, around)
      .map((entry, at) => ({ ...entry, ...beside(all[at]) }))
      .map(tellingPauses(asked, call.session.now));
    const turned = all.map((one) => one.turned);
    const { signal } = call.session.host;
    const entries = wishes.prices === undefined ? told : await priced(dry, told, turned, { own: wishes.prices, signal });
    const unwritable = notWritable(accountsOf(objects, wanted), call.session.now);
    const whole = entries.map(tellingAccounts(ground.objects, asked)).map((entry) => (ground.placed ? entry : unplaced(entry)));
    return { entries: inOrder(targets, whole), accounts: [], unwritable, held: heldOf(targets, planned) };
  } finally {
    dry.close();
  }
}

const beside = (one: Supposition | undefined) => ({
  ...(one !== undefined && { basis: one.basis }),
  ...(one !== undefined && one.unknown.length > 0 && { unknown: [...one.unknown] }),
});

/** The cluster as it is, for what its objects say. */
export async function clusterGround(call: Call, targets: readonly Target[], brought: ReadonlySet<string>): Promise<Ground> {
  const { session } = call;
  const objects = await surroundings(
    session,
    targets.flatMap(({ object }) => object ?? []),
  );
  const wanted = targets.flatMap(({ object }) => object ?? []);
  return {
    objects,
    // In place of every token: nobody is asked with it.
    data: await dataSource(session, [...objects, ...wanted], { own: new Sensitive(group), brought }),
    clusterUid: await clusterUidOf(session, [...objects, ...wanted]),
    placed: true,
    basisOf: (before) => `status of ${timeOf(before) ?? 'no object yet'}`,
  };
}

const timeOf = (object: Resource | undefined): string | undefined => object && conditionOf(object, 'Synced')?.lastTransitionTime;
