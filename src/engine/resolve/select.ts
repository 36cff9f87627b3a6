import { accountKey } from '../account/accounts.ts';
import { isDeleting } from '../run/annotations.ts';
import type { Resource } from '../ports.ts';
import type { Turn } from '../run/turn.ts';

/** What a label selector chose. */
export interface Selection {
  /** In the order of the objects' names. */
  readonly ids: readonly string[];
  /** Objects that have no id yet, in words. */
  readonly lacking: readonly string[];
  /** The list may be added to, never taken from: an object still lacks its id, or is on its way out and keeps its place until it is gone. */
  readonly partial: boolean;
}

/** The objects of a kind in this namespace and account that carry all these labels. */
export function select(turn: Turn, kind: string, labels: Readonly<Record<string, string>>): Selection {
  const { namespace } = turn.object.metadata;
  const chosen = [...turn.engine.objects.all(kind)]
    .filter((object) => object.metadata.namespace === namespace && carries(object, labels) && isOfAccount(turn, object))
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const staying = chosen.filter((object) => !isDeleting(object));
  const ids = staying.flatMap(({ status }) => (typeof status?.['id'] === 'string' ? [status['id']] : []));
  const lacking = staying
    .filter(({ status }) => typeof status?.['id'] !== 'string')
    .map(({ metadata }) => `${kind} ${metadata.name} has no id yet`);
  return { ids, lacking, partial: ids.length < chosen.length };
}

const carries = ({ metadata }: Resource, labels: Readonly<Record<string, string>>): boolean =>
  Object.entries(labels).every(([name, value]) => metadata.labels?.[name] === value);

/** One without a status yet counts by the account that it names. */
function isOfAccount(turn: Turn, object: Resource): boolean {
  const account = object.status?.['account'] ?? turn.engine.accounts.get(accountKey(object))?.connection.identity.account;
  return account === undefined || account === turn.account.connection.identity.account;
}
