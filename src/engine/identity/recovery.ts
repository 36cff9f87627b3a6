import { type Identity, looksDerived, readableName } from '../model/identity.ts';
import { breathe } from '../../lib/breathe.ts';
import type { Millis } from '../../lib/clock.ts';
import { own } from '../../lib/own.ts';
import { type AnyWant, collectionOf, itemOf, madeAt, minutes, readRemote, type Row } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import { mayAdopt } from '../guard/recovery.ts';
import { RecoveryTable, type Seeker } from '../memory/recoveries.ts';
import { type Account, accountKey, accountRules, admission, naming, objectName } from '../model/account.ts';
import { isDeleting } from '../model/annotations.ts';
import { type Adopt, adoptOf, openWish } from '../model/step.ts';
import { canonical } from '../model/values.ts';
import { differences } from '../plan/diff.ts';
import type { Resource } from '../ports/index.ts';
import { resolve, type Resolved } from '../resolve/resolve.ts';
import { baselineGoodFor, cameBefore, type Found, idIn, listing } from './lookup.ts';
import { claimedBy, hasForeignTag, hasKey, hasOurTag, isMadeWithoutTags, isOwn, isUntagged, sendsTag } from './ownership.ts';
import { proofOf } from './proof.ts';

/**
 * What an account that recovers has of this object (README: recover).
 * `shared`: other objects may be meant as well. `open`: whether they are cannot be told before their account and what they refer
 * to are known.
 */
export type Match =
  | { readonly is: 'none' }
  | { readonly is: 'one'; readonly found: Found; readonly how: Identity['how'] }
  | { readonly is: 'many'; readonly found: readonly Found[] }
  | { readonly is: 'shared' | 'open'; readonly found: Found; readonly others: readonly Resource[] }
  | { readonly is: 'later'; readonly after: number };

/** By its mark; and where the key is lost that made it, by our tag, the name and every set field, where all that fits one remote and one object. */
export async function matchOf(context: ClusterContext, { want, partial }: Pick<Resolved, 'want' | 'partial'>): Promise<Match> {
  const collection = collectionOf(context.kind, want);
  const rows = await listing(context, collection, context.engine.clock.monotonic() - baselineGoodFor);
  const came = cameBefore(context, want);
  const free = rows
    .map((row) => ({ row, path: itemOf(context.kind, row, collection) }))
    .filter(({ path }) => !came.includes(path) && claimedBy(context, path) === undefined);
  const marked = free.filter(({ row }) => isOwn(context, row));
  const found = marked.length > 0 ? marked : free.filter(({ row }) => fits(context, { want, blind: partial, open: false }, row));
  const [only, ...more] = found;
  if (only === undefined) return { is: 'none' };
  if (more.length > 0) return { is: 'many', found };
  return marked.length > 0 ? byMark(context, only) : amongAll(context, want, only);
}

function byMark(context: ClusterContext, found: Found): Match {
  const others = adoptersOf(context, found);
  return others.length > 0 ? { is: 'shared', found, others } : { is: 'one', found, how: 'created' };
}

/** Other objects without a remote that name this one with `spec.adopt`, and may: a mark outlives a hand-over, a person's word counts more. */
export function adoptersOf(context: ClusterContext, found: Found): readonly Resource[] {
  const { engine, kind, object } = context;
  return [...engine.objects.all(kind.kind)].filter((other) => {
    if (other.metadata.uid === object.metadata.uid || !isNamedBy(context, other.spec['adopt'] ?? {}, found)) return false;
    return mayAdoptIn(context, other) && contextOf(context, other) !== undefined;
  });
}

/** By its id, in any spelling, or a match that names its label: one that says less may mean many, and is told to be ambiguous. */
export function isNamedBy({ kind }: Pick<ClusterContext, 'kind'>, { id, match }: Adopt, found: Found): boolean {
  if (id !== undefined) return (kind.ids?.plain?.(String(id)) ?? String(id)) === String(idIn({ kind }, found));
  return kind.label !== undefined && own(match ?? {}, kind.label.field) !== undefined && hasAll(found.row, match);
}

/** A match is text in the spec, whatever the API shows. */
export const hasAll = (row: Row, match: Row = {}): boolean =>
  Object.entries(match).every(([name, text]) => String(own(row, name)) === String(text));

/** The same before a deletion, which nothing takes back: also by a match, and by who may lead to the same account, which is not connected yet. */
export function mayBeAskedFor(context: ClusterContext, found: Found): boolean {
  const { engine, account, kind, object } = context;
  return [...engine.objects.all(kind.kind)].some((other) => {
    if (
      !mayMean(context, adoptOf(other.spec), found) ||
      other.metadata.uid === object.metadata.uid ||
      contextOf(context, other) === undefined
    )
      return false;
    const its = wayOf(context, other);
    return [account, its].some((one) => admission(one, kind, other.metadata.namespace)?.adopt === 'Any');
  });
}

/** Any match that fits, however little it says. */
const mayMean = (context: ClusterContext, wish: Adopt | undefined, found: Found): boolean =>
  wish !== undefined && (isNamedBy(context, wish, found) || (wish.match !== undefined && hasAll(found.row, wish.match)));

/** Others of the namespace that have nothing yet and ask for something: few, so that what they mean is compared for those alone. */
export const askersBeside = ({ engine, kind, object: { metadata } }: ClusterContext): readonly Resource[] =>
  [...engine.objects.all(kind.kind)].filter(
    (other) =>
      other.spec['adopt'] !== undefined &&
      !isDeleting(other) &&
      other.metadata.namespace === metadata.namespace &&
      other.metadata.uid !== metadata.uid &&
      !engine.claims.has(other.metadata.uid),
  );

/** Whether that is this remote, and may be: what bears the tag of another installation it takes only by force. */
export function asksFor(context: ClusterContext, other: Resource, found: Found): boolean {
  const wish = openWish(other);
  if (!mayMean(context, wish, found) || (hasForeignTag(context, found.row) && wish?.force !== true)) return false;
  return mayAdoptIn(context, other) && contextOf(context, other) !== undefined;
}

/** By this CloudAccount, or by its own, where that is known to lead to the same account. */
export function mayAdoptIn(context: ClusterContext, other: Resource): boolean {
  const { kind, account } = context;
  const its = wayOf(context, other);
  const rules = its.id === account.connection.identity.account ? [account, its] : [account];
  return rules.some((one) => admission(one, kind, other.metadata.namespace)?.adopt === 'Any');
}

/** Equal values are no proof that it was made here: without our tag it is kept at the end, like anything that is adopted. */
const howTaken = (context: ClusterContext): Identity['how'] => (sendsTag(context) ? 'created' : 'adopted');

/** A field of the spec says that it was made without our tag, and whoever writes that may not get what is anybody's by it. */
const isToAdopt = (context: ClusterContext, row: Row): boolean =>
  isMadeWithoutTags(context) && !hasOurTag(context, row) && !mayAdopt(context);

/** Nothing that is known of both tells them apart. */
function fits(context: ClusterContext, { want, blind, open }: Omit<Seeker, 'object'>, row: Row): boolean {
  const { kind } = context;
  if (hasForeignTag(context, row) || isUntagged(context, row)) return false;
  if (isToAdopt(context, row) || isMadeForAnother(context, row)) return false;
  const named = namedLike(context, want, row);
  if (!open && !hasKey(context, kind.key?.of(named) ?? {}, named, row)) return false;
  const readable = readRemote(kind, row);
  if ('malformed' in readable) return false;
  return differences(kind, named, readable.remote, () => true).every(({ field }) => blind.includes(field));
}

/** Its label was derived since there is the key, and not for this object: that other one knows it by its mark. */
function isMadeForAnother(context: ClusterContext, row: Row): boolean {
  const { kind, key, name } = context;
  const label = labelIn(context, row);
  const isOfThisKey = (madeAt(kind, row) ?? 0) > (key.madeAt ?? Infinity);
  return isOfThisKey && typeof label === 'string' && looksDerived(kind.label, name, label) && !isOwn(context, row);
}

const labelIn = ({ kind }: ClusterContext, row: Row): unknown => (kind.label === undefined ? undefined : row[kind.label.field]);

/** Of a derived label only the key could tell the last characters. */
function namedLike(context: ClusterContext, want: AnyWant, row: Row): AnyWant {
  const label = labelIn(context, row);
  return typeof label === 'string' && looksDerived(context.kind.label, context.name, label) ? { ...want, name: label } : want;
}

/** Only one object may take it, and the same for all who could: never who comes first. */
async function amongAll(context: ClusterContext, want: AnyWant, only: Found): Promise<Match> {
  const { engine, account, kind, object } = context;
  const { account: id } = account.connection.identity;
  const table = engine.recoveries.table(id, kind.kind, engine.clock.monotonic(), () => tableOf(context));
  if (!(table instanceof Promise)) return { is: 'later', after: table.after };
  const rivals = (await table).of(namesFor(context, want, only.row)).filter((seeker) => {
    if (seeker.object.metadata.uid === object.metadata.uid) return false;
    const theirs = contextOf(context, seeker.object);
    return theirs !== undefined && fits(theirs, seeker, only.row);
  });
  const others = rivals.map((rival) => rival.object);
  if (others.length === 0) return { is: 'one', found: only, how: howTaken(context) };
  return { is: rivals.every(({ open }) => open) ? 'open' : 'shared', found: only, others };
}

async function tableOf(context: ClusterContext): Promise<RecoveryTable> {
  const table = new RecoveryTable();
  let count = 0;
  for (const object of context.engine.objects.all(context.kind.kind)) {
    count += 1;
    if (count % 50 === 0) await breathe();
    const theirs = contextOf(context, object);
    if (theirs === undefined) continue;
    const seeker = await seekerOf(theirs);
    for (const name of namesOf(theirs, seeker)) table.add(name, seeker);
  }
  return table;
}

/** As it looks for what it had; undefined: it does not, or not in this account. */
function contextOf(context: ClusterContext, object: Resource): ClusterContext | undefined {
  const { engine } = context;
  const { key } = wayOf(context, object);
  if (isDeleting(object) || !mayLeadHere(context, object)) return undefined;
  const name = objectName(naming(engine), object);
  const proof = proofOf({ key: context.key, name }, object, { restored: true });
  if (proof.is === 'ours' || engine.claims.has(object.metadata.uid)) return undefined;
  return { ...context, object, name, account: engine.accounts.get(key) ?? context.account, status: {} };
}

/** Its account admits it, and is this one, or may be: one that is not there may still come with a backup that is being put back. */
export function mayLeadHere(context: ClusterContext, object: Resource): boolean {
  const { key, access, id, isThere } = wayOf(context, object);
  if (!isThere && !isComing(context, object)) return false;
  if (id !== undefined && id !== context.account.connection.identity.account) return false;
  return admission({ key, access }, context.kind, object.metadata.namespace) !== undefined;
}
const comesWithin: Millis = minutes(15);
/** It came with the object that is looked at, or before, and a short while ago: whoever names an account that never comes keeps nobody waiting. */
function isComing({ engine, object: own }: ClusterContext, { metadata: { creationTimestamp } }: Resource): boolean {
  const made = Date.parse(creationTimestamp);
  return engine.clock.now() - made < comesWithin && made - Date.parse(own.metadata.creationTimestamp) < comesWithin;
}

/** Its CloudAccount; where that leads is known once it was connected. */
function wayOf({ engine }: ClusterContext, object: Resource): Way {
  const key = accountKey(object);
  const there = engine.objects.get(engine.registry.connection.kind, key);
  const id = engine.accounts.get(key)?.connection.identity.account ?? there?.status?.['account'];
  return { key, id, access: accountRules(there?.spec ?? {}).access, isThere: there !== undefined };
}
interface Way extends Pick<Account, 'key' | 'access'> {
  readonly id: unknown;
  readonly isThere: boolean;
}

async function seekerOf(context: ClusterContext): Promise<Seeker> {
  const { engine, kind, object } = context;
  // Nothing of an account shows what a Secret held, so none is read.
  const secretCache = { record: () => Promise.resolve(undefined), forget: () => undefined, forgetIn: () => undefined };
  const { want, unresolved, partial } = await resolve({ ...context, engine: { ...engine, secretCache } });
  const secrets = new Set(engine.registry.sites(kind.kind).flatMap(({ what, at }) => (what.is === 'secret' ? (at[0] ?? []) : [])));
  const open = wayOf(context, object).id === undefined || unresolved.some((field) => !secrets.has(field));
  return { object, want, blind: [...unresolved, ...partial], open };
}

/** Under which a seeker is found by who looks whether a remote could be its own, too. */
function namesOf(context: ClusterContext, { want, open }: Seeker): readonly string[] {
  const { kind, name } = context;
  if (kind.parent !== undefined && want[kind.parent.ref] === undefined) return [];
  const collection = collectionOf(kind, want);
  if (kind.label !== undefined) {
    const chosen = want[kind.label.field];
    return [typeof chosen === 'string' ? `${collection} =${chosen}` : `${collection} ~${readableName(kind.label, name)}`];
  }
  return [`${collection} ${open ? '?' : canonical(kind.key?.of(want))}`];
}
function namesFor(context: ClusterContext, want: AnyWant, row: Row): readonly string[] {
  const collection = collectionOf(context.kind, want);
  const label = labelIn(context, row);
  if (typeof label === 'string') return [`${collection} =${label}`, `${collection} ~${label.replace(/-[a-z2-7]{8}$/, '')}`];
  return [`${collection} ?`, `${collection} ${canonical(context.kind.key?.of(want))}`];
}
