import type { Millis } from '../../lib/clock.ts';
import { type AnyKind, type AnyWant, collectionOf, hasNonce, itemOf, madeAt, nonceOff, placesOf, type Row } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import { accountName, mayAdopt } from '../guard/recovery.ts';
import { namespacesOf } from '../guard/label-of-another.ts';
import { naming, objectName } from '../model/account.ts';
import { annotateCommand, annotation, recreateAnnotation, remoteAnnotation } from '../model/annotations.ts';
import { isMarked, looksDerived, ownerKeyLength, rememberedLabel } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import { baselineGoodFor, type Found, idIn, listing, stillThere } from './lookup.ts';
import { claimedBy, hasForeignTag, hasKey, isOwn, isUntagged } from './ownership.ts';

/**
 * A cluster that was rebuilt from manifests without `installation`, or without its key, is a stranger to all that it had. A
 * first create waits where the account shows what looks like that: our name with another owner key, of nobody here
 * (README: installation). `wished`: a person wants one made all the same.
 */
export async function lookAlike(context: ClusterContext, want: AnyWant, wished: boolean): Promise<Outcome | undefined> {
  const { account, object } = context;
  const known = rememberedLabel(context) !== undefined || annotation(object, remoteAnnotation) !== undefined;
  if (known || !showsName(context.kind, want)) return undefined;
  if (!account.installationNamed) return ofOtherInstallation(context, want);
  return wished ? undefined : ofLostKey(context, want);
}

async function ofOtherInstallation(context: ClusterContext, want: AnyWant): Promise<Outcome | undefined> {
  const alike = await alikeOf(context, want, context.engine.clock.monotonic() - baselineGoodFor);
  const strangers = alike.filter(({ row, path }) => isOfElsewhere(context, row, path));
  const beside = strangers.length === 0 ? undefined : ownersBeside(context);
  const other = strangers.find(({ row }) => beside?.has(ownerIn(context, row)) !== true);
  return other && elsewhere(context, other);
}

/** What it is made with shows of which object it is, by the name. */
function showsName(kind: AnyKind, want: AnyWant): boolean {
  if (kind.label === undefined) return isKnownByMark(kind);
  return kind.label.nonce === true || kind.key?.of(want)[kind.label.field] === want.name;
}

/** It has no label: a mark among its tags tells it from others. */
const isKnownByMark = ({ label, marked }: AnyKind): boolean => label === undefined && marked !== undefined;

/** Of its name, in our installation, and older than the key, which was made because there was none. */
async function ofLostKey(context: ClusterContext, want: AnyWant): Promise<Outcome | undefined> {
  const { kind, key, engine, account } = context;
  const before = key.madeAt;
  if (before === undefined) return undefined;
  // However old a listing is: what it shows of that time can only have gone since.
  const alike = await alikeOf(context, want, -Infinity);
  const older = alike.filter(
    ({ row, path }) =>
      isOurs(context, row) && mayBeBefore(kind, row, before) && !engine.claims.wasHeld(account.connection.identity.account, path),
  );
  if (older.length === 0 || !(await hasTraces(context, before))) return undefined;
  const [first] = await stillThere(context, older);
  return first && lostKey(context, first);
}

const isOurs = (context: ClusterContext, row: Row): boolean => !isUntagged(context, row) && !hasForeignTag(context, row);
const isBefore = (kind: AnyKind, row: Row, time: Millis): boolean => (madeAt(kind, row) ?? Infinity) <= time;
/** What does not show when it was made may be of any time: a second one could not be told from it later. */
const mayBeBefore = (kind: AnyKind, row: Row, time: Millis): boolean => isUndated(kind) || isBefore(kind, row, time);
const isUndated = ({ createdAt }: AnyKind): boolean => createdAt === undefined;

/**
 * Of a kind without tags nothing tells whose it is: another cluster on this account may have the same names. Of one without a
 * date nothing tells whether this life of the cluster made it. So something else must be of an earlier life of this one.
 */
async function hasTraces(context: ClusterContext, before: Millis): Promise<boolean> {
  if ((context.kind.tags !== undefined && !isUndated(context.kind)) || context.account.connection.identity.restricted) return true;
  for (const kind of context.engine.registry.kinds) {
    for (const collection of kind.tags === undefined ? [] : placesOf(kind)) {
      const rows = await listing(context, collection, -Infinity);
      if (rows.some((row) => isOurs({ ...context, kind }, row) && isBefore(kind, row, before))) return true;
    }
  }
  return false;
}

async function alikeOf(context: ClusterContext, want: AnyWant, notBefore: Millis): Promise<readonly Found[]> {
  const { kind } = context;
  const collection = collectionOf(kind, want);
  const rows = await listing(context, collection, notBefore);
  return rows
    .filter((row) => !isOwn(context, row))
    .map((row) => asCalled(context, row))
    .filter((row) => looksLike(context, want, row) && !isOwn(context, row))
    .map((row) => ({ row, path: itemOf(kind, row, collection) }))
    .filter(({ path }) => claimedBy(context, path) === undefined);
}

const labelIn = ({ kind }: ClusterContext, row: Row): string => String(kind.label === undefined ? '' : row[kind.label.field]);

/** What its spec calls it says nothing of who made it; with a nonce behind it, that it was made by such a spec, and not brought to its end. */
function looksLike(context: ClusterContext, want: AnyWant, row: Row): boolean {
  const { kind, name, object } = context;
  if (isKnownByMark(kind)) return isMarkedAlike(context, want, row);
  const { label: rule } = kind;
  const label = labelIn(context, row);
  const chosen = rule && object.spec[rule.field];
  return rule?.nonce === true && typeof chosen === 'string' ? hasNonce(rule, label, chosen) : looksDerived(rule, name, label);
}

/** Its mark would be taken for this object's while the account recovers, and is not this object's own. */
function isMarkedAlike({ kind }: ClusterContext, want: AnyWant, row: Row): boolean {
  const key = kind.key?.of(want) ?? {};
  const recovering = { ...want, ...(want.marks && { marks: { ...want.marks, recovers: true } }) };
  return !hasKey({ kind }, key, want, row) && hasKey({ kind }, key, recovering, row);
}

/** One whose create was not brought to its end, and whose label is derived: as it was to be called. */
function asCalled({ kind: { label: rule }, name, object }: ClusterContext, row: Row): Row {
  if (rule === undefined || object.spec[rule.field] !== undefined) return row;
  const label = String(row[rule.field]);
  const off = looksDerived(rule, name, label) ? undefined : nonceOff(rule, label);
  return off === undefined ? row : { ...row, [rule.field]: off };
}

/** By its tag or, where there are none, because no object here has made it, or had it. */
function isOfElsewhere(context: ClusterContext, row: Row, path: string): boolean {
  const { kind, account, engine } = context;
  if (kind.tags !== undefined && !account.connection.identity.restricted) return hasForeignTag(context, row);
  if (engine.claims.wasHeld(account.connection.identity.account, path)) return false;
  const label = labelIn(context, row);
  for (const object of engine.objects.all(kind.kind))
    if (isMarked(kind.label, { key: context.key, name: objectName(naming(engine), object) }, label)) return false;
  return true;
}

/** Beyond that nothing is proven: nothing else is done meanwhile. */
const mostNamespaces = 2000;

/**
 * What this key makes behind the labels of objects that are called alike in other namespaces, be they gone. None in its own: what it made
 * there is this object's. Under this installation alone: what was marked under another may be this object's of before.
 */
function ownersBeside(context: ClusterContext): ReadonlySet<string> {
  const { key, name } = context;
  const namespaces = namespacesOf(context).filter((namespace) => namespace !== name.namespace);
  return new Set(namespaces.slice(0, mostNamespaces).flatMap((namespace) => key.ownerKeys({ ...name, namespace })));
}
function ownerIn(context: ClusterContext, row: Row): string {
  const label = labelIn(context, row);
  const isProof = looksDerived(context.kind.label, context.name, label) && !hasForeignTag(context, row);
  return isProof ? label.slice(-ownerKeyLength) : '';
}

function elsewhere(context: ClusterContext, { row, path }: Found): Outcome {
  const { engine, account, name } = context;
  const owner = accountName(context);
  const inUse = engine.objects.get(engine.registry.connection.kind, account.key)?.status?.['installationInUse'] === true;
  const id = JSON.stringify(idIn(context, { row, path }));
  const take = mayAdopt(context)
    ? `take it over with spec.adopt: {id: ${id}, force: true}`
    : `ask the owner of ${owner}, who may let namespace ${context.object.metadata.namespace} adopt (spec.access[].adopt: Any)`;
  const same = inUse ? take : `give ${owner} the spec.installation that its status.installation showed before, and spec.recover: true`;
  const made = hasForeignTag(context, row)
    ? 'was made by another installation of this operator'
    : 'no object here has made it. A label is no proof of who did: look in the account who made it, and what it is, before you take it over';
  return {
    is: 'Stalled',
    reason: 'AlreadyExists',
    message: `${told(context, path)} is called like this object, and ${made}. Another one is not made beside it. If this cluster is the one that made it, rebuilt: ${same}. If not: give this object another name, or have the owner of the account say for all its objects that nothing there was made before the cluster was rebuilt, with spec.installation: ${name.installation} on ${owner}`,
  };
}

function lostKey(context: ClusterContext, { path }: Found): Outcome {
  const age = isUndated(context.kind) ? 'may be' : 'is';
  return {
    is: 'Stalled',
    reason: 'AlreadyExists',
    message: `${told(context, path)} is called like this object and ${age} older than the operator's key, which was made new because there was none; another one is not made beside it. If this cluster was rebuilt: import the old key (cloud-operator key import) and restart the operator, or set spec.recover: true on ${accountName(context)} until all is found. If it is not this object's: ${annotateCommand(context.object, recreateAnnotation, '<time>')}, and one is made`,
  };
}

/** Whoever may not adopt is not told what others have there. */
const told = (context: ClusterContext, path: string): string => (mayAdopt(context) ? path : 'something in the account');
