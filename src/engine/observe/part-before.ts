import { readRemote, type Row } from '../../resource/index.ts';
import { callOptions, type AccountContext } from '../context.ts';
import { ownerOf } from './observe.ts';

/**
 * A remote that is to go, with the part that its kind reads right before: what was made below it since the last look must not go
 * along unseen. Undefined: that cannot be read.
 */
export async function withPart(context: AccountContext, path: string, remote: Row): Promise<Row | undefined> {
  const { kind, account, object } = context;
  const part = kind.deletion?.part;
  if (part === undefined) return remote;
  const { cache } = account.connection;
  // One too many is nobody's: it is known only for as long as this takes.
  const owner = ownerOf(context, path);
  const isKnown = context.engine.objectMemory.tracked.get(object.metadata.uid) === path;
  cache.track(path, owner);
  try {
    await cache.readPart(path, part, callOptions(context, 'delete'));
    const read = readRemote(kind, cache.get(path)?.remote ?? {});
    return 'remote' in read && Object.hasOwn(read.remote, part) ? { ...remote, [part]: read.remote[part] } : undefined;
  } finally {
    if (!isKnown) cache.untrack(path, owner);
  }
}
