import type { ClusterContext } from '../context.ts';
import { accountKey } from '../model/account.ts';
import { isDeleting } from '../model/annotations.ts';
import type { Resource } from '../ports/index.ts';

/** What a label selector chose. */
export interface Selection {
  /** In the order of the objects' names. */
  readonly ids: readonly string[];
  /** Objects that have no id yet, in words; of many the first. */
  readonly lacking: readonly string[];
  /** The list may be added to, never taken from: an object still lacks its id, or is on its way out and keeps its place until it is gone. */
  readonly partial: boolean;
}

/** So many are told by name: statuses must not grow with what is selected. */
const mostNamed = 10;

/** The objects of a kind in this namespace and account that carry all these labels. */
export function select(context: ClusterContext, kind: string, labels: Readonly<Record<string, string>>): Selection {
  const { namespace } = context.object.metadata;
  const chosen = [...context.engine.objects.all(kind)]
    .filter((object) => object.metadata.namespace === namespace && carries(object, labels) && isOfAccount(context, object))
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const staying = chosen.filter((object) => !isDeleting(object));
  const ids = staying.flatMap(({ status }) => (typeof status?.['id'] === 'string' ? [status['id']] : []));
  const without = staying.filter(({ status }) => typeof status?.['id'] !== 'string');
  const named = without.slice(0, mostNamed).map(({ metadata }) => `${kind} ${metadata.name} has no id yet`);
  // No count of them: each object that selects would be written whenever one comes or goes.
  const lacking = without.length > mostNamed ? [...named, `more of kind ${kind} have no id yet`] : named;
  return { ids, lacking, partial: ids.length < chosen.length };
}

const carries = ({ metadata }: Resource, labels: Readonly<Record<string, string>>): boolean =>
  Object.entries(labels).every(([name, value]) => metadata.labels?.[name] === value);

/** One without a status yet counts by the account that it names. */
function isOfAccount(context: ClusterContext, object: Resource): boolean {
  const account = object.status?.['account'] ?? context.engine.accounts.get(accountKey(object))?.connection.identity.account;
  return account === undefined || account === context.account.connection.identity.account;
}
