import { accountKey, type Access, admission } from '../../../engine/model/account.ts';
import { nameOf } from '../../../engine/model/object-id.ts';
import { isLosing } from '../../../engine/model/policy.ts';
import { deletionsAlone } from '../../../engine/ports/data-lack.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { counted } from '../../../lib/counted.ts';
import { asCollection } from '../../../resource/index.ts';
import { mergePatch, namesOf, shownName, typed, withKubectl } from '../../cluster/naming.ts';
import { askedFor, isBehind, isMadeThen, isServedToItsEnd, pauseOf, stateOf } from '../../objects/facts.ts';
import { registry } from '../../command-line/kinds.ts';
import type { Landscape } from '../../objects/landscape.ts';
import { losingIn } from '../../objects/losing.ts';
import type { Advice } from '../advice.ts';
import { type Cause, thereNow } from './cause.ts';
import { valueInto, variable } from './data/secret-value.ts';

type Next = readonly (Resource | Cause)[];
const { kind } = registry.connection;

/** The account of what waits for it; where that is well by now, nobody has looked since. */
export async function accountOfWaiting(landscape: Landscape, object: Resource): Promise<Next> {
  if (object.kind === kind) return [];
  const account = await landscape.find(kind, accountKey(object));
  if (account === 'unseen') return [unseenAccount(object)];
  if (account === 'missing') return [noAccount(object)];
  if (!isAdmitted(account, object)) return [];
  if (!stateOf(account).well && !isServedToItsEnd(account)) return [account];
  const isTold = stateOf(object).reason === 'AccountNotReady' && !isBehind(object);
  return isTold ? [thereNow(shownName(account), 'it is connected now', typed(object))] : [];
}

function isAdmitted(account: Resource, object: Resource): boolean {
  const access = (account.spec['access'] ?? []) as readonly Access[];
  return admission({ key: account.metadata, access }, registry.kind(object.kind), object.metadata.namespace) !== undefined;
}

const named = (object: Resource): string => `${kind} ${nameOf(accountKey(object))}`;
const unseenAccount = (object: Resource): Cause => ({
  object: named(object),
  reason: 'NotSeen',
  message: 'you may not read it, so the chain ends here',
  todo: 'Ask somebody who may.',
  commands: [],
});

/** `accountRef` is set once, as a cloud resource never moves. */
function noAccount(object: Resource): Cause {
  const isMade = object.status?.['path'] !== undefined;
  return {
    object: named(object),
    reason: 'NotFound',
    message: 'it is not there',
    todo: isMade
      ? 'Create it again, with a token of the same account.'
      : 'Create it. Where another account is meant, delete this object, and apply it with another spec.accountRef:',
    commands: isMade ? [] : [withKubectl('delete', object)],
  };
}

/** Whether its mode or its pause keeps changes from an account, only the account itself tells for certain. */
export async function heldByAccount(landscape: Landscape, object: Resource): Promise<Next> {
  const account = await landscape.find(kind, accountKey(object));
  if (typeof account === 'string') return [];
  const [isReadOnly, paused] = [account.spec['mode'] === 'ReadOnly', pauseOf(account, landscape.now)];
  if (!isReadOnly && paused === undefined) return [thereNow(shownName(account), 'changes may be made in it now', typed(object))];
  const advice = [...keeping(object), ...(paused === undefined ? [] : [resumed(account)]), ...(isReadOnly ? [managed(account)] : [])];
  const why = [...(isReadOnly ? ['mode ReadOnly'] : []), ...(paused === undefined ? [] : [`paused ${paused}`])];
  return [
    {
      object: shownName(account),
      reason: isReadOnly ? 'ReadOnly' : 'Paused',
      message: `nothing is changed in it, ${why.join(', ')}`,
      todo: advice.map(({ todo }) => todo).join(' '),
      commands: advice.flatMap(({ commands }) => commands),
    },
  ];
}

/** What a person asked for by an annotation is not taken up while nothing may be changed in the account, and what is lost not made anew. */
export async function holdsWhatIsAsked(landscape: Landscape, object: Resource): Promise<Next> {
  if (object.kind === kind || isBehind(object) || (askedFor(object) === undefined && !isMadeThen(object))) return [];
  const held = await heldByAccount(landscape, object);
  return held.some((one) => 'reason' in one && one.reason === 'ThereNow') ? [] : held;
}

/** Nobody looks at them now, and whoever mends the account does not ask for their end. */
export async function goingIn(landscape: Landscape, account: Resource): Promise<Advice | undefined> {
  const { objects } = await losingIn(landscape, account, landscape.now);
  const [first, second] = objects;
  if (first === undefined) return undefined;
  const [are, they, how] =
    second === undefined
      ? ['is being deleted', 'it has', 'the first line keeps it there.']
      : ['are being deleted', 'they have', 'the first line prints what to type, and writes nothing.'];
  return {
    todo: `${counted(objects.length, 'object')} in ${shownName(account)} ${are} (${namesOf(objects)}): what ${they} in the account ${onceConnected(account)}. To keep that: ${how}`,
    commands: [second === undefined ? mergePatch(first, retained) : `kubectl cloud release --keep ${typed(account)}`],
  };
}
/** With the operator's own copy of the token, as long as that is taken. */
export const onceConnected = (account: Resource): string =>
  stateOf(account).words.includes(deletionsAlone)
    ? 'is deleted at once, for good, and needs no other token for that'
    : 'is deleted, for good, as soon as it is connected again';
const retained = { spec: { lifecycle: { onDelete: 'Retain' } } };

/** What its kind has a choice for: once changes may be made it is too late. */
const keeping = (object: Resource): readonly Advice[] =>
  isLosing(object) && asCollection(registry.kind(object.kind)) !== undefined
    ? [
        {
          todo: `${shownName(object)} is being deleted. What it has in the account goes, too, when that may be changed: the first line keeps it there.`,
          commands: [mergePatch(object, retained)],
        },
      ]
    : [];

type Account = Pick<Resource, 'kind' | 'metadata'>;
export const resumed = (account: Account): Advice => ({
  todo: `End the pause of ${shownName(account)}, if it is over: what is being deleted in it goes then, and is named before.`,
  commands: [`kubectl cloud resume ${typed(account)}`],
});
export const managed = (account: Account): Advice => ({
  todo: `Have ${shownName(account)} manage, if changes are to be made in it; what is being deleted in it goes then, too, unless its lifecycle.onDelete is Retain.`,
  commands: [mergePatch(account, { spec: { mode: 'Manage' } })],
});

/** The account may not know yet what one of its objects was told. */
export async function tokenOfAccount(landscape: Landscape, object: Resource): Promise<Next> {
  const account = await landscape.find(kind, accountKey(object));
  if (account === 'unseen') return [unseenAccount(object)];
  if (account === 'missing') return [noAccount(object)];
  if (!stateOf(account).well) return [account];
  const advice = otherToken(account, 'a valid token');
  return advice === undefined
    ? []
    : [
        {
          object: shownName(account),
          reason: 'Unauthorized',
          message: 'its token was refused',
          todo: advice.todo,
          commands: advice.commands,
        },
      ];
}

/** What a grant of its user allows is not told by the token: who gives those may do that instead. */
export async function tokenThatMayNot(landscape: Landscape, object: Resource): Promise<Next> {
  if (!/\bThe token needs the scope\b/.test(stateOf(object).words)) return [];
  const account = await landscape.find(kind, accountKey(object));
  const advice = typeof account === 'string' ? undefined : otherToken(account, 'a token with the scopes that the message names');
  if (typeof account === 'string' || advice === undefined) return [];
  const { commands, todo } = advice;
  const granted = `Or have its user granted it, where that one is restricted, and then: kubectl cloud reconcile ${typed(object)}`;
  return [{ object: shownName(account), reason: 'Forbidden', message: 'its token may not do this', todo: `${todo} ${granted}`, commands }];
}

/** Its Secret keeps what else is in it. `what`: the token that it takes. */
export function otherToken({ spec, metadata: { namespace } }: Resource, what: string): Advice | undefined {
  const { name, key } = (spec['tokenSecretRef'] ?? {}) as { readonly name?: string; readonly key?: string };
  if (name === undefined || key === undefined) return undefined;
  return {
    todo: `Put ${what} into key ${key} of Secret ${name}: read it into the variable first (read -rs ${variable(key)}). It is looked at every minute, no restart is needed, and what waits goes on by itself.`,
    commands: [valueInto({ namespace, name, key })],
  };
}
