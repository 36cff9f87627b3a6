import { isDeleting } from '../../engine/model/annotations.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { typed } from '../cluster/naming.ts';
import type { Cause } from './cause.ts';

/** One of the things that must come about, in their order. */
export interface Step {
  readonly by: 'you' | 'operator';
  readonly object: string;
  readonly does: string;
  readonly commands: readonly string[];
}

/** From the root to the object that was asked about. Nothing is guessed of what comes when the root is gone: that is seen then. */
export function stepsOf(object: Resource, chain: readonly Cause[]): readonly Step[] {
  const [root, ...after] = chain.toReversed();
  if (root === undefined) return [];
  const patient = root.reason === 'ApprovalRequired' ? 'wait --on-approval=wait' : 'wait';
  const goal = isDeleting(object) ? 'wait --for=Deleted' : patient;
  const first: Step = { by: isLeftAlone(root) ? 'operator' : 'you', object: root.object, does: root.todo, commands: root.commands };
  const then = after.map((cause): Step => ({ by: 'operator', object: cause.object, does: 'goes on by itself after that.', commands: [] }));
  const end: Step = {
    by: 'you',
    object: chain[0]?.object ?? root.object,
    does: 'See it done.',
    commands: [`kubectl cloud ${goal} ${typed(object)}`],
  };
  return [first, ...then, end];
}

/** All that may be typed about it is to wait. */
const isLeftAlone = ({ commands, todo }: Cause): boolean =>
  commands.every((line) => line.startsWith('kubectl cloud wait')) && /^(Wait|Nothing)\b/.test(todo);

export const stepLines = (steps: readonly Step[]): readonly string[] => [
  ...(steps.length === 0 ? [] : ['Step by step:']),
  ...steps.flatMap(({ by, object, does, commands }, index) => [
    `  ${index + 1}. ${by}: ${object}: ${does}`,
    ...commands.map((line) => `       ${line}`),
  ]),
];
