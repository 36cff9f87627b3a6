import type { Resource } from '../../engine/ports/kubernetes.ts';
import { type AnyKind, placesOf } from '../../resource/index.ts';
import type { AccountReader } from '../account/account-reader.ts';
import { accountNamed } from '../account/alone.ts';
import { accountIn } from '../account/shown.ts';
import { shownName } from '../cluster/naming.ts';
import { hasMembers } from '../dry/members.ts';
import { Standing } from '../dry/standing.ts';
import { CliError } from '../exit.ts';
import { registry } from '../command-line/kinds.ts';
import { parentOf } from './remotes.ts';
import { clusterUidOf } from '../plan/bases/surroundings.ts';
import type { Session } from '../session.ts';

/** What the objects of all namespaces stand for in the account. Whoever may not list them all is told so, as each that is not seen would make an orphan. */
export async function standingOf(session: Session, account: AccountReader, kinds: readonly AnyKind[]): Promise<Standing> {
  const { shown } = account;
  const accounts = await accountsAt(session, account);
  if (session.isAlone) return new Standing({ registry, accounts, objects: [], account: shown.id, clusterUid: '' });
  const reader = await session.reader();
  // Some of it is named by the spec of what it lies below.
  const above = kinds.flatMap((kind) => (kind.parent === undefined ? [] : [parentOf(kind, kind.parent.ref)])).filter(hasMembers);
  const objects = await Promise.all([...new Set([...kinds, ...above])].map((kind) => reader.list(kind, undefined)));
  const clusterUid = await clusterUidOf(session, accounts);
  refuseUnknown(accounts, clusterUid);
  return new Standing({ registry, accounts, objects: objects.flat(), account: shown.id, clusterUid });
}

/** The CloudAccounts that lead to this account of the service. */
async function accountsAt(session: Session, { shown }: AccountReader): Promise<readonly Resource[]> {
  if (session.isAlone) return [accountNamed(accountIn(shown.account))];
  const all = await (await session.reader()).list(registry.connection, undefined);
  return all.filter((one) => shownName(one) === shown.account || one.status?.['account'] === shown.id);
}

/** What this user may see at all. Profiles belong to users: that of another user holds nothing that objects here stand for. */
export async function kindsOfUser(session: Session, account: AccountReader, wanted: readonly AnyKind[]): Promise<readonly AnyKind[]> {
  const hidden = account.isRestricted ? wanted.filter(({ scopes }) => scopes.unrestricted === true) : [];
  if (hidden.length > 0)
    session.warn(
      `${hidden.map(({ kind }) => kind).join(', ')} is left out: user ${account.shown.user} is restricted, and only unrestricted users see it`,
    );
  const kinds = wanted.filter((kind) => !hidden.includes(kind));
  const users = (await accountsAt(session, account)).flatMap(({ status }) =>
    typeof status?.['user'] === 'string' ? [status['user']] : [],
  );
  const another = users.find((user) => user !== account.shown.user);
  const left = another === undefined ? [] : kinds.filter((kind) => placesOf(kind).some((place) => place.startsWith('/profile/')));
  if (left.length > 0)
    session.warn(
      `${left.map(({ kind }) => kind).join(', ')} is left out: it lies in the profile of a user, the objects belong to user ${another}, and you read as user ${account.shown.user}`,
    );
  return kinds.filter((kind) => !left.includes(kind));
}

/** Without its installation every tag would look like another's. */
function refuseUnknown(accounts: readonly Resource[], clusterUid: string): void {
  const unnamed = accounts.find(({ spec }) => spec['installation'] === undefined);
  if (unnamed === undefined || clusterUid !== '') return;
  throw new CliError(4, [
    `the installation of ${shownName(unnamed)} is not known: its status does not show it yet, and you may not read namespace kube-system`,
    'The right that is missing: get namespaces',
  ]);
}
