import { accountKey } from '../../../engine/model/account.ts';
import { keyOf, nameOf } from '../../../engine/model/object-id.ts';
import type { Key, Resource, SecretRecord } from '../../../engine/ports/kubernetes.ts';
import { KubeConfigMaps } from '../../../kube/data/config-maps.ts';
import { KubeSecrets } from '../../../kube/data/secrets.ts';
import { kubePath } from '../../../kube/http/client.ts';
import { isMissing, StatusError } from '../../../kube/http/status-error.ts';
import { Sensitive } from '../../../resource/index.ts';
import type { DataSource } from '../../dry/ports/data.ts';
import { CliError } from '../../exit.ts';
import { fieldManager } from '../../gestures/annotate.ts';
import { registry } from '../../command-line/kinds.ts';
import { linksOf } from '../../objects/links.ts';
import type { Reader } from '../../cluster/reader.ts';
import type { Session } from '../../session.ts';

/** All objects that bear on those that are planned: who has what in the account, and what is referred to. */
export async function surroundings(session: Session, targets: readonly Resource[]): Promise<readonly Resource[]> {
  const reader = await session.reader();
  const all = await ofAll(reader);
  if (all !== undefined) return all;
  const seen = new Map<string, readonly Resource[]>();
  let missing = namespacesOf(targets);
  while (missing.length > 0) {
    for (const namespace of missing) seen.set(namespace, await ofNamespace(reader, namespace));
    missing = namespacesOf([...seen.values()].flat()).filter((namespace) => !seen.has(namespace));
  }
  session.warn(
    `only objects of ${[...seen.keys()].join(', ')} are seen: you may not list those of all namespaces, and whether one of another namespace has a resource or a name already is not looked at`,
  );
  return [...seen.values()].flat();
}

async function ofAll(reader: Reader): Promise<readonly Resource[] | undefined> {
  try {
    return await ofNamespace(reader, undefined);
  } catch (error) {
    if (error instanceof CliError) return undefined;
    throw error;
  }
}
const ofNamespace = async (reader: Reader, namespace: string | undefined): Promise<readonly Resource[]> =>
  (await Promise.all(registry.kinds.map((kind) => reader.list(kind, namespace)))).flat();

function namespacesOf(objects: readonly Resource[]): readonly string[] {
  const named = objects.flatMap((object) => [
    object.metadata.namespace,
    accountOf(object).namespace,
    ...linksOf(object).flatMap((link) => (link.is === 'object' ? [link.key.namespace] : [])),
  ]);
  return [...new Set(named)];
}
const { connection } = registry;
export const accountOf = (object: Resource): Key => (object.kind === connection.kind ? keyOf(object) : accountKey(object));

interface TokenRef {
  readonly name: string;
  readonly key: string;
}
const tokenRefOf = ({ spec }: Resource): TokenRef => spec['tokenSecretRef'] as TokenRef;

interface Given {
  /** The caller's token, which goes before those of the accounts. */
  readonly own?: Sensitive | undefined;
  /** Secrets that are applied with the manifests, as `shop/web-root`. */
  readonly brought?: ReadonlySet<string>;
}
export async function dataSource(session: Session, objects: readonly Resource[], { own, brought }: Given = {}): Promise<DataSource> {
  const { client } = await session.reader();
  const secrets = new KubeSecrets(client, fieldManager);
  const configMaps = new KubeConfigMaps(client, fieldManager);
  const tokens = new Map(
    objects
      .filter(({ kind }) => kind === connection.kind)
      .map((account) => [nameOf({ namespace: account.metadata.namespace, name: tokenRefOf(account).name }), tokenRefOf(account)] as const),
  );
  const named = new Set<string>(
    objects.flatMap((object) =>
      linksOf(object).flatMap((link) =>
        link.is === 'data' && link.kind === 'Secret' ? [`${object.metadata.namespace}/${link.name}`] : [],
      ),
    ),
  );
  return {
    token: (key, signal) => {
      const ref = tokens.get(nameOf(key));
      if (ref === undefined) return undefined;
      return own === undefined ? allowed('secrets', key, secrets.get(key, signal)) : Promise.resolve(given(ref, own));
    },
    configMap: (key, signal) => allowed('configmaps', key, configMaps.get(key, signal)),
    names: (key) => named.has(nameOf(key)),
    isThere: async (key, signal) => brought?.has(nameOf(key)) === true || isThere(session, key, signal),
  };
}

/** Asks for its metadata and no value. */
async function isThere(session: Session, { namespace, name }: Key, signal: AbortSignal): Promise<boolean> {
  const { client, timeout } = await session.reader();
  try {
    await client.request({ path: kubePath('api', 'v1', 'namespaces', namespace, 'secrets', name), metadataOnly: true, signal, timeout });
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    if (!(error instanceof StatusError) || error.status !== 403) throw error;
    session.warn(`you may not get Secrets of namespace ${namespace}: those that its specs name are taken to be there`);
    return true;
  }
}

const given = ({ key }: TokenRef, token: Sensitive): SecretRecord => ({ uid: '', resourceVersion: '', labels: {}, data: { [key]: token } });

async function allowed<T>(resource: 'secrets' | 'configmaps', { namespace }: Key, read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (!(error instanceof StatusError) || error.status !== 403) throw error;
    const instead =
      resource === 'secrets' ? '. A token of your own does as well: put it into CLOUD_TOKEN, or name its file with --token-file' : '';
    throw new CliError(4, [error.message, `The right that is missing: get ${resource} in namespace ${namespace}${instead}`]);
  }
}

/** The installation of accounts that name none: as one of them shows it, else the uid of the namespace `kube-system`. */
export async function clusterUidOf(session: Session, objects: readonly Resource[]): Promise<string> {
  const unnamed = objects.filter(({ kind, spec }) => kind === connection.kind && spec['installation'] === undefined);
  const shown = unnamed.flatMap(({ status }) => (typeof status?.['installation'] === 'string' ? [status['installation']] : []));
  if (unnamed.length === 0 || shown[0] !== undefined) return shown[0] ?? '';
  const found = (await (await session.reader()).optional('/api/v1/namespaces/kube-system')) as { metadata?: { uid?: string } } | undefined;
  return found?.metadata?.uid ?? '';
}
