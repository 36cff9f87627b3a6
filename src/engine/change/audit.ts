import type { Call } from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import { greatest, shownPlan } from '../model/policy.ts';
import type { Difference } from '../model/step.ts';
import { changeText, effectOf } from '../plan/approval.ts';
import { type AccountChange, type ChangeCause, type ChangeEffect, CloudError, type Permit, type Reply } from '../ports/index.ts';

/** What a changing call is for. */
export interface Purpose {
  readonly effect: ChangeEffect;
  readonly cause: ChangeCause;
  readonly approved?: NonNullable<AccountChange['approved']>;
}

/** An update, or the removal that begins a replacement, with the approval that it was given. */
export function purposeOf({ object }: ReconcileContext, changes: readonly Difference[], cause: ChangeCause): Purpose {
  const plan = shownPlan(object);
  const approved = changes.some((change) => plan?.changes.includes(changeText(change))) ? plan?.approved : undefined;
  return { effect: greatest(changes.map(effectOf)), cause, ...(approved && { approved }) };
}

/** Sends one change, and says so before and after: THE way to an account for whatever is no GET. */
export async function sendAudited(
  context: ReconcileContext,
  permit: Permit,
  {
    call,
    purpose,
    gate,
  }: { readonly call: Pick<Call, 'method' | 'path'>; readonly purpose: Purpose; readonly gate: () => string | undefined },
): Promise<Reply> {
  const { monitor } = context.engine;
  const change = accountChange(context, call, purpose);
  let sent = false;
  try {
    const reply = await permit.send(() => {
      const objection = gate();
      if (objection === undefined) monitor.changing(change);
      sent ||= objection === undefined;
      return objection;
    });
    monitor.changed(change, 'Accepted');
    return reply;
  } catch (error) {
    if (sent) monitor.changed(change, error instanceof CloudError ? error.fault : 'Unknown');
    throw error;
  }
}

/** As the audit log has it. */
export function accountChange(
  { object, account }: ReconcileContext,
  { method, path }: Pick<Call, 'method' | 'path'>,
  purpose: Purpose,
): AccountChange {
  const { namespace, name, uid, generation, writtenBy } = object.metadata;
  return {
    kind: object.kind,
    key: { namespace, name },
    uid,
    generation,
    account: account.connection.identity.account,
    method,
    path,
    ...purpose,
    ...(writtenBy !== undefined && { askedBy: writtenBy }),
  };
}
