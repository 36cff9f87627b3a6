import { sleep, systemClock, type Millis } from '../../src/lib/clock.ts';
import { crdHashes } from '../../src/generated/crd-hashes.ts';
import type { Cluster } from '../controlplane/cluster.ts';
import type { EmulatorProgram } from '../support/process/emulator-program.ts';
import type { KubeObject } from '../support/world/custom-object.ts';
import { atOnce } from '../support/at-once.ts';
import { cloudUser } from './evidence.ts';
import type { Member } from './population.ts';

/** Requests of the bench at once: enough to keep the API server busy, few enough to leave it to others. */
const width = 12;

export const pluralOf = (kind: string): string => crdHashes.find((one) => one.kind === kind)?.name.split('.')[0] ?? '';

const collectionOf = (kind: string, namespace?: string): string =>
  `/apis/cloudhosting.dev/v1alpha1/${namespace === undefined ? '' : `namespaces/${namespace}/`}${pluralOf(kind)}`;

/** Where a member is at the API server. */
export const pathOf = ({ kind, namespace, name }: Pick<Member, 'kind' | 'namespace' | 'name'>): string =>
  `${collectionOf(kind, namespace)}/${name}`;

async function must(cluster: Cluster, method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<KubeObject> {
  const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const answer = await cluster.request<KubeObject & { message?: string }>(method, path, { body, contentType });
  if (answer.status < 300) return answer.body;
  throw new Error(`${method} ${path}: ${answer.status} ${String(answer.body.message)}`);
}

const secret = (name: string, stringData: object): object => ({ metadata: { name }, stringData });

/** A namespace with an account of its own, as teams have them; all lead to the one emulated account, which is theirs alone. */
export async function furnish(cluster: Cluster, namespaces: readonly string[], token: string): Promise<void> {
  for (const namespace of namespaces) {
    await must(cluster, 'POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    await must(cluster, 'POST', `/api/v1/namespaces/${namespace}/secrets`, secret('cloud', { token }));
    await must(cluster, 'POST', `/api/v1/namespaces/${namespace}/secrets`, secret('root', { password: 'correct-Horse-7-battery' }));
    await must(cluster, 'POST', collectionOf('CloudAccount', namespace), {
      apiVersion: 'cloudhosting.dev/v1alpha1',
      kind: 'CloudAccount',
      metadata: { name: 'default' },
      spec: { endpoint: 'main', tokenSecretRef: { name: 'cloud', key: 'token' }, installation: 'bench', budget: { sharePercent: 100 } },
    });
  }
}

/** Secrets with a value for each key that is asked for. */
export async function giveSecrets(
  cluster: Cluster,
  needed: readonly { readonly namespace: string; readonly name: string; readonly key: string }[],
): Promise<void> {
  for (const [path, keys] of Map.groupBy(needed, ({ namespace, name }) => `${namespace}/${name}`)) {
    const [namespace = '', name = ''] = path.split('/');
    const data = Object.fromEntries(keys.map(({ key }) => [key, 'correct-Horse-7-battery']));
    await must(cluster, 'POST', `/api/v1/namespaces/${namespace}/secrets`, secret(name, data));
  }
}

/** Ids of what stands in the account for each member. */
export type Planted = ReadonlyMap<Member, number | string>;

/** Makes what the members stand for, beside all rate windows, as the account's own user did it before there was an operator. */
export async function plant(emulator: EmulatorProgram, members: readonly Member[]): Promise<Planted> {
  const ids = new Map<Member, number | string>();
  const one = async (member: Member): Promise<void> => {
    const { parent, post } = member;
    const path = parent === undefined ? post.path : `/domains/${ids.get(parent)}${post.path}`;
    const { status, body } = await emulator.control<{ status: number; body: { id: number } }>('POST', '/as', {
      username: cloudUser,
      method: 'POST',
      path: `/v4${path}`,
      body: post.body,
    });
    if (status !== 200) throw new Error(`planting ${member.kind} ${member.name}: ${status} ${JSON.stringify(body)}`);
    ids.set(member, body.id);
  };
  await atOnce(
    members.filter(({ parent }) => parent === undefined),
    width,
    one,
  );
  await atOnce(
    members.filter(({ parent }) => parent !== undefined),
    width,
    one,
  );
  return ids;
}

/** Creates the custom resources, adopting what was planted for them. */
export async function apply(cluster: Cluster, members: readonly Member[], planted: Planted = new Map()): Promise<void> {
  await atOnce(members, width, async (member) => {
    const { kind, namespace, name, spec } = member;
    const id = planted.get(member);
    const adopt = id === undefined ? {} : { adopt: { id: String(id) } };
    const lifecycle = spec['lifecycle'] ?? { onDelete: 'Delete' };
    const object = { apiVersion: 'cloudhosting.dev/v1alpha1', kind, metadata: { name }, spec: { ...spec, ...adopt, lifecycle } };
    await must(cluster, 'POST', collectionOf(kind, namespace), object);
  });
}

/** Changes the spec of one; answers when the API server had it, in milliseconds since the epoch. */
export async function edit(cluster: Cluster, member: Member, spec: object): Promise<Millis> {
  await must(cluster, 'PATCH', pathOf(member), { spec });
  return systemClock.now();
}

export const remove = (cluster: Cluster, member: Member): Promise<unknown> => must(cluster, 'DELETE', pathOf(member));

/** All objects of a kind, a page at a time. */
async function* pagesOf(cluster: Cluster, kind: string, namespace?: string): AsyncGenerator<readonly KubeObject[]> {
  let token = '';
  do {
    const path = `${collectionOf(kind, namespace)}?limit=500${token === '' ? '' : `&continue=${encodeURIComponent(token)}`}`;
    const { body } = await cluster.request<{ metadata: { continue?: string }; items: readonly KubeObject[] }>('GET', path);
    yield body.items;
    token = body.metadata.continue ?? '';
  } while (token !== '');
}

const isReady = ({ metadata, status }: KubeObject): boolean =>
  ['Ready', 'Synced'].every((type) =>
    status?.conditions?.some((one) => one.type === type && one.status === 'True' && one.observedGeneration === metadata.generation),
  );

/** As far as somebody who only looks can say. */
const isLookedAt = (object: KubeObject): boolean =>
  isReady(object) || object.status?.conditions?.some(({ type, reason }) => type === 'Synced' && reason === 'Observed') === true;

const inWords = ({ metadata, status }: KubeObject): string =>
  `${metadata.namespace}/${metadata.name}: ${status?.conditions?.map(({ type, status: is, reason, message }) => `${type}=${is} ${reason} ${message}`).join('; ') ?? 'not seen'}`;

interface Patience {
  readonly kinds: readonly string[];
  readonly limit: Millis;
  /** All namespaces when absent. */
  readonly namespace?: string;
  /** Between two looks, which cost the API server something. */
  readonly every?: Millis;
}

/** Objects that are not as they should be, of the first page that has any: the rest need not be read to know. */
async function some(
  cluster: Cluster,
  { kinds, namespace }: Patience,
  wrong: (object: KubeObject) => boolean,
): Promise<readonly KubeObject[]> {
  for (const kind of kinds) {
    for await (const page of pagesOf(cluster, kind, namespace)) {
      const found = page.filter(wrong);
      if (found.length > 0) return found;
    }
  }
  return [];
}

async function none(cluster: Cluster, patience: Patience, wrong: (object: KubeObject) => boolean): Promise<void> {
  const { limit, every = 1000 } = patience;
  const end = systemClock.monotonic() + limit;
  for (;;) {
    const late = await some(cluster, patience, wrong);
    if (late.length === 0) return;
    if (systemClock.monotonic() > end)
      throw new Error(`not done after ${limit / 1000} s, for example:\n${late.slice(0, 3).map(inWords).join('\n')}`);
    await sleep(systemClock, every);
  }
}

/** Waits until every object of these kinds is as wanted; throws, naming some, after `limit`. */
export const allReady = (cluster: Cluster, patience: Patience): Promise<void> => none(cluster, patience, (object) => !isReady(object));

/** The same, and what is only observed may differ. */
export const allLookedAt = (cluster: Cluster, patience: Patience): Promise<void> =>
  none(cluster, patience, (object) => !isLookedAt(object));

/** Waits until there is no object of these kinds; throws likewise. */
export const allGone = (cluster: Cluster, patience: Patience): Promise<void> => none(cluster, patience, () => true);
