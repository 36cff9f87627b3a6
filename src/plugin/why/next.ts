import { asOperation } from '../../resource/index.ts';
import { admits } from '../../engine/model/account.ts';
import { isDeleting } from '../../engine/model/annotations.ts';
import { nameOf } from '../../engine/model/object-id.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { mergePatch, shownName, typed, withKubectl } from '../cluster/naming.ts';
import { isBehind, stateOf } from '../objects/facts.ts';
import { registry } from '../command-line/kinds.ts';
import type { Landscape } from '../objects/landscape.ts';
import { type Link, linksOf, selects } from '../objects/links.ts';
import { type Cause, isAbsent, thereNow } from './causes/cause.ts';
import { missingData } from './causes/data/missing-data.ts';
import { accountOfWaiting, heldByAccount, holdsWhatIsAsked, tokenOfAccount, tokenThatMayNot } from './causes/of-account.ts';
import { letGoBefore } from './causes/let-go.ts';
import { withSuccessor } from './causes/renamed.ts';
import { partsToCome, troubledTargets } from './causes/refused.ts';
import { anotherOperation, setOnce } from './causes/set-once.ts';
import { takenSince } from './causes/there-already.ts';

type Next = readonly (Resource | Cause)[];
export interface Offered {
  /** What is called nearly like what is missing is looked for. */
  readonly near: boolean;
  /** Whether a Secret or ConfigMap has come since is asked for; else by what the operator wrote. */
  readonly data: boolean;
}
/** Of many objects, by what is known of them already. */
export const atAGlance: Offered = { near: false, data: false };
type Looking = (landscape: Landscape, object: Resource, offered: Offered) => Promise<Next>;

/** What an object waits for: all of it must come about. */
export async function nextOf(landscape: Landscape, object: Resource, offered: Offered = { near: true, data: true }): Promise<Next> {
  const { well, off, reason = 'AccountNotReady' } = stateOf(object);
  if (well) return off ? partsToCome(landscape, object) : [];
  if (isBehind(object)) return accountOfWaiting(landscape, object);
  if (object.kind === registry.connection.kind) return dataOf(landscape, object, offered);
  const held = await holdsWhatIsAsked(landscape, object);
  if (held.length > 0) return held;
  return (await byReason[reason]?.(landscape, object, offered)) ?? [];
}

const byReason: Readonly<Record<string, Looking>> = {
  ReferenceNotReady: async (landscape, object, offered) =>
    isDeleting(object)
      ? takersOf(landscape, object)
      : [
          ...(await missingTargets(landscape, object, offered.near ? (kind, key) => landscape.near(kind, key) : undefined)),
          ...(await dataOf(landscape, object, offered)),
        ],
  AccountNotReady: accountOfWaiting,
  ReadOnly: heldByAccount,
  Unauthorized: tokenOfAccount,
  Forbidden: tokenThatMayNot,
  Rejected: async (landscape, object) => firstOf(await partsToCome(landscape, object)) ?? troubledTargets(landscape, object),
  AlreadyExists: (landscape, object, { near }) => takenSince(landscape, object, !near),
  Busy: troubledTargets,
};

/** What is being deleted waits for whoever asks to have its remote. */
async function takersOf(landscape: Landscape, { kind, status, metadata: { namespace } }: Resource): Promise<Next> {
  const names = ((status?.['waitingFor'] ?? []) as readonly string[]).map((text) => text.slice(`${kind} `.length));
  const found = await Promise.all(names.map((name) => landscape.find(kind, { namespace, name })));
  return found.filter((one) => typeof one !== 'string');
}

const dataOf = (landscape: Landscape, object: Resource, { data }: Offered): Promise<Next> =>
  missingData(object, data ? landscape : undefined);

const firstOf = (next: Next): Next | undefined => (next.length > 0 ? next : undefined);

/** It has no value for what its spec names, and nobody makes one by waiting: a person must. */
export async function waitsForNothing(landscape: Landscape, object: Resource): Promise<boolean> {
  if (stateOf(object).reason !== 'ReferenceNotReady') return false;
  return (await nextOf(landscape, object, atAGlance)).some((one) => 'reason' in one && isAbsent(one));
}

/** Each once, though several fields may name it. `near`: what is called nearly so, where somebody reads it. */
async function missingTargets(landscape: Landscape, object: Resource, near?: Landscape['near']): Promise<Next> {
  const all = new Map<string, Resource | Cause>();
  for (const link of [...linksOf(object), ...operatedOn(object)])
    for (const one of await targetsOf(landscape, object, { link, near })) {
      const name = 'reason' in one ? one.object : shownName(one);
      if (!all.has(name)) all.set(name, one);
    }
  return [...all.values()];
}

interface Offering {
  readonly link: Link;
  readonly near: Landscape['near'] | undefined;
}
/** Of which kind the target of an operation is follows from its action, so that no field of the kind names it. */
function operatedOn({ kind, spec, metadata: { namespace } }: Resource): readonly Link[] {
  const { action, target } = spec as { readonly action?: string; readonly target?: { readonly name?: string } };
  const on = asOperation(registry.kind(kind))?.operates[action ?? '']?.on;
  return on === undefined || target?.name === undefined
    ? []
    : [{ is: 'object', field: 'spec.target', kind: on, key: { namespace, name: target.name } }];
}

/** Where it has no id yet, the target stands in the way; where it is not there, or not for this namespace, that does. */
async function targetsOf(landscape: Landscape, object: Resource, { link, near }: Offering): Promise<Next> {
  if (link.is === 'selector') return landscape.all.filter((one) => selects(link, one) && !hasId(one));
  if (link.is !== 'object') return [];
  const found = await landscape.find(link.kind, link.key);
  if (found === 'unseen') return [unseen(`${link.kind} ${nameOf(link.key)}`)];
  if (found === 'missing') {
    const cause = notThere(object, link, await near?.(link.kind, link.key));
    return [near === undefined ? cause : await withSuccessor(landscape, object, cause)];
  }
  if (!admits(found, object.metadata.namespace)) return [notAdmitted(found, object.metadata.namespace)];
  if (!hasId(found)) return [found];
  return isToldMissing(object, link) ? [thereNow(shownName(found), 'it has its id now', typed(object))] : [];
}
const hasId = ({ status }: Resource): boolean => status?.['id'] !== undefined;

const missing = ['is not found', 'has no id yet', 'is missing in the account'];
/** In the operator's words, which name the namespace of what may be shared. */
function isToldMissing(object: Resource, { field, kind, key }: Extract<Link, { is: 'object' }>): boolean {
  const waitingFor = (object.status?.['waitingFor'] ?? []) as readonly string[];
  const names = [key.name, nameOf(key)].map((name) => `${field}: ${kind} ${name}`);
  return waitingFor.some((text) => names.some((name) => missing.some((words) => text.startsWith(`${name} ${words}`))));
}

/** What may not be edited is not told to be. */
function notThere(object: Resource, { field, kind, key }: Extract<Link, { is: 'object' }>, near = ''): Cause {
  const told = { object: `${kind} ${nameOf(key)}`, reason: 'NotFound', message: `it is not there${near}` } as const;
  const fixed = anotherOperation(object) ?? setOnce(object, field);
  const letGo = letGoBefore(object, field, fixed !== undefined);
  if (letGo !== undefined) return { ...told, ...letGo };
  return {
    ...told,
    todo: fixed === undefined ? `Create it, or correct ${field}:` : `Create it. Where another is meant: ${fixed.todo}`,
    commands: fixed?.commands ?? [withKubectl('edit', object)],
  };
}

function notAdmitted(target: Resource, namespace: string): Cause {
  const { namespaces = [] } = (target.spec['allowedRefs'] ?? {}) as { readonly namespaces?: readonly string[] };
  return {
    object: shownName(target),
    reason: 'NotAdmitted',
    message: `its spec.allowedRefs does not admit namespace ${namespace}`,
    todo: `If namespace ${namespace} is to use it, its owner adds that, as this line does (in its manifest, too, where it comes from Git):`,
    commands: [mergePatch(target, { spec: { allowedRefs: { namespaces: [...namespaces, namespace] } } })],
  };
}

export const unseen = (object: string): Cause => ({
  object,
  reason: 'NotSeen',
  message: 'you may not read it, so the chain ends here',
  todo: 'Ask somebody who may.',
  commands: [],
});
