import type { ClusterContext } from '../context.ts';
import { accountKey } from '../model/account.ts';
import { isDeleting } from '../model/annotations.ts';
import type { Resource } from '../ports/index.ts';
import { whyUnusable } from './target.ts';

/** What a label selector chose. */
export interface Selection {
  /** In the order of the objects' names. */
  readonly ids: readonly string[];
  /** Objects that cannot be named, mostly because they have no id yet, in words; of many the first. */
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
  const judged = staying.map((object) => ({ id: String(object.status?.['id']), why: whyUnusable(context, object) }));
  const ids = judged.flatMap(({ id, why }) => (why === undefined ? [id] : []));
  const without = judged.flatMap(({ why }) => why ?? []);
  // No count of them: each object that selects would be written whenever one comes or goes.
  const lacking = without.length > mostNamed ? [...without.slice(0, mostNamed), `more of kind ${kind} cannot be used yet`] : without;
  return { ids, lacking, partial: ids.length < chosen.length };
}

const carries = ({ metadata }: Resource, labels: Readonly<Record<string, string>>): boolean =>
  Object.entries(labels).every(([name, value]) => metadata.labels?.[name] === value);

/** One without a status yet counts by the account that it names. */
function isOfAccount(context: ClusterContext, object: Resource): boolean {
  const account = object.status?.['account'] ?? context.engine.accounts.get(accountKey(object))?.connection.identity.account;
  return account === undefined || account === context.account.connection.identity.account;
}
