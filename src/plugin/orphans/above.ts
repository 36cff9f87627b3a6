import { KubeError, type Resource } from '../../engine/ports/kubernetes.ts';
import { type AnyKind, parentOfItem } from '../../resource/index.ts';
import type { AccountReader } from '../account/account-reader.ts';
import { shownName } from '../cluster/naming.ts';
import type { Remote } from '../dry/standing.ts';
import { CliError } from '../exit.ts';
import type { Session } from '../session.ts';
import { parentOf } from './remotes.ts';

/** Which object has what a remote lies below, as far as those may be read. */
export async function ownersAbove(
  session: Session,
  { shown }: AccountReader,
  kinds: readonly AnyKind[],
): Promise<(remote: Remote) => string | undefined> {
  const above = new Set(kinds.flatMap((kind) => (kind.parent === undefined ? [] : [parentOf(kind, kind.parent.ref)])));
  if (session.isAlone || above.size === 0) return () => undefined;
  const reader = await session.reader();
  const lists = await Promise.all([...above].map((kind) => reader.list(kind, undefined).catch(unread)));
  const names = new Map(
    lists
      .flat()
      .filter(({ status }) => status?.['account'] === shown.id)
      .map((object) => [String(object.status?.['path']), shownName(object)]),
  );
  return ({ kind, path }) => (kind.parent === undefined ? undefined : names.get(parentOfItem(kind, path)));
}

function unread(error: unknown): readonly Resource[] {
  if (error instanceof CliError || (error instanceof KubeError && error.fault === 'Forbidden')) return [];
  throw error;
}
