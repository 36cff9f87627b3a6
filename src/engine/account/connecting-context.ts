import { effectsIn, objectEffects } from '../change/effects.ts';
import type { ConnectingContext, Engine, ReconcileContext } from '../context.ts';
import { type Account, naming, objectName } from '../model/account.ts';
import type { StatusDraft } from '../model/outcome.ts';
import type { Resource } from '../ports/index.ts';

export type Signals = Pick<ReconcileContext, 'signal' | 'intake' | 'onWait'>;

/** Of the account's own object, before there is an account. */
export function connectingContext(engine: Engine, object: Resource, signals: Signals, status: StatusDraft): ConnectingContext {
  const name = objectName(naming(engine), object);
  const effects = objectEffects(engine, object, signals.signal);
  return { engine, kind: engine.registry.connection, object, name, key: engine.key, ...signals, status, effects };
}

/** From there on it is reconciled like any other object. */
export const connectedContext = (engine: Engine, context: ConnectingContext, account: Account): ReconcileContext => ({
  ...context,
  account,
  effects: effectsIn(account, engine, context),
});
