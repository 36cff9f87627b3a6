import { canonical } from '../converge/drift.ts';
import { annotation, finalizer, intentAnnotation, remoteAnnotation } from '../run/annotations.ts';
import { formatIntent, type Intent } from '../identity/intent.ts';
import { formatIdentity, type Identity } from '../identity/marks.ts';
import { KubeError, type JsonPatchOp, type Resource } from '../ports.ts';
import { keyOf, type Turn } from '../run/turn.ts';

/** As much of a turn as a write of metadata needs. */
export type Writing = Pick<Turn, 'engine' | 'kind' | 'object' | 'signal'>;

/** Metadata patch under uid and resourceVersion: it cannot undo another writer (design 7). */
async function patchMetadata(
  turn: Writing,
  change: { readonly annotations?: Readonly<Record<string, string | null>>; readonly finalizers?: readonly string[] },
): Promise<Resource> {
  const { uid, resourceVersion } = turn.object.metadata;
  const body = { metadata: { uid, resourceVersion, ...change } };
  turn.object = await turn.engine.objects.patch(turn.kind.kind, keyOf(turn.object), { type: 'merge', body }, turn.signal);
  return turn.object;
}

const withFinalizer = (object: Resource): readonly string[] => [...new Set([...(object.metadata.finalizers ?? []), finalizer])];

/** W1 of design 4.3: finalizer and intent in one patch, before anything is sent. An identity that was proven gone goes with it. */
export function writeIntent(turn: Turn, intent: Intent): Promise<Resource> {
  return patchMetadata(turn, {
    finalizers: withFinalizer(turn.object),
    annotations: { [intentAnnotation]: formatIntent(turn, intent), [remoteAnnotation]: null },
  });
}

/** Strikes what is known not to have made anything; an intent without attempts goes. */
export function writeStruck(turn: Turn, intent: Intent | undefined): Promise<Resource> {
  return patchMetadata(turn, {
    annotations: { [intentAnnotation]: intent === undefined || intent.attempts.length === 0 ? null : formatIntent(turn, intent) },
  });
}

/** Identity of a remote that was found or adopted, or healed from status. */
export function writeIdentity(turn: Turn, identity: Identity, keepIntent = false): Promise<Resource> {
  const annotations = {
    [remoteAnnotation]: formatIdentity(turn.engine.key, turn.name, identity),
    ...(!keepIntent && annotation(turn.object, intentAnnotation) !== undefined && { [intentAnnotation]: null }),
  };
  return patchMetadata(turn, { finalizers: withFinalizer(turn.object), annotations });
}

export function writeFinalizer(turn: Writing): Promise<Resource> {
  return patchMetadata(turn, { finalizers: withFinalizer(turn.object) });
}

/** The object lets go: only after its remote is proven gone, retained, or never was. */
export async function releaseFinalizer(turn: Writing): Promise<void> {
  await patchMetadata(turn, { finalizers: (turn.object.metadata.finalizers ?? []).filter((name) => name !== finalizer) });
  turn.engine.claims.release(turn.object.metadata.uid);
  turn.engine.evidence.forget(turn.object.metadata.uid);
}

const pointer = (name: string): string => `/metadata/annotations/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/**
 * W2 of design 4.3: cannot conflict with other writers, as it tests only uid and intent. After more than one attempt the
 * intent stays, so that sweeps can look for twins.
 */
export async function writeBorn(turn: Turn, identity: Identity, intent: Intent): Promise<'written' | 'other'> {
  const ops: JsonPatchOp[] = [
    { op: 'test', path: '/metadata/uid', value: turn.object.metadata.uid },
    { op: 'test', path: pointer(intentAnnotation), value: formatIntent(turn, intent) },
    { op: 'add', path: pointer(remoteAnnotation), value: formatIdentity(turn.engine.key, turn.name, identity) },
    ...(intent.attempts.length > 1 ? [] : [{ op: 'remove' as const, path: pointer(intentAnnotation) }]),
  ];
  try {
    turn.object = await turn.engine.objects.patch(turn.kind.kind, keyOf(turn.object), { type: 'json', ops }, turn.signal);
    return 'written';
  } catch (error) {
    if (!(error instanceof KubeError) || (error.fault !== 'Invalid' && error.fault !== 'NotFound' && error.fault !== 'Conflict'))
      throw error;
    return afterFailedTest(turn, identity);
  }
}

async function afterFailedTest(turn: Turn, identity: Identity): Promise<'written' | 'other'> {
  const live = await turn.engine.objects.fetch(turn.kind.kind, keyOf(turn.object), turn.signal);
  if (live === undefined || live.metadata.uid !== turn.object.metadata.uid) return 'other';
  turn.object = live;
  const there = annotation(live, remoteAnnotation);
  if (there === formatIdentity(turn.engine.key, turn.name, identity)) return 'written';
  if (there !== undefined || !turn.engine.leadership.held()) return 'other';
  await writeIdentity(turn, identity);
  return 'written';
}

export interface Twin {
  readonly path: string;
  readonly at: string;
  readonly mac: string;
}
/** Our remote beside another one of the same object: the leader deals with it. Written even by a process that lost the lease. */
export async function writeTwin(turn: Turn, name: string, twins: readonly Twin[]): Promise<void> {
  const body = { metadata: { uid: turn.object.metadata.uid, annotations: { [name]: twins.length === 0 ? null : canonical(twins) } } };
  turn.object = await turn.engine.objects.patch(turn.kind.kind, keyOf(turn.object), { type: 'merge', body }, turn.signal);
}
