import { group, plural, version } from '../../../generate/names.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { kubePath } from '../../../kube/http/client.ts';
import { StatusError } from '../../../kube/http/status-error.ts';
import { endpointsOf } from '../../account/endpoints.ts';
import { ownToken } from '../../account/own-token.ts';
import type { Call } from '../../command-line/command.ts';
import { collectionOf, pathOf, type Reader } from '../../cluster/reader.ts';
import { CliError } from '../../exit.ts';
import { fieldManager } from '../../gestures/annotate.ts';
import { registry } from '../../command-line/kinds.ts';
import { Asked } from './asked.ts';

/** What a job of a pull request would meet that has the caller's rights. */
export interface Job {
  /** `patch cloudvolumes.cloudhosting.dev in namespace shop`. */
  readonly lacks: readonly string[];
  /** How many of its tries the API server did not refuse for want of a right. */
  readonly may: number;
  /** Why the account could not be asked. */
  readonly withoutAccount: string | undefined;
}

const query = { dryRun: 'All', fieldManager };

/** Tried by dry runs of one object of each kind and namespace, as it is: what plan sends, which an answer about rights need not agree with. */
export async function jobOf(call: Call, objects: readonly Resource[]): Promise<Job> {
  const reader = await call.session.reader();
  const ofEach = [...new Map(objects.map((object) => [`${object.kind} ${object.metadata.namespace}`, object])).values()];
  const tried = (await Promise.all(ofEach.map((object) => Promise.all([mayPatch(reader, object), mayCreate(reader, object)])))).flat();
  const lacks = tried.filter((right) => right !== undefined);
  return { lacks, may: tried.length - lacks.length, withoutAccount: await withoutAccount(call, objects, new Asked(reader)) };
}

const mayPatch = (reader: Reader, { kind, metadata }: Resource): Promise<string | undefined> =>
  missing(
    reader,
    { verb: 'patch', kind, namespace: metadata.namespace },
    {
      method: 'PATCH',
      path: pathOf(registry.kind(kind), metadata),
      query,
      contentType: 'application/json-patch+json',
      body: [{ op: 'test', path: '/metadata/uid', value: metadata.uid }],
    },
  );

/** Under its own name, which is taken: the right is asked about first. */
const mayCreate = (reader: Reader, { kind, metadata: { namespace, name }, spec }: Resource): Promise<string | undefined> =>
  missing(
    reader,
    { verb: 'create', kind, namespace },
    {
      method: 'POST',
      path: collectionOf(registry.kind(kind), namespace),
      query,
      body: { apiVersion: `${group}/${version}`, kind, metadata: { namespace, name }, spec },
    },
  );

interface Tried {
  readonly verb: string;
  readonly kind: string;
  readonly namespace: string;
}
async function missing(
  { client, signal, timeout }: Reader,
  { verb, kind, namespace }: Tried,
  request: Parameters<Reader['client']['request']>[0],
): Promise<string | undefined> {
  try {
    await client.request({ ...request, signal, timeout });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (error.status === 403 && / cannot (create|patch) resource /.test(error.message))
      return `${verb} ${plural(kind)}.${group} in namespace ${namespace}`;
  }
  return undefined;
}

async function withoutAccount(call: Call, objects: readonly Resource[], asked: Asked): Promise<string | undefined> {
  try {
    await endpointsOf(call);
  } catch (error) {
    if (error instanceof CliError) return error.message;
    throw error;
  }
  if ((await ownToken(call)) !== undefined) return undefined;
  const accounts = objects.filter(({ kind }) => kind === registry.connection.kind);
  const readable = await Promise.all(accounts.map((account) => isTokenReadable(asked, account)));
  return readable.some(Boolean)
    ? undefined
    : 'there is no token of its own (CLOUD_TOKEN, --token-file), and no Secret of a CloudAccount that may be read';
}

/** Without its value: whether it may be read is all that is asked. */
async function isTokenReadable(asked: Asked, { spec, metadata: { namespace } }: Resource): Promise<boolean> {
  const { name } = spec['tokenSecretRef'] as { readonly name: string };
  const answer = await asked.answered(
    kubePath('api', 'v1', 'namespaces', namespace, 'secrets', name),
    `get secrets in namespace ${namespace}`,
    {
      metadataOnly: true,
    },
  );
  return 'found' in answer;
}
