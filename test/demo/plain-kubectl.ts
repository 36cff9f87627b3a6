import { plural } from '../../src/generate/names.ts';
import { kinds } from '../../src/generated/kinds.ts';
import type { ApiServer } from '../apiserver/api-server.ts';
import type { KubeObject } from '../support/world/custom-object.ts';

type Manifest = Parameters<ApiServer['apply']>[0];

const lower = (kind: string): string => kind.toLowerCase();
const named = ({ kind, metadata }: Pick<KubeObject, 'kind' | 'metadata'>): string => `${lower(kind)}/${metadata.name}`;
const condition = ({ status }: KubeObject, type: string): string =>
  status?.conditions?.filter((one) => one.type === type).map((one) => (one.status === 'True' ? 'True' : one.reason))[0] ?? '';

/** The few words of kubectl that the demo speaks, for the API server in memory: where that is needed there is no kubectl either. */
export class PlainKubectl {
  readonly #server: ApiServer;
  constructor(server: ApiServer) {
    this.#server = server;
  }

  /** `-n NAMESPACE apply|get|delete|annotate ...`; throws on anything else. */
  async run(args: readonly string[], input = ''): Promise<string> {
    const [, namespace = '', verb = '', what = '', ...rest] = args;
    const verbs: Readonly<Record<string, () => Promise<string>>> = {
      apply: () => this.#apply(JSON.parse(input) as { items: readonly Manifest[] }, namespace),
      get: () => this.#show(namespace, what, rest),
      delete: () => this.#deleteAll(namespace),
      annotate: () => this.#annotate(namespace, what, rest.at(-1) ?? ''),
    };
    const run = verbs[verb];
    if (run === undefined) throw new Error(`the demo's own kubectl does not know ${verb}`);
    return run();
  }

  async #show(namespace: string, what: string, rest: readonly string[]): Promise<string> {
    const name = rest[0]?.startsWith('-') === false ? rest[0] : undefined;
    const found = await this.#get(namespace, what, name);
    if (!rest.includes('json')) return table(found);
    return JSON.stringify(name === undefined ? { items: found } : found[0]);
  }

  async #apply({ items }: { items: readonly Manifest[] }, namespace: string): Promise<string> {
    const lines: string[] = [];
    for (const item of items) {
      const metadata = item.kind === 'Namespace' ? item.metadata : { ...item.metadata, namespace };
      await this.#server.apply({ ...item, metadata });
      lines.push(`${lower(item.kind)}/${item.metadata.name} applied`);
    }
    return lines.join('\n');
  }

  async #get(namespace: string, what: string, name: string | undefined): Promise<readonly KubeObject[]> {
    const wanted = what === 'cloud' ? kinds.map(({ kind }) => lower(kind)) : what.split(',');
    const lists = await Promise.all(wanted.map((one) => this.#list(namespace, one)));
    const found = lists.flat().filter(({ metadata }) => name === undefined || metadata.name === name);
    if (name !== undefined && found.length === 0) throw new Error(`${what} "${name}" not found`);
    return found;
  }

  async #list(namespace: string, kind: string): Promise<readonly KubeObject[]> {
    const path = kind === 'events' ? `/api/v1/namespaces/${namespace}/events` : pathOf(namespace, kind);
    const { status, body } = await this.#server.as('admin', 'GET', path);
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
    const fallback = kinds.find((one) => lower(one.kind) === kind)?.kind ?? kind;
    return (body['items'] as readonly KubeObject[]).map((item) => ({ ...item, kind: item.kind ?? fallback }));
  }

  async #deleteAll(namespace: string): Promise<string> {
    const all = await this.#get(namespace, 'cloud', undefined);
    for (const { kind, metadata } of all) await this.#server.as('admin', 'DELETE', `${pathOf(namespace, lower(kind))}/${metadata.name}`);
    return all.map((object) => `${named(object)} deleted`).join('\n');
  }

  async #annotate(namespace: string, what: string, pair: string): Promise<string> {
    const [kind = '', name = ''] = what.split('/');
    const [key = '', value] = pair.split('=');
    const path = `${pathOf(namespace, kind)}/${name}`;
    const { status, body } = await this.#server.as('admin', 'PATCH', path, { metadata: { annotations: { [key]: value } } });
    if (status !== 200) throw new Error(`PATCH ${path}: ${status} ${JSON.stringify(body)}`);
    return `${what} annotated`;
  }
}

/** By a kind in lower case. */
const pathOf = (namespace: string, kind: string): string => {
  const whole = kinds.find((one) => lower(one.kind) === kind)?.kind ?? kind;
  return `/apis/cloudhosting.dev/v1alpha1/namespaces/${namespace}/${plural(whole)}`;
};

function table(objects: readonly KubeObject[]): string {
  if (objects.length === 0) return '';
  const rows = objects.map((object) => [named(object), condition(object, 'Ready'), condition(object, 'Synced')]);
  return [['NAME', 'READY', 'SYNCED'], ...rows].map(([name = '', ...more]) => [name.padEnd(32), ...more].join('  ')).join('\n');
}
