import type { OperationContext } from '../context.ts';
import type { FinalPhase } from '../plan/operation.ts';
import { attemptsOn, isNotedOn, type Meant } from '../plan/operation-notes.ts';
import { askedBy, type Located } from './target.ts';

interface Known {
  readonly phase: FinalPhase;
  readonly why: string;
}
/** What the objects that it names have noted of it, while it has no record of its own: it was begun, for whatever object, and must not be sent. */
export function notedBefore(context: OperationContext, located?: Located): Known | undefined {
  const { engine, object } = context;
  const { uid } = object.metadata;
  for (const { name, object: target } of askedBy(context)?.named ?? []) {
    if (target === undefined) continue;
    const called = `${target.kind} ${name}`;
    if (isNotedOn(target, object, located && ledTo(located)))
      return {
        phase: 'Expired',
        why: `nothing was sent: the same action with the same notAfter was begun for an earlier object, as ${called} notes`,
      };
    // What this process noted and never sent, because a write failed in between, it may send.
    if (attemptsOn(target, object).some((at) => !engine.objectMemory.wasUnsent(uid, at)))
      return {
        phase: 'Unknown',
        why: `${called} notes that this was begun, and what this object had noted of that is gone (an operator that was killed, or a tool that took annotations and status): it may have been done`,
      };
  }
  return undefined;
}

/** Where the references of an operation lead now. */
export const ledTo = ({ given, onto }: Pick<Located, 'given' | 'onto'>): Meant => ({ given, onto: onto?.path });
