import { hasPart, partsBefore, readRemote, type Row } from '../../resource/index.ts';
import { callOptions, type AccountContext } from '../context.ts';
import { ownerOf } from './observe.ts';

/**
 * A remote that is to go, with the parts that its kind reads right before: what was made below it since the last look must not go
 * along unseen. Undefined: that cannot be read.
 */
export async function withPart(context: AccountContext, path: string, remote: Row): Promise<Row | undefined> {
  const { kind, account, object } = context;
  const parts = partsBefore(kind).filter((name) => hasPart(kind, remote, name));
  if (parts.length === 0) return remote;
  const { cache } = account.connection;
  // One too many is nobody's: it is known only for as long as this takes.
  const owner = ownerOf(context, path);
  const isKnown = context.engine.objectMemory.tracked.get(object.metadata.uid) === path;
  cache.track(path, owner);
  try {
    for (const part of parts) await cache.readPart(path, part, callOptions(context, 'delete'));
    const read = readRemote(kind, cache.get(path)?.remote ?? {});
    const seen = 'remote' in read ? read.remote : {};
    return parts.every((part) => Object.hasOwn(seen, part))
      ? { ...remote, ...Object.fromEntries(parts.map((part) => [part, seen[part]])) }
      : undefined;
  } finally {
    if (!isKnown) cache.untrack(path, owner);
  }
}
