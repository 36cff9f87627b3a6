import type { Resource } from '../../engine/ports/kubernetes.ts';
import { shownName } from '../cluster/naming.ts';
import type { Verdict } from '../dry/verdict.ts';

interface Planned {
  readonly object: Resource;
  readonly verdict: Verdict;
}

/** The operator waits for what another object has sent; a plan has sent nothing: two of it ask for the same name. */
export function tellingSameNames<P extends Planned>(planned: readonly P[]): readonly P[] {
  const made = new Map(
    planned.flatMap(({ object, verdict }) => (verdict.action === 'create' ? [[shownName(object), object.kind] as const] : [])),
  );
  return planned.map((one) => {
    const { action, reason, on = [] } = one.verdict;
    const first = action === 'wait' && reason === 'Busy' ? on.find((name) => made.get(name) === one.object.kind) : undefined;
    return first === undefined ? one : { ...one, verdict: { ...one.verdict, message: textOf(first) } };
  });
}

const textOf = (first: string): string =>
  `${first}, which is made by this plan too, asks for the same name in the account. Nothing is made for this one then, so that there are not two. If both are wanted, give this one another name`;
