import { type AnyWant, asCollection, type Leaving } from '../../resource/index.ts';
import type { AccountContext, ClusterContext } from '../context.ts';
import { annotation, remoteAnnotation } from '../model/annotations.ts';
import { labelOf } from '../model/identity.ts';
import { policyOf } from '../model/policy.ts';
import { borrowed } from './borrowed.ts';

/** What the object itself tells, without anything that its spec refers to. */
export const ownWords = (context: AccountContext): Leaving => ({
  name: labelOf(context.kind.label, context),
  ...recalled(context),
  ...marks(context),
});

/** The same for what is to go: what status remembers is not of another one that the object had, or has twice. */
export function leavingOf(context: ClusterContext, path: string): Leaving {
  const { recalled: known, ...rest } = { ...ownWords(context), ...borrowed(context) };
  const told = context.object.status?.['path'];
  return known === undefined || (told !== undefined && told !== path) ? rest : { ...rest, recalled: known };
}

/** What status remembers, of the remote that it speaks of. Where somebody emptied it, what this process last saw there counts on. */
function recalled({ kind, object, engine }: AccountContext): Pick<AnyWant, 'recalled'> {
  if (kind.recalls === undefined) return {};
  const { metadata, status = {} } = object;
  const of = annotation(object, remoteAnnotation);
  const isAnother = asCollection(kind) !== undefined && status['path'] === undefined;
  if (isAnother) return { recalled: of === undefined ? {} : engine.objectMemory.recalledOf(metadata.uid, of) };
  const known = Object.fromEntries(kind.recalls.flatMap((field) => (status[field] === undefined ? [] : [[field, status[field]] as const])));
  if (of !== undefined) engine.objectMemory.recalled(metadata.uid, { of, known });
  return { recalled: known };
}

function marks({ kind, key, name, object, account }: AccountContext): Pick<AnyWant, 'marks'> {
  if (kind.marked === undefined) return {};
  const looksOnly = policyOf(kind, object.spec, account, false).management !== 'Manage';
  const mayTag = !account.connection.identity.restricted;
  return { marks: { keys: key.ownerKeys(name), mayTag, looksOnly, recovers: account.recover } };
}
