import { randomBytes } from 'node:crypto';
import { KubeError } from '../engine/ports.ts';
import type { Key, Secrets } from '../engine/ports.ts';
import { Sensitive } from '../resource/index.ts';
import { kubePath } from './client.ts';
import type { KubeClient } from './client.ts';

const FIELD = 'key';
const BYTES = 32;

/** The cluster's own identity: the uid of its `kube-system` namespace, which lives as long as the cluster. */
export async function clusterUid(client: KubeClient, signal: AbortSignal): Promise<string> {
  const namespace = (await client.request({ path: kubePath('api', 'v1', 'namespaces', 'kube-system'), signal })) as {
    readonly metadata?: { readonly uid?: string };
  };
  const uid = namespace.metadata?.uid;
  if (uid === undefined) throw new KubeError('Unavailable', 'the namespace kube-system has no uid in the answer of the API server');
  return uid;
}

/**
 * The 32-byte key of this installation's MACs, made once and kept in a Secret of the operator's namespace. Whoever comes
 * first makes it, everybody else reads it. A Secret that holds something else is never overwritten: the identities of all
 * objects were signed with what it held before.
 */
export async function installationKey(
  secrets: Secrets,
  at: Key,
  signal: AbortSignal,
  make: () => Buffer = () => randomBytes(BYTES),
): Promise<Buffer> {
  const found = await read(secrets, at, signal);
  if (found) return found;
  try {
    const data = { [FIELD]: new Sensitive(make().toString('base64')) };
    await secrets.create(at, { data, labels: { 'app.kubernetes.io/managed-by': 'cloud-operator' } }, signal);
  } catch (error) {
    if (!(error instanceof KubeError) || (error.fault !== 'AlreadyExists' && error.fault !== 'Unknown')) throw error;
  }
  const made = await read(secrets, at, signal);
  if (!made) throw new KubeError('Unavailable', `Secret ${at.namespace}/${at.name} was made but cannot be read back yet`);
  return made;
}

async function read(secrets: Secrets, at: Key, signal: AbortSignal): Promise<Buffer | undefined> {
  const secret = await secrets.get(at, signal);
  if (!secret) return undefined;
  const key = Buffer.from(secret.data[FIELD]?.reveal() ?? '', 'base64');
  if (key.length === BYTES) return key;
  throw new KubeError(
    'Invalid',
    `Secret ${at.namespace}/${at.name}: "${FIELD}" is not ${BYTES} bytes in base64; restore the Secret from a backup, or delete it only if no object was ever created with it`,
  );
}
