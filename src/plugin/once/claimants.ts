import { belongsTo } from '../../engine/guard/release-code.ts';
import { keyOf } from '../../engine/model/object-id.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { registry } from '../command-line/kinds.ts';
import type { Session } from '../session.ts';

/** Objects of all namespaces that this account is for, whoever names it. */
export async function claimants(session: Session, id: string): Promise<readonly Resource[]> {
  const reader = await session.reader();
  const lists = await Promise.all(registry.kinds.map((kind) => reader.list(kind, undefined)));
  const objects = lists.flat();
  const accounts = objects.filter(({ kind, status }) => kind === registry.connection.kind && status?.['account'] === id);
  return objects.filter((object) => object.kind !== registry.connection.kind && isOf(object, id, accounts));
}

const isOf = (object: Resource, id: string, accounts: readonly Resource[]): boolean =>
  object.status?.['account'] === id || accounts.some((account) => belongsTo({ key: keyOf(account) }, object));
