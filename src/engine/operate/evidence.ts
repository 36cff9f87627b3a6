import { type Action, type AnyKind, type AnyWant, type Given, readRemote, type Row } from '../../resource/index.ts';
import { callOptions, type OperationContext } from '../context.ts';
import { canonical } from '../model/values.ts';
import { type Before, beforeIn } from '../plan/operation.ts';
import type { Resource } from '../ports/index.ts';
import { readWhole, type Target } from './target.ts';

/** To what it was done, as much as is needed to look at it. */
export interface Evident {
  readonly kind: AnyKind;
  readonly action: Action<Row, AnyWant>;
  readonly path: string | undefined;
  readonly given: Given;
  /** Its object; absent once that is gone, and with it who says where parts are read. */
  readonly target: Resource | undefined;
}

/** As the target is right before the call. */
export async function before(context: OperationContext, { path, action, acted, given }: Target): Promise<Before> {
  const replaced = action.replaces?.(acted.remote, given);
  const part = action.renews?.(given);
  if (part === undefined) return { ...(replaced && { replaced }) };
  const value = await secretNow(context, path, part);
  const renewed = value === undefined ? '' : context.key.remember(context.object.metadata.uid, part, value);
  return { ...(replaced && { replaced }), renewed };
}

/** Undefined while it is not there. */
async function secretNow(context: OperationContext, path: string, part: string): Promise<string | undefined> {
  const value = await context.account.connection.cache.readSecretPart(path, part, callOptions(context, 'wait'));
  return value == null ? undefined : canonical(value);
}

/** What the target shows of it. `text`: what it lacks, in words. */
export interface Evidence {
  readonly is: 'done' | 'failed' | 'open';
  readonly text?: string;
}

export async function evidenceOf(context: OperationContext, evident: Evident): Promise<Evidence> {
  const { kind, action, path, given, target } = evident;
  if (path === undefined) return { is: 'open' };
  if (target === undefined && (action.parts ?? action.renews) !== undefined)
    return { is: 'open', text: `the object of ${path} is gone, so that nobody looks at it` };
  const seen = await readWhole(context, { path, kind, parts: action.parts }, 'wait');
  const read = seen && readRemote(kind, seen.remote);
  if (read === undefined || 'malformed' in read) return { is: 'open', text: `${path} could not be read` };
  const shown = remoteEvidence(context, read.remote, evident);
  return shown.is === 'done' ? secretEvidence(context, path, action.renews?.(given)) : shown;
}

function remoteEvidence(context: OperationContext, remote: Row, { action, path, given }: Evident): Evidence {
  const rest = action.rests === undefined ? 'done' : action.rests(remote);
  if (rest === 'failed') return { is: 'failed' };
  const left = stillThere(context, action.replaces?.(remote, given) ?? []);
  if (left !== undefined) return { is: 'open', text: left };
  return rest === undefined ? { is: 'open', text: `${path ?? ''} is not at rest` } : { is: 'done' };
}

function stillThere({ object }: OperationContext, now: readonly string[]): string | undefined {
  const { replaced = [] } = beforeIn(object);
  const left = replaced.filter((id) => now.includes(id));
  return left.length === 0
    ? undefined
    : `${left.length} of ${replaced.length} that shall go are still there: ${left.slice(0, 5).join(', ')}${left.length > 5 ? ', ...' : ''}`;
}

async function secretEvidence(context: OperationContext, path: string, part: string | undefined): Promise<Evidence> {
  if (part === undefined) return { is: 'done' };
  const value = await secretNow(context, path, part);
  if (value === undefined) return { is: 'open', text: `the new ${part} of ${path} is not there yet` };
  const { renewed } = beforeIn(context.object);
  const isOld = renewed !== undefined && context.key.remembers(context.object.metadata.uid, part, { value, as: renewed });
  return isOld ? { is: 'open', text: `${path} still has the ${part} of before` } : { is: 'done' };
}
