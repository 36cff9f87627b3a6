import { accountKey } from '../../engine/model/account.ts';
import { isDeleting } from '../../engine/model/annotations.ts';
import { KubeError, type JsonPatchOp, type Resource } from '../../engine/ports/kubernetes.ts';
import { group, plural, version } from '../../generate/names.ts';
import { jsonPointer } from '../../lib/json-pointer.ts';
import type { Millis } from '../../lib/clock.ts';
import type { Row } from '../../resource/index.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { remove } from '../cluster/remove.ts';
import { collectionOf, pathOf, withRight } from '../cluster/reader.ts';
import { CliError } from '../exit.ts';
import { fieldManager } from '../gestures/annotate.ts';
import { registry } from '../command-line/kinds.ts';
import { goals, type Verdict } from '../wait/goal.ts';
import { watched } from '../wait/watched.ts';
import { markOf, movedFrom, type Moving, type Side, type Sides } from './sides.ts';

const lifecycleOf = ({ spec }: Resource): Row => (spec['lifecycle'] ?? {}) as Row;

/** Made there to observe what the object here has; one that was made before stays as it is. */
export async function begin(sides: Sides, { kind, here, there }: Moving): Promise<void> {
  if (here === undefined || there !== undefined) return;
  const { namespace } = sides.there;
  const { name, labels, uid } = here.metadata;
  const { adopt: _, ...spec } = here.spec;
  const adopt = { id: idOf(here), ...((await isOfAnother(sides, here)) && { force: true }) };
  const body = {
    apiVersion: `${group}/${version}`,
    kind: kind.kind,
    metadata: { name, namespace, labels: { ...labels, [movedFrom]: uid } },
    spec: { ...spec, adopt, lifecycle: { ...lifecycleOf(here), management: 'Observe' } },
  };
  await written(sides.there, here, { method: 'POST', path: collectionOf(kind, namespace), verb: 'create', body });
}

/** As a spec has it: a number where it looks like one. */
function idOf({ status }: Resource): string | number {
  const id = String(status?.['id']);
  return /^\d{1,15}$/.test(id) ? Number(id) : id;
}

/** The tag of one installation is foreign to another. */
async function isOfAnother({ here, there }: Sides, object: Resource): Promise<boolean> {
  const { name, namespace } = accountKey(object);
  const [mine, theirs] = await Promise.all([
    here.reader.get(registry.connection, { name, namespace }),
    there.reader.get(registry.connection, { name, namespace: namespace === here.namespace ? there.namespace : namespace }),
  ]);
  return mine?.status?.['installation'] !== theirs?.status?.['installation'];
}

/** Kept by the account when it goes, and then gone. */
export async function letGo(sides: Sides, object: Resource): Promise<void> {
  const { protect: _, ...lifecycle } = lifecycleOf(object);
  await patched(sides.here, object, [{ op: 'add', path: '/spec/lifecycle', value: { ...lifecycle, onDelete: 'Retain' } }]);
  await removeKept(sides, object, 20);
}

/** As it is kept, and only so: whoever sets the policy back meanwhile would have the account delete it. The operator writes, too. */
async function removeKept(sides: Sides, { kind, metadata }: Resource, tries: number): Promise<void> {
  const { reader, namespace } = sides.here;
  const now = await reader.get(registry.kind(kind), { namespace, name: metadata.name });
  if (now === undefined || now.metadata.uid !== metadata.uid || isDeleting(now)) return;
  const said = shownName({ kind, metadata });
  const { onDelete, protect } = lifecycleOf(now);
  if (onDelete !== 'Retain' || protect === true)
    throw new CliError(
      3,
      `somebody has set spec.lifecycle of ${said} back meanwhile: it is not deleted. Whatever applies it must stop first; the same line goes on from here`,
    );
  try {
    await remove(reader, now, now.metadata.resourceVersion);
  } catch (error) {
    if (!(error instanceof KubeError) || error.fault !== 'Conflict') throw error;
    if (tries === 0) throw new CliError(3, `${said} is written all the time: it is not deleted. The same line goes on from here`);
    await removeKept(sides, now, tries - 1);
  }
}

/** Managed from now on, by the spec that it had here. */
export async function takeOver({ there: side }: Sides, object: Resource): Promise<void> {
  const { management: _, ...lifecycle } = lifecycleOf(object);
  const isBare = Object.keys(lifecycle).length === 0;
  await patched(side, object, [
    isBare ? { op: 'remove', path: '/spec/lifecycle' } : { op: 'add', path: '/spec/lifecycle', value: lifecycle },
    { op: 'remove', path: jsonPointer('metadata', 'labels', movedFrom) },
  ]);
}

const patched = (side: Side, object: Resource, ops: readonly JsonPatchOp[]): Promise<void> =>
  written(side, object, {
    method: 'PATCH',
    path: pathOf(registry.kind(object.kind), object.metadata),
    verb: 'patch',
    contentType: 'application/json-patch+json',
    body: [{ op: 'test', path: '/metadata/uid', value: object.metadata.uid }, ...ops],
  });

interface Writing {
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly verb: 'create' | 'patch';
  readonly contentType?: string;
  readonly body: unknown;
}
async function written({ reader }: Side, about: Resource, { verb, ...request }: Writing): Promise<void> {
  try {
    await reader.client.request({ ...request, query: { fieldManager }, signal: reader.signal, timeout: reader.timeout });
  } catch (error) {
    if (error instanceof KubeError && error.fault === 'Unknown')
      throw new CliError(5, [
        error.message,
        `Whether ${shownName(about)} was written is not known. Type the same line again, it does nothing twice`,
      ]);
    // By the same line, once before or beside: what is there then must bear the mark.
    if (error instanceof KubeError && error.fault === 'AlreadyExists') return;
    throw withRight(error, { verb, resource: plural(about.kind), namespace: about.metadata.namespace });
  }
}

/** There it stands for the very same, and differs in nothing. */
export const agrees =
  (path: unknown) =>
  (object: Resource | undefined, before: Resource): Verdict => {
    const verdict = goals.Observed(object, before, false);
    const { path: its, drift, observedGeneration } = (object?.status ?? {}) as Shown;
    if (its !== undefined && its !== path) return failed('Another', `it stands for ${its}, not for ${String(path)}`);
    if (drift === undefined || observedGeneration !== object?.metadata.generation)
      return verdict.state === 'reached' && its === undefined ? { ...verdict, state: 'waiting' } : verdict;
    return failed('Drift', `the account differs in ${drift.map(({ field }) => `spec.${field}`).join(', ')}`);
  };
interface Shown {
  readonly path?: string;
  readonly drift?: readonly { readonly field: string }[];
  readonly observedGeneration?: number;
}
const failed = (reason: string, message: string): Verdict => ({ state: 'failed', reason, message });

/** Ends the line where one does not come to it. */
export async function until(
  { session, as }: Side,
  objects: readonly Resource[],
  {
    judge,
    limit,
    step,
  }: { readonly judge: (object: Resource | undefined, before: Resource) => Verdict; readonly limit: Millis; readonly step: string },
): Promise<void> {
  const verdicts = await watched(session, objects, {
    judge,
    limit,
    tell: ({ object, verdict: { reason, message } }) => session.say(`${step} ${object}  ${reason}${message === '' ? '' : `: ${message}`}`),
  });
  const short = objects
    .map((object) => ({ object, verdict: verdicts.get(shownName(object)) }))
    .filter(({ verdict }) => verdict?.state !== 'reached');
  const [first] = short.toSorted((one, other) => Number(other.verdict?.state === 'failed') - Number(one.verdict?.state === 'failed'));
  if (first === undefined) return;
  const { state, reason = '', message = '' } = first.verdict ?? {};
  const why = `${step} ${shownName(first.object)} is ${reason}${message === '' ? '' : `: ${message}`}`;
  const next = `The same line goes on from here. ${as(`kubectl cloud why ${typed(first.object)}`)}`;
  throw state === 'failed' ? new CliError(1, `${why}. Stopped. ${next}`) : new CliError(6, `${why}. Time ran out. ${next}`);
}

/** Begun by this, and not yet managed. */
export const isBegun = (there: Resource | undefined): there is Resource => markOf(there) !== undefined;
