import { parse } from 'yaml';
import type { Remote } from '../../dry/standing.ts';
import { operatorNamespaces } from '../../cluster/operator-namespaces.ts';
import type { Session } from '../../session.ts';
import { CliError } from '../../exit.ts';
import type { Host } from '../../host.ts';
import { expressionOf, regionOf, tagsOf } from './filters.ts';
import { calledIn } from './names.ts';

/** The namespace for a remote, by itself or by what it lies below; undefined: that of the line. */
export type Placing = (lineage: readonly Remote[]) => string | undefined;

/** `tag:team=`, `region`, or a file that says which labels go where. */
export async function placingOf(host: Host, word: string): Promise<Placing> {
  if (word === 'region') return (lineage) => first(lineage, ({ row }) => regionOf(row));
  if (word.startsWith('tag:')) {
    const prefix = word.slice('tag:'.length);
    if (prefix === '') throw new CliError(2, `--namespace-by ${word}: write how the tag begins, for example tag:team=`);
    return (lineage) =>
      first(lineage, ({ row }) =>
        tagsOf(row)
          .find((tag) => tag.startsWith(prefix))
          ?.slice(prefix.length),
      );
  }
  const table = (await namespaceFile(host, word)).map(
    ([label, namespace]) => [expressionOf(label, `--namespace-by ${word}`), namespace] as const,
  );
  return (lineage) => first(lineage, ({ row }) => table.find(([label]) => label.test(calledIn(row)))?.[1]);
}

/** Whether a word, which whoever made the thing wrote, may say where its manifest goes. */
export type Reserved = (namespace: string) => boolean;

/** A tag is anybody's: the namespaces of Kubernetes and of operators are no team's. What a file says its writer has decided. */
export async function reservedFor(session: Session, word: string | undefined): Promise<Reserved> {
  if (word?.startsWith('tag:') !== true) return () => false;
  const operators = await operatorNamespaces(await session.reader());
  return (namespace) => namespace.startsWith('kube-') || operators.has(namespace);
}

export const reservedText = (namespace: string): string =>
  `a tag of it names namespace ${namespace}, which is of Kubernetes or of the operator, and whoever may write tags could have objects there. To have it there all the same: --namespace-by FILE, with the line of a label`;

/** The same, and whether it was asked and has said nothing. */
export function noting(placing: Placing | undefined): { readonly placing: Placing | undefined; readonly fitsNothing: () => boolean } {
  const told = new Set<string | undefined>();
  const asked: Placing = (lineage) => {
    const namespace = placing?.(lineage);
    told.add(namespace);
    return namespace;
  };
  return { placing: placing && asked, fitsNothing: () => told.size === 1 && told.has(undefined) };
}

/** Of a prefix or an expression that is mistyped nothing else tells. */
export function unplacedText(word: string, namespace: string): string {
  const why = word.startsWith('tag:') ? `: neither it nor what it lies below has a tag that begins with ${word.slice('tag:'.length)}` : '';
  return `--namespace-by ${word} places nothing of what is exported${why}. All of it is in namespace ${namespace}, as -n says`;
}

function first<T>(lineage: readonly Remote[], of: (remote: Remote) => T | undefined): T | undefined {
  for (const remote of lineage) {
    const found = of(remote);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Lines `WHAT: NAMESPACE` of a file, in their order. */
export async function namespaceFile(host: Host, path: string): Promise<readonly (readonly [string, string])[]> {
  const [file, another] = await host.readFiles(path, false);
  const read = file === undefined || another !== undefined ? undefined : parsed(file.text);
  if (typeof read !== 'object' || read === null || Array.isArray(read)) throw notATable(path);
  return Object.entries(read).map(([what, namespace]) => {
    if (typeof namespace !== 'string' || !isNamespace(namespace)) throw notATable(path);
    return [what, namespace] as const;
  });
}

function parsed(yaml: string): unknown {
  try {
    return parse(yaml);
  } catch {
    return undefined;
  }
}

const notATable = (path: string): CliError =>
  new CliError(2, `--namespace-by ${path}: write a YAML file with lines WHAT: NAMESPACE, each value the name of a namespace`);

export const isNamespace = (name: string): boolean => /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/.test(name);
