import { fateOf } from '../../../engine/model/policy.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { shownName } from '../../cluster/naming.ts';
import { registry } from '../../command-line/kinds.ts';
import { stateOf } from '../../objects/facts.ts';
import type { Landscape } from '../../objects/landscape.ts';
import { goesUnless } from './special.ts';

/** Of two objects for one remote: what the end of the other one does, where it can be read; undefined: nothing better is known than `todo`. */
export async function withOther(landscape: Landscape, object: Resource, todo: string): Promise<string> {
  if (!todo.includes(goesUnless)) return todo;
  const [, kind = '', namespace = '', name = ''] = / belongs to (\w+) ([^ /]+)\/([^\s;,]*[^\s;,.])/.exec(stateOf(object).message) ?? [];
  if (!registry.kinds.some((one) => one.kind === kind)) return todo;
  const other = await landscape.find(kind, { namespace, name });
  return typeof other === 'string' || other.status?.['path'] === undefined
    ? todo
    : todo.replace(goesUnless, `Of the other one, ${shownName(other)}, once it is deleted: ${fateOf(other)}.`);
}
