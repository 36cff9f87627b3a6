import { plural } from '../../../generate/names.ts';
import type { JsonPatchOp, Resource } from '../../../engine/ports/kubernetes.ts';
import { jsonPointer } from '../../../lib/json-pointer.ts';
import { isMissing, StatusError } from '../../../kube/http/status-error.ts';
import { type RawObject, trim } from '../../../kube/watch/trim.ts';
import type { Reader } from '../../cluster/reader.ts';
import { collectionOf, pathOf, withRight } from '../../cluster/reader.ts';
import { CliError } from '../../exit.ts';
import { fieldManager } from '../../gestures/annotate.ts';
import type { Manifest } from './manifests.ts';
import { inQuotes } from '../../admission/misfits.ts';
import { refusedOffline } from './offline-admission.ts';

/** What the API server makes of a manifest, and what was there before. `unasked`: its namespace is not there yet, so nobody can ask in it. */
export type Proposed =
  | { readonly object: Resource; readonly before: Resource | undefined; readonly unasked?: true }
  | { readonly refused: string; readonly before: Resource | undefined };

/** A mistyped field is refused and not dropped, as it is for kubectl apply. */
const query = { dryRun: 'All', fieldManager, fieldValidation: 'Strict' };

/** Asks the API server, in a dry run: defaults, schema, rules, policies, quotas. The manifest counts as the whole spec. */
export async function propose(reader: Reader, manifest: Manifest, now: string): Promise<Proposed> {
  const { kind, namespace, name } = manifest;
  const before = await reader.get(kind, { namespace, name });
  const verb = before === undefined ? 'create' : 'patch';
  try {
    const raw = (await reader.client.request({
      ...requestOf(manifest, before),
      signal: reader.signal,
      timeout: reader.timeout,
    })) as RawObject;
    // What is made in a dry run has no version.
    const object = trim(kind.kind, { ...raw, metadata: { ...raw.metadata, resourceVersion: raw.metadata?.resourceVersion ?? '0' } });
    if (object === undefined) throw new CliError(4, `the API server's answer to ${kind.kind} ${namespace}/${name} is not an object`);
    return { object: before === undefined ? object : { ...object, status: before.status ?? {} }, before };
  } catch (error) {
    if (isRefusal(error)) return { refused: wordsOf(error), before };
    if (lacksNamespace(error, namespace)) return supposed(manifest, now);
    throw withRight(error, { verb, resource: plural(kind.kind), namespace });
  }
}

function requestOf(manifest: Manifest, before: Resource | undefined): Parameters<Reader['client']['request']>[0] {
  const { kind, apiVersion, namespace, name, labels, annotations, spec, beside } = manifest;
  if (before === undefined)
    return {
      method: 'POST',
      path: collectionOf(kind, namespace),
      query,
      body: { ...beside, apiVersion, kind: kind.kind, metadata: { name, namespace, labels, annotations }, spec },
    };
  const { metadata } = before;
  const ops: readonly JsonPatchOp[] = [
    { op: 'test', path: '/metadata/uid', value: metadata.uid },
    { op: 'add', path: '/spec', value: spec },
    ...Object.entries(beside).map(([name, value]): JsonPatchOp => ({ op: 'add', path: jsonPointer(name), value })),
    ...added('labels', metadata.labels, labels),
    ...added('annotations', metadata.annotations, annotations),
  ];
  return { method: 'PATCH', path: pathOf(kind, metadata), query, contentType: 'application/json-patch+json', body: ops };
}

type Texts = Readonly<Record<string, string>>;
/** One by one where there are any: what others wrote stays. */
function added(field: 'labels' | 'annotations', have: Texts | undefined, want: Texts): readonly JsonPatchOp[] {
  const all = Object.entries(want);
  if (all.length === 0) return [];
  if (have === undefined) return [{ op: 'add', path: `/metadata/${field}`, value: want }];
  return all.map(([name, value]) => ({
    op: 'add',
    path: jsonPointer('metadata', field, name),
    value,
  }));
}

const lacksNamespace = (error: unknown, namespace: string): boolean =>
  isMissing(error) && (error as Error).message.includes(`namespaces "${namespace}" not found`);

/** A namespace may come with the manifests, or be made by the tool that applies them. */
function supposed(manifest: Manifest, creationTimestamp: string): Proposed {
  const refused = refusedOffline(manifest, undefined);
  if (refused !== undefined) return { refused, before: undefined };
  const { kind, namespace, name, labels, annotations, spec } = manifest;
  const uid = `${kind.kind}/${namespace}/${name}`;
  const metadata = { namespace, name, uid, resourceVersion: '0', creationTimestamp, generation: 1, labels, annotations };
  return { object: { kind: kind.kind, metadata, spec }, before: undefined, unasked: true };
}

/** By admission, and not for want of a right: that reads otherwise. */
function isRefusal(error: unknown): error is StatusError {
  if (!(error instanceof StatusError)) return false;
  return [400, 422].includes(error.status) || (error.status === 403 && !/ cannot (create|patch) resource /.test(error.message));
}

/** Without method and path, which the manifest does not name, and of unknown fields without the whole patch. */
const wordsOf = ({ message }: StatusError): string =>
  message
    .replace(/^[A-Z]+ \S+: \d{3} /, '')
    .replace(/^.*(?=strict decoding error: )/s, '')
    .replaceAll(/\b[\w-]+ in body must be of type string: "(?:integer|number|boolean)"/g, (refusal) => `${refusal} (${inQuotes})`);
