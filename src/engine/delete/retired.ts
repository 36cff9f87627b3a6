import type { Millis } from '../../lib/clock.ts';
import { minutes, seconds } from '../../resource/index.ts';
import { writeRetiring, writeRetiringStatus } from '../change/metadata.ts';
import { type Removed, removeRemote } from '../change/remove-remote.ts';
import { callOptions, type ReconcileContext } from '../context.ts';
import { claimedBy } from '../identity/ownership.ts';
import { annotation, isDeleting, retiringAnnotation } from '../model/annotations.ts';
import type { Identity } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import { policyOf } from '../model/policy.ts';
import { endOf, formatRetiring, type Retiring, retiringOf, retiringTexts, shortened } from '../model/replacing.ts';
import type { Observation } from '../observe/observe.ts';
import { mayNotDelete } from './only-read.ts';
import { protectedBy } from './protected-by.ts';

const longestSleep: Millis = minutes(720);

/** Annotation and status each restore the other. What it has again, as it was asked to take that over, is on no way out. */
export async function noteRetiring(context: ReconcileContext, identity: Identity): Promise<void> {
  const again = retiringOf(context).find(({ account: of, path }) => of === identity.account && path === identity.path);
  if (again !== undefined) await struck(context, again);
  const { engine, object, status, account } = context;
  const now = account.connection.apiNow();
  const all = retiringOf(context).map((one) => shortened(context, one, now));
  if (all.length === 0 && object.status?.['retiring'] === undefined && annotation(object, retiringAnnotation) === undefined) return;
  engine.claims.retire(all, object);
  status['retiring'] = all.length === 0 ? undefined : all;
  if ((annotation(object, retiringAnnotation) ?? null) !== formatRetiring(all)) await writeRetiring(context, all);
}

/** Deletes what another one has taken the place of, once its time is over; of an object that goes, at once. */
export async function endRetired(context: ReconcileContext): Promise<Outcome | undefined> {
  const { engine, account, object } = context;
  const now = account.connection.apiNow();
  const isOver = (one: Retiring): boolean => isDeleting(object) || endOf(one) <= now;
  const all = retiringOf(context);
  for (const one of all.filter(isOver)) {
    const waits = await end(context, one);
    if (waits !== undefined) return waits;
  }
  const next = Math.min(...retiringOf(context).map(endOf));
  if (next !== Infinity) engine.wake(object.kind, object.metadata, { after: Math.max(1, Math.min(longestSleep, next - now)) });
  return undefined;
}

/** Of a deleted object that has nothing else: its policy counts as for what it had. */
export async function retiredLeft(context: ReconcileContext): Promise<Outcome | undefined> {
  const { engine, kind, object, account } = context;
  const [first] = retiringOf(context);
  if (first === undefined) return undefined;
  const policy = policyOf(kind, object.spec, account, false);
  if (policy.management === 'Observe' || policy.onDelete === 'Retain' || (await engine.crds.isLeaving(kind.kind))) {
    const message = `${retiringTexts(context).join(' and ')} stays in the account, and nobody deletes it any more. Delete it there once nobody uses it`;
    engine.recorder.event(object, { type: 'Normal', reason: 'Retained', message });
    return undefined;
  }
  if (policy.protect) return protectedBy(policy);
  return mayNotDelete(context, policy, { ...first, how: 'created' }) ?? endRetired(context);
}

async function end(context: ReconcileContext, one: Retiring): Promise<Outcome | undefined> {
  const { engine } = context;
  const { account } = context.account.connection.identity;
  const other = claimedBy(context, one.path);
  if (one.account !== account || other !== undefined) {
    await struck(context, one);
    const why = other === undefined ? `it is in account ${one.account}` : `${other} has it`;
    engine.recorder.event(context.object, { type: 'Warning', reason: 'Retained', message: `${one.path} is not deleted: ${why}` });
    return undefined;
  }
  const removed = await removal(context, one);
  if (removed.is === 'instead') return removed.step;
  if (removed.is === 'waits') return removed.outcome;
  await struck(context, one);
  const told = removed.is === 'kept' ? `${one.path} stays: ${removed.why}` : `${one.path} is deleted: another one has taken its place`;
  engine.recorder.event(context.object, { type: 'Normal', reason: removed.is === 'kept' ? 'Retained' : 'Deleted', message: told });
  return undefined;
}

const removal = (context: ReconcileContext, { account, path }: Retiring): Promise<Removed<Outcome>> =>
  removeRemote<Outcome>(context, {
    why: 'retired',
    identity: { account, path, how: 'created' },
    judge: (live) => (live === undefined || isDeleting(live) !== isDeleting(context.object) ? { is: 'Again' } : undefined),
    uninstalled: { is: 'Quiet', recheckAfter: seconds(30) },
    read: () => readIt(context, path),
  });

async function readIt(context: ReconcileContext, path: string): Promise<Observation> {
  const known = await context.account.connection.cache.read(path, context.kind, callOptions(context, 'delete'));
  return known === undefined ? { missing: true } : { remote: known.remote, readAt: known.readAt };
}

async function struck(context: ReconcileContext, one: Retiring): Promise<void> {
  const rest = retiringOf(context).filter(({ path, account }) => path !== one.path || account !== one.account);
  await writeRetiring(context, rest);
  await writeRetiringStatus(context, rest);
  context.engine.claims.retire(rest, context.object);
}
