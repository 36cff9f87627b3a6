import type { Reason } from '../../../engine/model/outcome.ts';
import type { pluginWords } from '../../../generate/reference/states.ts';

/** Why one object of the chain is as it is. */
export interface Cause {
  /** `CloudVolume shop/data`. */
  readonly object: string;
  readonly reason: Reason | keyof typeof pluginWords;
  readonly message: string;
  readonly since?: string;
  /** What to do, where this is a root. */
  readonly todo: string;
  readonly commands: readonly string[];
  /** It does not go on by itself once what it waits for is there: that is to be done then. */
  readonly afterwards?: true;
}

/** What is named is not there, and nobody makes it by waiting. */
export const isAbsent = ({ reason }: Pick<Cause, 'reason'>): boolean => reason === 'NotFound' || reason === 'KeyMissing';

/** A cause, and what that waits for. */
export interface Chain {
  readonly cause: Cause;
  readonly below: readonly Chain[];
  /** So many more are not told one by one. */
  readonly more: number;
}

export const alone = (cause: Cause): Chain => ({ cause, below: [], more: 0 });

/** What only takes time, and how nobody needs to wait for it. `waiting`: in a line to type. */
export const thereNow = (object: string, what: string, waiting: string): Cause => ({
  object,
  reason: 'ThereNow',
  message: `${what}, and the operator has not looked since`,
  todo: 'Wait: the operator looks again by itself, mostly within a minute. To have it look at once:',
  commands: [`kubectl cloud reconcile ${waiting}`],
});

/** Each from the object down, with how deep it lies. */
export const causesOf = ({ cause, below }: Chain, depth = 0): readonly (Cause & { readonly depth: number })[] => [
  { ...cause, depth },
  ...below.flatMap((one) => causesOf(one, depth + 1)),
];

/** Those that wait for nothing else, each once. Where no operator works, nothing else of what stands there is to be done first. */
export function rootsOf(chain: Chain): readonly Cause[] {
  const ends = endsOf(chain);
  const dead = ends.filter(({ reason }) => reason === 'NotHeld');
  return [...new Map((dead.length > 0 ? dead : ends).map((one) => [one.object, one] as const)).values()];
}
const endsOf = ({ cause, below }: Chain): readonly Cause[] => (below.length === 0 ? [cause] : below.flatMap(endsOf));
