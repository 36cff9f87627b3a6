import { type AnyKind, asCollection, asOperation, asSingleton } from '../../resource/index.ts';
import { isFree } from '../../kinds/for-plugin/prices.ts';
import { registry } from '../command-line/kinds.ts';
import { parentOf } from './remotes.ts';

/** What is set at something else, or in the account: it has no life and no id of its own, so that it is neither missed nor adopted. */
export const settings: readonly AnyKind[] = registry.kinds.filter((kind) => asSingleton(kind) !== undefined);

const paid = ({ kind }: AnyKind): string => (isFree(kind) ? '' : ', and may be paid for (kubectl cloud cost shows it)');
const setAt = (kind: AnyKind): string =>
  kind.parent === undefined ? 'a setting of the account' : `a setting at a ${parentOf(kind, kind.parent.ref).kind}`;

/** Why nothing of this kind stands in a list of the account; undefined: it does. */
export function whyUnlisted(kind: AnyKind): string | undefined {
  if (asCollection(kind) !== undefined) return undefined;
  if (asSingleton(kind) !== undefined) return `it is ${setAt(kind)} and has no id of its own`;
  if (kind === registry.connection) return 'it is the account itself, which is always there';
  return asOperation(kind) === undefined
    ? 'it is given out when it is asked for, and nothing in the account'
    : 'it is done once, and nothing in the account stands for it';
}

/** Why it is not written, and what to do where it is to be kept as it is. */
export const whyUnwritten = (kind: AnyKind): string =>
  `${whyUnlisted(kind) ?? ''}${paid(kind)}. Where it is to be kept so, write an object for it (kubectl cloud schema ${kind.shortName}), with lifecycle.management: Observe until a plan of it shows no change`;
