import { shownName } from '../cluster/naming.ts';
import type { Planned } from './entries.ts';

/** The operator waits for what another object has sent; a plan has sent nothing: two of it ask for the same name. */
export function tellingSameNames(planned: readonly Planned[]): readonly Planned[] {
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
