import { keepsRemote } from '../../../engine/model/policy.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { mergePatch, withKubectl } from '../../cluster/naming.ts';
import type { OnceData } from '../../output/account-shapes.ts';

type Step = NonNullable<OnceData['steps']>[number];

/** Steps by which the objects go and what they stand for stays in the account, in this order; `last` comes after them. */
export function lettingGo(objects: readonly Resource[], last: Step): readonly Step[] {
  const losing = objects.filter((object) => isProtected(object) || !keepsRemote(object));
  const keep = {
    does: 'Have the objects keep what they stand for; where they come from Git, also there',
    commands: losing.map((object) => mergePatch(object, { spec: { lifecycle: keeping(object) } })),
  };
  const remove = {
    does: 'Delete the objects, and take them out of Git first: what is applied again makes a new instance',
    commands: objects.map((object) => withKubectl('delete', object)),
  };
  return [...(losing.length > 0 ? [keep] : []), remove, last];
}

const isProtected = ({ spec }: Resource): boolean => (spec['lifecycle'] as { readonly protect?: boolean } | undefined)?.protect === true;
const keeping = (object: Resource): object => ({ onDelete: 'Retain', ...(isProtected(object) && { protect: false }) });

export const stepLines = (steps: readonly Step[]): readonly string[] =>
  steps.flatMap(({ does, commands }, index) => [`${index + 1}. ${does}:`, ...commands.map((line) => `   ${line}`)]);
