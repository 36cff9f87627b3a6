import { pauseAnnotation } from '../../engine/model/annotations.ts';
import { objectId } from '../../engine/model/object-id.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { Millis } from '../../lib/clock.ts';
import { pauseOf } from '../objects/facts.ts';
import { registry } from '../command-line/kinds.ts';
import type { Entry } from './entries.ts';

/** Objects as they are once nobody pauses them, which is when all that is told of them happens; that of an account is told of the account. */
export function awake(object: Resource): Resource {
  if (object.kind === registry.connection.kind) return object;
  const { [pauseAnnotation]: _wish, ...annotations } = object.metadata.annotations ?? {};
  const { paused: _noted, ...status } = object.status ?? {};
  return { ...object, metadata: { ...object.metadata, annotations }, ...(object.status && { status }) };
}

/** Says of each entry that its object is paused. */
export function tellingPauses(objects: readonly Resource[], now: Millis): (entry: Entry) => Entry {
  const paused = new Map(
    objects
      .filter(({ kind }) => kind !== registry.connection.kind)
      .flatMap((object) => {
        const how = pauseOf(object, now);
        return how === undefined ? [] : [[objectId(object.kind, object.metadata), how] as const];
      }),
  );
  return (entry) => {
    const how = paused.get(objectId(entry.kind, entry));
    return how === undefined ? entry : { ...entry, paused: how };
  };
}

export const pausedLine = (paused: string): string =>
  `paused ${paused}: nothing is sent until then, and what is told here is what happens then`;
