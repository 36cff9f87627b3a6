import { isDeepStrictEqual } from 'node:util';
import { shownPlan } from '../../engine/model/policy.ts';
import { type JsonPatchOp, KubeError, type Resource } from '../../engine/ports/kubernetes.ts';
import { plural } from '../../generate/names.ts';
import { jsonPointer } from '../../lib/json-pointer.ts';
import { own } from '../../lib/own.ts';
import { CliError } from '../exit.ts';
import { registry } from '../command-line/kinds.ts';
import type { Session } from '../session.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { pathOf, withRight } from '../cluster/reader.ts';

/** No name that begins with `kubectl`: kustomize-controller takes away what those write. */
export const fieldManager = 'cloud-operator-cli';

/** What is to be written on one object. */
export interface Writing {
  readonly object: Resource;
  /** By full name; null takes one away. */
  readonly annotations: Readonly<Record<string, string | null>>;
  /** JSON pointers to what the person was shown: where one of them is another by now, nothing is written. */
  readonly shown: readonly string[];
  /** What to say where it is; absent: that it is, and how to look. */
  readonly another?: (live: Resource) => Promise<readonly string[]>;
}

const tries = 4;

/** Writes while the object is as it was shown. Other writers' changes to other things are no reason to ask again. */
export async function annotate(session: Session, writing: Writing): Promise<void> {
  const { object, shown } = writing;
  const kind = registry.kind(object.kind);
  const reader = await session.reader();
  const right = { verb: 'patch', resource: plural(object.kind), namespace: object.metadata.namespace };
  let seen = object;
  for (let left = tries; ; left -= 1) {
    try {
      await reader.client.request({
        method: 'PATCH',
        path: pathOf(kind, object.metadata),
        query: { fieldManager },
        contentType: 'application/json-patch+json',
        body: opsOf(seen, writing),
        signal: session.host.signal,
        timeout: reader.timeout,
      });
      return;
    } catch (error) {
      if (!isRefused(error) || left === 1) throw explained(withRight(error, right), object);
      const live = await reader.get(kind, object.metadata);
      if (!isAsShown(live, object, shown)) throw await changed(writing, live);
      seen = live;
    }
  }
}

/** A precondition failed, or something that is not ours: a second look tells. */
const isRefused = (error: unknown): boolean => error instanceof KubeError && ['Conflict', 'Invalid'].includes(error.fault);

const isAsShown = (live: Resource | undefined, object: Resource, shown: readonly string[]): live is Resource =>
  live?.metadata.uid === object.metadata.uid && shown.every((pointer) => isDeepStrictEqual(at(live, pointer), at(object, pointer)));

async function changed({ object, shown, another }: Writing, live: Resource | undefined): Promise<CliError> {
  const isSame = live?.metadata.uid === object.metadata.uid;
  if (live !== undefined && isSame && another !== undefined) return new CliError(3, await another(live));
  const how = isSame ? 'is another by now than what was shown' : 'is gone, or was made anew';
  const others = isSame ? shown.filter((pointer) => !isDeepStrictEqual(at(live, pointer), at(object, pointer))) : [];
  return new CliError(3, [
    `${shownName(object)} ${how}; nothing was written. Look again: kubectl cloud why ${typed(object)}`,
    ...others.flatMap((pointer) => [`  shown: ${inWords(object, pointer)}`, `  now: ${live === undefined ? '' : inWords(live, pointer)}`]),
  ]);
}

/** What stands there, for a person. */
function inWords(object: Resource, pointer: string): string {
  const plan = pointer.startsWith('/status/plan/') ? shownPlan(object) : undefined;
  if (plan !== undefined) return `plan ${plan.hash}, ${plan.effect}: ${plan.changes.join('; ')}`;
  const value = at(object, pointer);
  if (typeof value === 'object' && value !== null && 'message' in value) return String(value.message);
  return value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
}

function explained(error: unknown, object: Resource): unknown {
  if (!(error instanceof KubeError) || error.fault !== 'Unknown') return error;
  return new CliError(5, [
    error.message,
    `Whether it was written is not known. Type the same line again, it asks for nothing twice; or look: kubectl cloud why ${typed(object)}`,
  ]);
}

/** Preconditions first: the very object, what was shown of it, and what else the writing rests on. */
export function opsOf(seen: Resource, { annotations, shown }: Writing): readonly JsonPatchOp[] {
  const same: readonly JsonPatchOp[] = ['/metadata/uid', ...shown].map((path) => ({ op: 'test', path, value: at(seen, path) ?? null }));
  const there = seen.metadata.annotations;
  if (there === undefined) {
    const value = Object.fromEntries(Object.entries(annotations).filter(([, text]) => text !== null));
    // Somebody else's first annotation must not be lost.
    const still: JsonPatchOp = { op: 'test', path: '/metadata/resourceVersion', value: seen.metadata.resourceVersion };
    return [...same, still, { op: 'add', path: '/metadata/annotations', value }];
  }
  return [...same, ...Object.entries(annotations).flatMap(([name, value]) => change(name, value, own(there, name)))];
}

function change(name: string, value: string | null, present: string | undefined): readonly JsonPatchOp[] {
  const path = jsonPointer('metadata', 'annotations', name);
  if (value !== null) return [{ op: 'add', path, value }];
  return present === undefined
    ? []
    : [
        { op: 'test', path, value: present },
        { op: 'remove', path },
      ];
}

const at = (object: Resource, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined), object);
