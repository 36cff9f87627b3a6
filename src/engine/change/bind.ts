import { asCollection, type Row, seconds } from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import type { Found } from '../identity/lookup.ts';
import { claimedBy } from '../identity/ownership.ts';
import { annotateCommand, annotation, remotesBefore, rotateAnnotation } from '../model/annotations.ts';
import { keyOf } from '../model/object-id.ts';
import { looksDerived } from '../model/identity.ts';
import { intentOf } from '../model/intent.ts';
import type { Outcome } from '../model/outcome.ts';
import { policyOf } from '../model/policy.ts';
import type { Identity } from '../model/identity.ts';
import { ownerOf, track, untrack } from '../observe/observe.ts';
import { statusOps } from '../status/status-patch.ts';
import { notesTaken } from '../plan/operation-notes.ts';
import { writeIdentity, writeStruck } from './metadata.ts';

const kept = '; it stays when the object is deleted, unless spec.lifecycle.onDelete is Delete';

/** Takes a remote that was found; no call is needed for it. */
export async function bindRemote(context: ReconcileContext, { row, path, swept }: Found, origin: 'created' | 'adopted'): Promise<Outcome> {
  const { engine, account } = context;
  const changed = await changedMeanwhile(context, path);
  if (changed !== undefined) return changed;
  const now = engine.clock.monotonic();
  // Claimed before it is written down: of two that were shown it by one listing the second must see that it is taken.
  engine.claims.claim(account.connection.identity.account, path, context.object);
  // The row of a sweep is kept for a while only: among thousands the write, and the next turn, may come later than that.
  if (swept === true) track(context, path, ownerOf(context, path));
  try {
    const identity = { account: account.connection.identity.account, path, how: origin };
    const label = origin === 'created' ? derivedOf(context, row) : undefined;
    const notes = context.kind.actions === undefined ? undefined : notesTaken(context.object, engine.clock.now());
    await endCreate(context);
    await writeIdentity(context, identity, { label, notes });
  } catch (error) {
    engine.claims.release(context.object.metadata.uid);
    if (swept === true) untrack(context);
    throw error;
  }
  engine.recorder.event(context.object, {
    type: 'Normal',
    reason: origin === 'adopted' ? 'Adopted' : 'Recovered',
    message: boundText(context, path, origin),
  });
  tellNotRotated(context, path, origin);
  for (const other of engine.recoveries.decided(account.connection.identity.account, context.kind.kind))
    engine.wake(other.kind, keyOf(other));
  if (swept !== true)
    account.connection.cache.put(path, row, { body: row, apiTime: account.connection.apiNow(), requestedAt: now, answeredAt: now });
  context.status['intent'] = undefined;
  return { is: 'Again' };
}

/** It was named otherwise, or given to another object, while this one was judged: whoever came here looks again. */
async function changedMeanwhile(context: ReconcileContext, path: string): Promise<Outcome | undefined> {
  const named = await useInstallation(context);
  return named ?? (claimedBy(context, path) === undefined ? undefined : { is: 'Again' });
}

/** What an open create was to make was found some other way. */
async function endCreate(context: ReconcileContext): Promise<void> {
  const open = intentOf(context);
  if (open !== undefined) await writeStruck(context, open, []);
}

function boundText({ kind, object, account }: ReconcileContext, path: string, origin: 'created' | 'adopted'): string {
  const isAdopted = origin === 'adopted';
  if (policyOf(kind, object.spec, account, isAdopted).management === 'Observe')
    return `${path} exists already and is what this object observes; nothing of it is changed or deleted`;
  return `${path} exists already and is this object's now${isAdopted ? kept : ''}`;
}

/** A wish that comes with its object may have been fulfilled before; who had the remote last may have noted that it was. */
function tellNotRotated({ engine, kind, object, account }: ReconcileContext, path: string, origin: 'created' | 'adopted'): void {
  const asked = annotation(object, rotateAnnotation);
  if (origin === 'created' || asked === undefined || asCollection(kind)?.rotation === undefined) return;
  const before = engine.appliedBefore.of({ account: account.connection.identity.account, path }, object, undefined);
  if (before?.rotated === asked) return;
  const message = `annotation ${rotateAnnotation} counts as done, and nothing was renewed: it was there when this object took over ${path}, and may have been acted on before. To have it renewed, give the annotation another value: ${annotateCommand(object, rotateAnnotation, '<time>')}`;
  engine.recorder.event(object, { type: 'Normal', reason: 'NotRotated', message });
}

/** The label that it was made with, where nobody chose one. */
function derivedOf({ kind, name }: ReconcileContext, row: Row): string | undefined {
  const label = kind.label === undefined ? undefined : row[kind.label.field];
  return typeof label === 'string' && looksDerived(kind.label, name, label) ? label : undefined;
}

/**
 * Before anything is signed under an installation that nobody has named: from here on only what is in use can be named, because
 * another name would prove nothing of what was signed (README: installation). An outcome: it was named meanwhile.
 */
export async function useInstallation({ engine, account, name, effects }: ReconcileContext): Promise<Outcome | undefined> {
  const { kind } = engine.registry.connection;
  const known = engine.objects.get(kind, account.key);
  if (known === undefined || known.spec['installation'] !== undefined || known.status?.['installationInUse'] === true) return undefined;
  const { uid } = known.metadata;
  const body = { metadata: { uid }, status: { installation: name.installation, installationInUse: true } };
  const now = await engine.installationUse.begin(uid, engine.clock.monotonic(), () =>
    effects.patchAccount({ type: 'merge', body, subresource: 'status' }),
  );
  return now.spec['installation'] === undefined ? undefined : { is: 'Quiet', recheckAfter: seconds(2) };
}

const identityFields = ['id', 'path', 'account', 'origin', 'objectUid', 'bornAt'];

interface LetGo {
  /** What the spec adopts is just what is gone, or went with that: the wish is over, too. */
  readonly adoptionSpent?: string | undefined;
  readonly successorOf?: readonly string[] | undefined;
}
/** Status first, then W1 drops the annotation: at any moment what is left proves at most the remote that is gone. */
export async function clearIdentity(context: ReconcileContext, { path }: Identity, noted: LetGo = {}): Promise<void> {
  const present = identityFields.filter((field) => context.object.status?.[field] !== undefined);
  const counted = {
    remotesBefore: remotesBefore(context.object) + 1,
    ...(noted.adoptionSpent !== undefined && { adoptionSpent: noted.adoptionSpent }),
    ...(noted.successorOf !== undefined && { successorOf: noted.successorOf }),
  };
  const patch = { ...Object.fromEntries(present.map((field) => [field, null])), ...counted };
  const ops = statusOps(context.object, patch);
  context.object = await context.effects.patch({ type: 'json', ops, subresource: 'status' });
  for (const field of identityFields) context.status[field] = undefined;
  Object.assign(context.status, counted);
  context.engine.claims.release(context.object.metadata.uid);
  // What is not there any more is neither counted nor looked for.
  context.account.connection.cache.untrack(path);
  context.engine.objectMemory.made.delete(context.object.metadata.uid);
}
