import { isDeleting } from '../../engine/model/annotations.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { typed } from '../cluster/naming.ts';
import { type Cause, type Chain, rootsOf } from './causes/cause.ts';

/** One of the things that must come about, in their order. */
export interface Step {
  readonly by: 'you' | 'operator';
  readonly object: string;
  readonly does: string;
  readonly commands: readonly string[];
}

/** From the roots to the object that was asked about. Nothing is guessed of what comes when the roots are gone: that is seen then. */
export function stepsOf(object: Resource, chain: Chain): readonly Step[] {
  const roots = rootsOf(chain);
  const patient = roots.every(({ reason }) => reason === 'ApprovalRequired') ? 'wait --on-approval=wait' : 'wait';
  const goal = isDeleting(object) ? 'wait --for=Deleted' : patient;
  const end: Step = {
    by: 'you',
    object: chain.cause.object,
    does: 'See it done.',
    commands: [`kubectl cloud ${goal} ${typed(object)}`],
  };
  const steps = new Map(upwards(chain, new Set(roots)).map((step) => [step.object, step] as const));
  return [...steps.values(), end];
}

/** What waits goes on after all that it waits for. */
const upwards = ({ cause, below }: Chain, roots: ReadonlySet<Cause>): readonly Step[] => [
  ...below.flatMap((one) => upwards(one, roots)),
  ...(roots.has(cause) ? [ofRoot(cause)] : below.length === 0 ? [] : [goesOn(cause)]),
];
const ofRoot = (root: Cause): Step => ({
  by: isLeftAlone(root) ? 'operator' : 'you',
  object: root.object,
  does: root.todo,
  commands: root.commands,
});
const goesOn = ({ object, afterwards, todo, commands }: Cause): Step =>
  afterwards === true
    ? { by: 'you', object, does: todo, commands }
    : { by: 'operator', object, does: 'goes on by itself after that.', commands: [] };

/** All that may be typed about it is to wait, or not to. */
const isLeftAlone = ({ commands, todo }: Cause): boolean =>
  commands.every((line) => /^kubectl cloud (?:wait|reconcile)\b/.test(line)) && /^(Wait|Nothing)\b/.test(todo);

export const stepLines = (steps: readonly Step[]): readonly string[] => [
  ...(steps.length === 0 ? [] : ['Step by step:']),
  ...steps.flatMap(({ by, object, does, commands }, index) => [
    `  ${index + 1}. ${by}: ${object}: ${does}`,
    ...commands.map((line) => `       ${line}`),
  ]),
];
