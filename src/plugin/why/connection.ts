import { accountKey } from '../../engine/model/account.ts';
import { isDeleting } from '../../engine/model/annotations.ts';
import { nameOf } from '../../engine/model/object-id.ts';
import { deletionsAlone } from '../../engine/ports/data-lack.ts';
import type { Key, Resource } from '../../engine/ports/kubernetes.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { deadLeaseOf, deadText } from '../cluster/serving.ts';
import { registry } from '../command-line/kinds.ts';
import { isBehind, isCutOff, pauseOf, stateOf } from '../objects/facts.ts';
import type { Landscape } from '../objects/landscape.ts';
import type { Session } from '../session.ts';
import { alone, type Chain } from './causes/cause.ts';
import { accountOfWaiting } from './causes/of-account.ts';
import { chainOf, withoutOperator } from './chain.ts';

/** Why nothing of an object is seen or changed now, whatever its own conditions say. */
export interface Lost {
  readonly because: string;
  readonly since?: string | undefined;
  readonly chain: Chain;
}
export interface Connection {
  /** How the account is, in one line: an object that is well may be held up next. */
  readonly line: string;
  readonly lost: Lost | undefined;
}

const keyOfAccount = (object: Resource): Key => (isAccount(object) ? object.metadata : accountKey(object));
const isAccount = ({ kind }: Resource): boolean => kind === registry.connection.kind;

export async function connectionOf(session: Session, landscape: Landscape, object: Resource): Promise<Connection> {
  const key = keyOfAccount(object);
  const account = isAccount(object) ? object : await landscape.find(registry.connection.kind, key);
  if (account === 'unseen') return { line: `Account ${nameOf(key)}: you may not read it.`, lost: undefined };
  if (account === 'missing')
    return { line: `Account ${nameOf(key)}: it is not there.`, lost: await withoutAccount(landscape, object, key) };
  const dead = await deadLeaseOf(await session.reader(), account, session.now);
  const line = `Account ${nameOf(key)}: ${accountText(account, session.now)}${dead === undefined ? '' : `, ${deadText(dead)}`}.`;
  if (dead !== undefined) {
    const chain = alone(withoutOperator(dead, shownName(account)));
    return { line, lost: { because: `no operator works for ${shownName(account)}`, since: dead.since, chain } };
  }
  return { line, lost: isAccount(object) || !isCutOff(account) ? undefined : await cutOff(landscape, account) };
}

async function cutOff(landscape: Landscape, account: Resource): Promise<Lost> {
  const { reason = 'NotLookedAt', since } = stateOf(account);
  return { because: `${shownName(account)} is not connected (${reason})`, since, chain: await chainOf(landscape, account) };
}

async function withoutAccount(landscape: Landscape, object: Resource, key: Key): Promise<Lost | undefined> {
  const [cause] = await accountOfWaiting(landscape, object);
  if (cause === undefined || !('reason' in cause)) return undefined;
  return { because: `${shownName({ kind: registry.connection.kind, metadata: key })} is not there`, chain: alone(cause) };
}

function accountText(account: Resource, now: number): string {
  const isGoing = isDeleting(account);
  const reason = (isGoing && isBehind(account) ? undefined : stateOf(account).reason) ?? 'not looked at yet';
  const { held = [] } = (account.status ?? {}) as { readonly held?: readonly unknown[] };
  return [
    ...(isGoing ? ['being deleted'] : []),
    reason,
    ...mayWrite(account, now),
    ...(held.length > 0
      ? [`${held.length} held: kubectl cloud release --list ${typed(account)}`]
      : isGoing
        ? []
        : ['no mass deletion is held']),
  ].join(', ');
}

const barred: ReadonlySet<string> = new Set(['AccountNotReady', 'Unauthorized', 'AccountMismatch', 'Unreachable']);
/** A pause forbids what the mode allows. */
function mayWrite(account: Resource, now: number): readonly string[] {
  const paused = pauseOf(account, now);
  const { reason = '', words } = stateOf(account);
  // Whatever its mode allows, there is no way into it.
  if (paused === undefined && barred.has(reason))
    return [
      words.includes(deletionsAlone)
        ? 'only deletions are made until that is mended: what is deleted now goes in the account, too'
        : 'nothing can be written until that is mended',
    ];
  const mode = account.spec['mode'] === 'ReadOnly' ? ['mode ReadOnly'] : [];
  if (paused !== undefined) return [...mode, `nothing is changed in it, paused ${paused}`];
  return [...(mode.length === 0 ? ['may write'] : mode), 'not paused'];
}
