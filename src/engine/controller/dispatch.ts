import { type Mode, minutes, seconds } from '../../resource/index.ts';
import type { AccountReconciler } from '../account/account-reconciler.ts';
import { accountOf, isServed } from '../account/served.ts';
import { effectsIn, objectEffects } from '../change/effects.ts';
import { releaseFinalizer } from '../change/metadata.ts';
import { type Engine, isOfIssued, isOfOperation, type ReconcileContext } from '../context.ts';
import { pauseOf } from '../guard/pause.ts';
import { noteSpentGestures } from '../guard/spent-gestures.ts';
import { hasMadeNothing } from '../identity/proof.ts';
import { naming, objectName } from '../model/account.ts';
import { hasFinalizer, hasStatusOfAnother, isDeleting } from '../model/annotations.ts';
import { keyOf } from '../model/object-id.ts';
import type { Outcome, StatusDraft } from '../model/outcome.ts';
import type { Resource } from '../ports/index.ts';
import { attempt } from '../reconcile/attempt.ts';
import { letGoOfIssued, reconcileIssued } from '../reconcile/issued.ts';
import { reconcile } from '../reconcile/managed.ts';
import { reconcileOperation } from '../operate/reconcile-operation.ts';
import type { Reconciled } from '../reconcile/result.ts';

export type Done = Reconciled & { readonly object: Resource; readonly status: StatusDraft };
type Signals = Pick<ReconcileContext, 'signal' | 'intake' | 'onWait'>;

interface Dispatched {
  readonly engine: Engine;
  readonly accounts: Pick<AccountReconciler, 'reconcile'>;
  readonly object: Resource;
  readonly signals: Signals;
  readonly status: StatusDraft;
}

/** Hands an object to whom it is for, unless this process must leave it alone now. */
export async function dispatch(one: Dispatched): Promise<Done> {
  const { engine, object } = one;
  if (!engine.leadership.held() || engine.crds.mismatched.has(object.kind)) return quiet(one);
  return dispatchers[engine.registry.kind(object.kind).mode](one);
}

const ended = ({ object, status }: Dispatched, outcome: Outcome): Done => ({ outcome, health: undefined, object, status });
const quiet = (one: Dispatched, recheckAfter = seconds(30)): Done => ended(one, { is: 'Quiet', recheckAfter });

async function connection({ engine, accounts, object, signals, status }: Dispatched): Promise<Done> {
  const done = await accounts.reconcile(object, signals, status);
  return { ...done, object: engine.objects.get(object.kind, keyOf(object)) ?? object, status };
}

/** What is done with an object of an account. */
interface Way {
  readonly reconcile: (context: ReconcileContext) => Promise<Reconciled>;
  /** Its account is not there, or does not admit it. */
  readonly alone: (one: Dispatched, outcome: Outcome) => Promise<Done>;
}
const managed = (one: Dispatched): Promise<Done> => ofAccount(one, { reconcile, alone: withoutAccount });
const issued = (one: Dispatched): Promise<Done> =>
  ofAccount(one, {
    reconcile: (context) =>
      attempt(context, async () => (isOfIssued(context) ? reconcileIssued(context) : { is: 'Quiet', recheckAfter: minutes(10) })),
    alone: async (alone, outcome) => ended(alone, isDeleting(alone.object) ? await letGoOfIssued(leaving(alone)) : outcome),
  });

const operation = (one: Dispatched): Promise<Done> =>
  ofAccount(one, {
    reconcile: (context) =>
      attempt(context, async () => (isOfOperation(context) ? reconcileOperation(context) : { is: 'Quiet', recheckAfter: minutes(10) })),
    // What is over needs no account.
    alone: async (alone, outcome) => (isOver(alone.object) ? quiet(alone, minutes(60)) : ended(unended(alone), outcome)),
  });
const isOver = (object: Resource): boolean =>
  isDeleting(object) || (object.status?.['finishedAt'] !== undefined && !hasStatusOfAnother(object));

/** What a copied status tells is no end of this one. Its uid stays, by which it is known that this one may have been done before. */
function unended(one: Dispatched): Dispatched {
  if (hasStatusOfAnother(one.object)) Object.assign(one.status, { phase: 'Pending', finishedAt: undefined });
  return one;
}

async function ofAccount(one: Dispatched, way: Way): Promise<Done> {
  const { engine, object, signals, status } = one;
  // Who comes to serve its account wakes it.
  if (!isServed(engine, object)) return quiet(one, minutes(10));
  noteSpentGestures(object, status);
  const paused = await pauseOf(engine, object, status, signals.signal);
  if (paused !== undefined) return ended(one, paused);
  const account = accountOf(engine, object);
  if ('outcome' in account) return way.alone(one, account.outcome);
  const context: ReconcileContext = {
    engine,
    kind: engine.registry.kind(object.kind),
    object,
    name: objectName(naming(engine), object),
    key: engine.key,
    account: account.account,
    ...signals,
    status,
    effects: effectsIn(account.account, engine, { effects: objectEffects(engine, object, signals.signal), signal: signals.signal }),
  };
  const done = await way.reconcile(context);
  return { ...done, object: context.object, status };
}

/** Who looks after an object; total: a mode without one does not compile. */
const dispatchers: Readonly<Record<Mode, (one: Dispatched) => Promise<Done>>> = {
  collection: managed,
  singleton: managed,
  connection,
  issued,
  operation,
};

const leaving = ({ engine, object, signals }: Dispatched) => ({ engine, object, effects: objectEffects(engine, object, signals.signal) });

/** What was never created needs no account to go. */
async function withoutAccount(one: Dispatched, outcome: Outcome): Promise<Done> {
  const { engine, object } = one;
  const never = hasMadeNothing({ engine, key: engine.key }, object) && !engine.objectMemory.made.has(object.metadata.uid);
  if (!isDeleting(object) || !hasFinalizer(object) || !never) return ended(one, outcome);
  await releaseFinalizer(leaving(one));
  return ended(one, { is: 'Deleted' });
}
