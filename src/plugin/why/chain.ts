import { accountKey, type Access, admission } from '../../engine/model/account.ts';
import { annotation, approveAnnotation, isDeleting } from '../../engine/model/annotations.ts';
import { shownPlan } from '../../engine/model/policy.ts';
import { nameOf, objectId } from '../../engine/model/object-id.ts';
import type { Key, Resource } from '../../engine/ports/kubernetes.ts';
import { shownName } from '../cluster/naming.ts';
import { isBehind, stateOf } from '../facts.ts';
import type { DeadLease } from '../cluster/serving.ts';
import { registry } from '../kinds.ts';
import type { Landscape } from '../landscape.ts';
import { type Link, linksOf, selects } from '../links.ts';
import { commandsFor, todoOf } from './actions.ts';
import type { Cause } from './cause.ts';
import { missingData } from './missing-data.ts';

/** From an object to what everything waits for: each waits for the next. The operator's own words, and no guess beyond them. */
export async function chainOf(landscape: Landscape, object: Resource): Promise<readonly Cause[]> {
  const chain: Cause[] = [];
  const seen = new Set<string>();
  for (let next: Resource | Cause | undefined = object; next !== undefined;) {
    if ('reason' in next) return [...chain, next];
    const id = objectId(next.kind, next.metadata);
    if (seen.has(id)) return chain;
    seen.add(id);
    chain.push(causeOf(next));
    next = await nextOf(landscape, next);
  }
  return chain;
}

function causeOf(object: Resource): Cause {
  const { reason, message, since } = stateOf(object);
  if (reason === undefined) return notLookedAt(object, nobodyYet);
  if (isBehind(object)) return notLookedAt(object, notSince(object));
  if (isApprovedUnseen(object)) return notLookedAt(object, 'it is approved by annotation, and no operator has taken that up yet');
  return {
    object: shownName(object),
    reason,
    message,
    ...(since !== undefined && { since }),
    todo: todoOf(reason, object),
    commands: commandsFor(reason, object),
  };
}

const nobodyYet = 'no operator has written a status yet: it was just made, or no operator runs that serves its account and namespace';

function notSince(object: Resource): string {
  const { metadata, status } = object;
  const { reason, message } = stateOf(object);
  if (isDeleting(object))
    return `it is being deleted since ${metadata.deletionTimestamp}, and no operator has looked at it since then, when it was ${reason}`;
  return `its spec was edited (generation ${metadata.generation}) after an operator looked last (generation ${String(status?.['observedGeneration'])}), when it was ${reason}${message === '' ? '' : `: ${message}`}`;
}

/** The operator notes in status what it accepts. */
const isApprovedUnseen = (object: Resource): boolean => {
  const plan = shownPlan(object);
  return plan !== undefined && plan.approved === undefined && annotation(object, approveAnnotation) === plan.hash;
};

const notLookedAt = (object: Resource, message: string): Cause => ({
  object: shownName(object),
  reason: 'NotLookedAt',
  message,
  todo: 'Wait some seconds. If it stays so, see whether the operator runs, and whether its namespaces and its selector of accounts include this object.',
  commands: [`kubectl cloud doctor -n ${object.metadata.namespace}`],
});

/** What an object waits for, in the order in which it would have to come about. */
async function nextOf(landscape: Landscape, object: Resource): Promise<Resource | Cause | undefined> {
  const { well, reason } = stateOf(object);
  if (well) return undefined;
  if (isBehind(object)) return troubleOfAccount(landscape, object);
  if (object.kind === registry.connection.kind) return missingData(object);
  if (reason === 'ReferenceNotReady') return missingLink(landscape, object);
  return reason === 'AccountNotReady' || reason === undefined ? troubleOfAccount(landscape, object) : undefined;
}

async function missingLink(landscape: Landscape, object: Resource): Promise<Resource | Cause | undefined> {
  for (const link of linksOf(object)) {
    const target = await targetOf(landscape, link);
    if (target !== undefined) return target;
  }
  return missingData(object);
}

/** It has no value for what its spec names, and nobody makes one by waiting: a person must. */
export async function waitsForNothing(landscape: Landscape, object: Resource): Promise<boolean> {
  if (stateOf(object).reason !== 'ReferenceNotReady') return false;
  const next = await missingLink(landscape, object);
  return next !== undefined && 'reason' in next && next.reason === 'NotFound';
}

/** Where it has no id yet, the target stands in the way; where it is not there, that does. */
async function targetOf(landscape: Landscape, link: Link): Promise<Resource | Cause | undefined> {
  if (link.is === 'selector') return landscape.all.find((object) => selects(link, object) && !hasId(object));
  if (link.is !== 'object') return undefined;
  const found = await landscape.find(link.kind, link.key);
  if (typeof found !== 'string') return hasId(found) ? undefined : found;
  return absent(link.kind, link.key, found, `Create it, or correct ${link.field}.`);
}
const hasId = ({ status }: Resource): boolean => status?.['id'] !== undefined;

async function troubleOfAccount(landscape: Landscape, object: Resource): Promise<Resource | Cause | undefined> {
  const { kind } = registry.connection;
  if (object.kind === kind) return undefined;
  const key = accountKey(object);
  const account = await landscape.find(kind, key);
  if (typeof account === 'string') return absent(kind, key, account, 'Create it, or name another in spec.accountRef.');
  const access = (account.spec['access'] ?? []) as readonly Access[];
  const admits = admission({ key, access }, registry.kind(object.kind), object.metadata.namespace) !== undefined;
  return admits && !stateOf(account).well ? account : undefined;
}

function absent(kind: string, key: Key, how: 'missing' | 'unseen', todo: string): Cause {
  const object = `${kind} ${nameOf(key)}`;
  if (how === 'unseen')
    return {
      object,
      reason: 'NotSeen',
      message: 'you may not read it, so the chain ends here',
      todo: 'Ask somebody who may.',
      commands: [],
    };
  return { object, reason: 'NotFound', message: 'it is not there', todo, commands: [] };
}

/** Where no operator works, nothing else of what stands there is to be done first. */
export const withoutOperator = ({ name, since }: DeadLease, account: string): Cause => ({
  object: `Lease ${name}`,
  reason: 'NotHeld',
  message: `nobody has renewed it since ${since}: no operator works for ${account}`,
  todo: 'See whether its Pods run, and what they log. Nothing is seen or done until one works.',
  commands: [
    `kubectl -n ${name.split('/')[0]} get pods`,
    `kubectl -n ${name.split('/')[0]} logs -l app.kubernetes.io/name=cloud-operator --tail=50`,
  ],
});
