import type { ClusterContext } from '../context.ts';
import { accountName, mayAdopt } from '../guard/recovery.ts';
import { mayTakeByMark } from './by-mark.ts';
import type { Found } from './lookup.ts';

/** Whether this object could have them by naming them: nobody else is told what they are, as a guessed name would be a way to look into the account. */
const isTold = (context: ClusterContext, found: readonly Found[]): boolean =>
  mayAdopt(context) || found.every((one) => mayTakeByMark(context, one));

/** What a message calls them. */
export function called(context: ClusterContext, found: readonly Found[]): string {
  if (isTold(context, found)) return found.map(({ path }) => path).join(', ');
  return found.length === 1 ? `one ${context.kind.kind} in the account` : `${found.length} of kind ${context.kind.kind} in the account`;
}

/** What a person does about them, or whom they ask. */
export const toName = (context: ClusterContext, found: readonly Found[], todo: string): string =>
  isTold(context, found) ? todo : whomToAsk(context);

const whomToAsk = (context: ClusterContext): string =>
  `ask the owner of ${accountName(context)}, who can see what is there and delete what is one too many, or let namespace ${context.object.metadata.namespace} adopt (spec.access[].adopt: Any): then this message names it`;
