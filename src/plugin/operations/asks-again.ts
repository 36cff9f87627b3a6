import type { Resource } from '../../engine/ports/kubernetes.ts';
import { takenWithin } from '../../engine/plan/operation-notes.ts';
import { shownName } from '../cluster/naming.ts';
import type { Call } from '../command-line/command.ts';
import { registry } from '../command-line/kinds.ts';
import { sameLine } from '../command-line/same-line.ts';
import type { Question } from '../terminal/confirm.ts';
import { agoText } from './asking.ts';
import { changedBy } from './chosen-action.ts';

interface Asked {
  readonly target: Resource;
  readonly spec: { readonly action: string; readonly notAfter: string; readonly [field: string]: unknown };
}

/** What the operator asks of a person once it has looked, as far as that is to be seen before; undefined: nothing, most likely. */
export function asksAgain({ session }: Call, { target, spec }: Asked): Question['again'] {
  const because = lossText(target, spec.action, session.typed) ?? takenText(target, spec, session.now);
  return because === undefined ? undefined : { expected: changedBy({ spec }), because };
}

/** It may lose something; what that is only the operator tells. */
function lossText({ kind }: Resource, action: string, words: readonly string[]): string | undefined {
  if (registry.kind(kind).actions?.[action]?.loses === undefined) return undefined;
  return `To be shown first what is lost by it, while it waits: ${sameLine(words, '--yes') ?? 'the same line with --yes'}`;
}

/** What was done before that is noted nowhere. */
function takenText(target: Resource, { notAfter }: Asked['spec'], now: number): string | undefined {
  const taken = takenWithin(target, Date.parse(notAfter));
  if (taken === undefined) return undefined;
  return `${shownName(target)} was found or adopted ${agoText(taken, now)}, so that the operator asks once more, as it may have been done before`;
}
