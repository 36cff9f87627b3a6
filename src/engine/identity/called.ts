import { type AnyKind, type AnyWant, collectionOfItem, type FieldValue, idsIn } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import { accountName, mayAdopt } from '../guard/recovery.ts';
import { keyOf, toldName } from '../model/object-id.ts';
import type { Resource } from '../ports/index.ts';
import { mayTakeByMark } from './by-mark.ts';
import type { Found } from './lookup.ts';
import { hasKey } from './ownership.ts';

/** Whether this object could have them by naming them: nobody else is told what they are, as a guessed name would be a way to look into the account. */
const isTold = (context: ClusterContext, found: readonly Found[]): boolean =>
  mayAdopt(context) || found.every((one) => mayTakeByMark(context, one));

/** What a message calls them. */
export function called(context: ClusterContext, found: readonly Found[]): string {
  if (isTold(context, found)) return found.map(({ path }) => path).join(', ');
  return found.length === 1 ? `one ${context.kind.kind} in the account` : `${found.length} of kind ${context.kind.kind} in the account`;
}

/** What a person does about them, or whom they ask. */
export const toName = (context: ClusterContext, found: readonly Found[], todo: string): string =>
  isTold(context, found) ? todo : whomToAsk(context);

const whomToAsk = (context: ClusterContext): string =>
  `ask the owner of ${accountName(context)}, who can see what is there and delete what is one too many, or let namespace ${context.object.metadata.namespace} adopt (spec.access[].adopt: Any): then this message names it`;

/**
 * `1000 is CloudInstance shop/web`: what the objects are called whose remotes these values name, for whoever knows them by that. Never
 * one of another namespace, unless the owner of the account asks: an id would be a way to learn what others have.
 */
export function namesOfIds(context: ClusterContext, values: readonly FieldValue[]): readonly string[] {
  const { registry } = context.engine;
  const names = [...idsIn(registry.sites(context.kind.kind), values)].flatMap(([kind, ids]) =>
    namesAmong(context, registry.kind(kind), ids),
  );
  return [...new Set(names)].toSorted();
}

function namesAmong(context: ClusterContext, kind: AnyKind, ids: ReadonlySet<string>): readonly string[] {
  const names: string[] = [];
  for (const object of context.engine.objects.all(kind.kind)) {
    const id = String(object.status?.['id']);
    if (ids.has(id) && isItsOwn(context, object)) names.push(...nameOfId(context, kind, object));
  }
  return names;
}

export function nameOfId(context: ClusterContext, { kind }: AnyKind, object: Resource): readonly string[] {
  const name = toldName(context, { kind, key: keyOf(object) });
  return name === undefined ? [] : [`${String(object.status?.['id'])} is ${name}`];
}

/** A status says what somebody wrote there. */
function isItsOwn({ engine, account }: ClusterContext, { metadata: { uid }, status }: Resource): boolean {
  const claim = engine.claims.of(uid);
  return claim !== undefined && claim.path === status?.['path'] && claim.account === account.connection.identity.account;
}

/** Those whose ids stand in one of these texts. */
export const namesIn = (texts: readonly string[], names: readonly string[]): readonly string[] =>
  names.filter((name) => texts.some((text) => text.split(/[^a-zA-Z0-9-]+/).includes(name.slice(0, name.indexOf(' ')))));

/** The object whose remote has the name that this one wants, in the same collection, as far as is known without asking. */
export function namesake(context: ClusterContext, want: AnyWant, path: string): Resource | undefined {
  const { kind, engine, object, account } = context;
  const key = kind.key?.of(want);
  if (key === undefined) return undefined;
  const collection = collectionOfItem(kind, path);
  // All of the kind are gone through, so what is rare is asked first.
  const isIt = (theirs: string): boolean => {
    const row = account.connection.cache.get(theirs)?.remote;
    return row !== undefined && hasKey(context, key, want, row) && collectionOfItem(kind, theirs) === collection;
  };
  for (const other of engine.objects.all(kind.kind))
    if (other.metadata.uid !== object.metadata.uid && isIt(String(other.status?.['path'])) && isItsOwn(context, other)) return other;
  return undefined;
}
