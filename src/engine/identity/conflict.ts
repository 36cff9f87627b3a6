import { type AnyWant, appearsWithin, asCollection, collectionOf, type Conflict, placesOf, type Row } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import { accountName, mayAdopt } from '../guard/recovery.ts';
import type { Claim } from '../memory/claims.ts';
import { admits, naming, objectName } from '../model/account.ts';
import { hasOwnPath } from '../model/annotations.ts';
import { decidedAt, intentOf } from '../model/intent.ts';
import { keyOf, objectId } from '../model/object-id.ts';
import type { Outcome } from '../model/outcome.ts';
import { canonical } from '../model/values.ts';
import type { Resource } from '../ports/index.ts';
import { baselineGoodFor, type Found, lately, matching, stillThere } from './lookup.ts';
import { refusedFor } from './ownership.ts';
import { proofOf } from './proof.ts';

/** What stands against it, and who has that: another namespace, of which one is only being made, or nobody here. */
type Against = { readonly what: string } & (
  | { readonly is: 'claimed'; readonly path: string }
  | { readonly is: 'inMaking'; readonly object: Resource }
  | { readonly is: 'unclaimed' }
);

/** What another namespace has, or nobody here, may stand against making it ({@link Conflict}): who may adopt anything may do so all the same. */
export async function conflict(context: ClusterContext, want: AnyWant): Promise<Outcome | undefined> {
  const rule = asCollection(context.kind)?.conflictsWith;
  if (rule === undefined || mayAdopt(context)) return undefined;
  const against = ofObjects(context, want, rule) ?? (await ofAccount(context, want, rule));
  return against && refused(context, want, against, rule);
}

/** The same in the moment before it is sent, of objects alone: what was asked for at the same time shows only now. */
export function conflictNow(context: ClusterContext, want: AnyWant): Outcome | undefined {
  const rule = asCollection(context.kind)?.conflictsWith;
  const against = rule === undefined || mayAdopt(context) ? undefined : ofObjects(context, want, rule);
  return rule && against && refused(context, want, against, rule);
}

function refused(context: ClusterContext, want: AnyWant, against: Against, rule: Conflict<AnyWant>): Outcome {
  const { kind, engine, object } = context;
  const outcome = told(context, want, against);
  if (against.is === 'claimed') return refusedFor(context, against.path, outcome);
  // Nobody holds it yet: what its status says next wakes this one.
  if (against.is === 'inMaking') engine.referenceIndex.add(objectId(kind.kind, keyOf(object)), objectId(rule.kind, keyOf(against.object)));
  return outcome;
}

function told(context: ClusterContext, want: AnyWant, { is, what }: Against): Outcome {
  const { kind, object } = context;
  const { namespace } = object.metadata;
  const owner = `the owner of ${accountName(context)}`;
  const adopt = `spec.access[].adopt: Any for namespace ${namespace}`;
  const name = canonical(kind.key?.of(want));
  if (is === 'unclaimed')
    return {
      is: 'Stalled',
      reason: 'AlreadyExists',
      message: `${name} is not made: ${what} is in this account, and no object of namespace ${namespace} has it. Choose another name, or ask ${owner}, who may set ${adopt}, or delete it there`,
    };
  const way =
    asCollection(kind)?.conflictsWith?.unlessAdmitted === true
      ? 'have that namespace delete that; or, where it is to have a part in this one, add it to spec.allowedRefs.namespaces here'
      : 'have that namespace make it, with an object of its own';
  return {
    is: 'Stalled',
    reason: 'AlreadyClaimed',
    message: `${name} is not made: ${what} is in this account, and another namespace has it. Choose another name; or ${way}; or have ${owner} set ${adopt}`,
  };
}

/** What objects of other namespaces have, or are having made: a list may not show it yet. */
function ofObjects(context: ClusterContext, want: AnyWant, rule: Conflict<AnyWant>): Against | undefined {
  for (const object of context.engine.objects.all(rule.kind)) {
    if (hasLeave(context, rule, object)) continue;
    const what = rowsOf(context, object)
      .map((row) => rule.says(want, row))
      .find((one) => one !== undefined);
    const place = what === undefined ? undefined : (placeOf(context, object) ?? makingOf(context, object));
    if (what !== undefined && place !== undefined) return { ...place, what };
  }
  return undefined;
}

/**
 * What it has, as it was seen last, and the key of what is being made. Its spec may wish for any other name by now, which nobody
 * has approved. Where nothing was seen of what it has, the list tells.
 */
function rowsOf({ engine, account, key }: ClusterContext, object: Resource): readonly Row[] {
  const path = engine.claims.of(object.metadata.uid)?.path ?? (hasOwnPath(object) ? String(object.status?.['path']) : undefined);
  const seen = path === undefined ? undefined : account.connection.cache.get(path)?.remote;
  const intent = intentOf({ key, name: objectName(naming(engine), object), object });
  return [seen, intent?.key.is, engine.objectMemory.making.get(object.metadata.uid)].filter((row) => row !== undefined);
}

/** This process is about to write down that it makes it. */
const makingOf = ({ engine }: ClusterContext, object: Resource) =>
  engine.objectMemory.making.has(object.metadata.uid) ? ({ is: 'inMaking', object } as const) : undefined;

/** Where the other has it, or is having it made, in this account. */
function placeOf({ engine, account, key }: ClusterContext, object: Resource) {
  const name = objectName(naming(engine), object);
  const proof = proofOf({ key, name }, object);
  if (proof.is !== 'ours') {
    const intent = intentOf({ key, name, object });
    // What can no longer have made anything keeps nobody from the name, also of an object at which nobody looks because it is paused.
    const until = intent && decidedAt(intent, engine.settings) + appearsWithin(engine.registry.kind(object.kind));
    return (until ?? 0) > account.connection.apiNow() ? ({ is: 'inMaking', object } as const) : undefined;
  }
  const { account: its, path } = proof.identity;
  return its === account.connection.identity.account ? ({ is: 'claimed', path } as const) : undefined;
}

/** What the account lists, which people made, or objects that let go of it. */
async function ofAccount(context: ClusterContext, want: AnyWant, rule: Conflict<AnyWant>): Promise<Against | undefined> {
  const other = { ...context, kind: context.engine.registry.kind(rule.kind) };
  const listed = await Promise.all(placesOf(other.kind).map((place) => lately(other, place, (row) => rule.says(want, row) !== undefined)));
  const foreign = listed.flat().filter((one) => !isHeldWithLeave(context, rule, one));
  if (foreign.length === 0 || (await isThere(context, want))) return undefined;
  for (const one of foreign) {
    const [there] = await stillThere(other, [one]);
    const what = rule.says(want, one.row);
    if (there === undefined || what === undefined) continue;
    return holderOf(context, one) === undefined ? { is: 'unclaimed', what } : { is: 'claimed', what, path: one.path };
  }
  return undefined;
}

/** What has the name itself is told of in its own words: nothing is made then. */
async function isThere(context: ClusterContext, want: AnyWant): Promise<boolean> {
  const { kind, engine } = context;
  const key = { in: collectionOf(kind, want), is: kind.key?.of(want) ?? {} };
  const found = await matching(context, key, want, engine.clock.monotonic() - baselineGoodFor);
  return (await stillThere(context, found)).length > 0;
}

const holderOf = ({ engine, account }: ClusterContext, { path }: Found): Claim | undefined =>
  engine.claims.holder(account.connection.identity.account, path);

function isHeldWithLeave(context: ClusterContext, rule: Conflict<AnyWant>, found: Found): boolean {
  const holder = holderOf(context, found);
  const object = holder && context.engine.objects.get(holder.kind, holder.key);
  return object !== undefined && hasLeave(context, rule, object);
}

/** Both are of one namespace, or that of the other is to have a part in what is made. What the other admits to is never leave. */
const hasLeave = ({ object }: ClusterContext, { unlessAdmitted }: Conflict<AnyWant>, { metadata: { namespace } }: Resource): boolean =>
  unlessAdmitted === true ? admits(object, namespace) : namespace === object.metadata.namespace;
