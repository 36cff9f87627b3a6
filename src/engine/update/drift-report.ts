import type { ReconcileContext } from '../context.ts';
import { namesOfIds } from '../identity/called.ts';
import type { Identity } from '../model/identity.ts';
import { legend } from '../../lib/legend.ts';
import type { Drift } from '../model/outcome.ts';
import { type BoundRemote, type Difference, placeOf } from '../model/step.ts';
import { shown } from '../model/values.ts';
import { actorOf } from '../observe/attribution.ts';
import { changeText } from '../plan/approval.ts';
import { noteCorrected } from './contest.ts';

const shownDrift = (context: ReconcileContext): readonly Drift[] =>
  (context.object.status?.['drift'] as readonly Drift[] | undefined) ?? [];
/** What the user of the operator has renewed is a wish of theirs. */
const madeByOthers = (changes: readonly Difference[]): readonly Difference[] => changes.filter(({ renewed }) => renewed !== true);
export const isShown = (context: ReconcileContext, changes: readonly Difference[]): boolean =>
  madeByOthers(changes).every((change) => shownDrift(context).some((known) => known.field === placeOf(change)));

/** `status.drift`, field by field; `since` is kept while the field stays different. */
export function noteDrift(context: ReconcileContext, differing: readonly Difference[], identity: Identity): void {
  const changes = madeByOthers(differing);
  const actor = actorOf(context, identity.path);
  const now = new Date(context.engine.clock.now()).toISOString();
  const isNews = !isShown(context, changes);
  if (isNews && actor !== undefined)
    context.engine.monitor.driftSeen(context.kind.kind, context.account.connection.apiNow() - Date.parse(`${actor.at}Z`));
  const drift = changes.map((change): Drift => {
    const { want, have } = change;
    const field = placeOf(change);
    const known = shownDrift(context).find((one) => one.field === field);
    const by = actor?.user ?? known?.by;
    return { field, was: shown(want), now: shown(have), since: known?.since ?? now, ...(by !== undefined && { by }) };
  });
  context.status['drift'] = drift.length > 0 ? drift : undefined;
}

export function driftText(context: ReconcileContext, changes: readonly Difference[], identity: Identity): string {
  const actor = madeByOthers(changes).length === 0 ? undefined : actorOf(context, identity.path);
  return `${changesText(context, changes)}${actor === undefined ? '' : `; likely changed by ${actor.called} (${actor.action})`}`;
}

export function changesText(context: ReconcileContext, changes: readonly Difference[]): string {
  const names = namesOfIds(
    context,
    changes.flatMap(({ field, have, want }) => [have, want].map((value) => ({ field, value }))),
  );
  return `${changes.map(textOf).join('; ')}${legend(names)}`;
}

const textOf = (change: Difference): string =>
  change.renewed === true ? `spec.${placeOf(change)}: the value that its Secret has by now was not sent` : changeText(change);

/** Nothing else would tell that it was sent, as the spec is as it was. */
export function tellRenewed({ engine, object }: ReconcileContext, changes: readonly Difference[]): void {
  const renewed = changes.filter((change) => change.renewed === true).map((change) => `spec.${placeOf(change)}`);
  if (renewed.length === 0) return;
  const message = `the Secret of ${renewed.join(' and ')} was renewed; its value was sent`;
  engine.recorder.event(object, { type: 'Normal', reason: 'Updating', message });
}

export function noteCorrection(context: ReconcileContext, changes: readonly Difference[], present: BoundRemote): void {
  const { identity } = present;
  noteCorrected(
    context,
    changes.map(({ field }) => field),
    present,
  );
  const actor = actorOf(context, identity.path);
  context.status['lastCorrection'] = {
    fields: changes.map(placeOf),
    at: new Date(context.engine.clock.now()).toISOString(),
    ...(actor !== undefined && { by: actor.user }),
  };
  context.engine.recorder.event(context.object, {
    type: 'Warning',
    reason: 'Drifted',
    message: `corrected: ${driftText(context, changes, identity)}`,
  });
}
