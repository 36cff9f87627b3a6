import { rememberedOf } from '../../engine/plan/applied-values.ts';
import { unreadParts } from '../../engine/plan/diff.ts';
import type { BoundRemote } from '../../engine/model/step.ts';
import { CloudError, type RemoteCache, type Resource } from '../../engine/ports/index.ts';
import type { AnyKind } from '../../resource/index.ts';

/** Thrown where something would be decided while parts that are compared were not read: the operator's rounds read those at some time, and a look must not depend on it. */
export class PartsUnread extends Error {
  override readonly name = 'PartsUnread';
  readonly path: string;
  readonly parts: readonly string[];
  constructor(path: string, parts: readonly string[]) {
    super(`${path}: ${parts.join(', ')} must be read first`);
    this.path = path;
    this.parts = parts;
  }
}

/** Parts that this object is compared with and of which nothing is known. */
export function unreadOf(kind: AnyKind, object: Resource, { want, remote }: BoundRemote): readonly string[] {
  const remembered = rememberedOf(object);
  return unreadParts(kind, want, remote, (field) => remembered[field] !== undefined);
}

interface Reading {
  readonly cache: RemoteCache | undefined;
  readonly object: Resource;
  readonly signal: AbortSignal;
}
/** By part, why it could not be read. */
export async function readParts({ path, parts }: PartsUnread, { cache, object, signal }: Reading): Promise<ReadonlyMap<string, string>> {
  const how = { lane: 'edit', tenant: object.metadata.namespace, caller: object.kind, signal } as const;
  const failed = new Map<string, string>();
  for (const part of parts) {
    try {
      await cache?.readPart(path, part, how);
      const isKnown = part in (cache?.get(path)?.remote ?? {});
      if (!isKnown) failed.set(part, 'the account does not show it at the moment');
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      failed.set(part, error.message);
    }
  }
  return failed;
}

/** Each field that cannot be compared for want of one of these parts. */
export const unknownFields = (kind: AnyKind, object: Resource, failed: ReadonlyMap<string, string>): readonly string[] =>
  Object.entries(kind.fields).flatMap(([field, { part }]) => {
    const why = part === undefined || object.spec[field] === undefined ? undefined : failed.get(part);
    return why === undefined ? [] : [`spec.${field}: ${why}`];
  });
