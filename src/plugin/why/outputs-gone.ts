import type { Resource } from '../../engine/ports/kubernetes.ts';
import { releasedLabel, toldOfLabel } from '../../engine/model/annotations.ts';
import { fewOf } from '../../lib/few-of.ts';
import { asCollection, digest } from '../../resource/index.ts';
import { typed, withKubectl } from '../cluster/naming.ts';
import { registry } from '../command-line/kinds.ts';
import { pauseOf } from '../objects/facts.ts';
import type { Landscape } from '../objects/landscape.ts';
import { toldOnce } from '../objects/told-once.ts';

interface Target {
  readonly kind: 'Secret' | 'ConfigMap';
  readonly name: string;
}
/** Of more than these none is asked: each is a request. */
const mostAsked = 5;

/** What it gave something out to and what is not there now: its state says nothing of that before an operator looks again. */
export async function outputsGone(landscape: Landscape, object: Resource): Promise<readonly string[]> {
  const { namespace } = object.metadata;
  if (pauseOf(object, landscape.now) !== undefined) return [];
  const asked = ((object.status?.['outputs'] ?? []) as readonly Target[]).slice(0, mostAsked);
  const found = await Promise.all(asked.map(({ kind, name }) => landscape.dataNow({ kind, namespace, name })));
  return asked.flatMap(({ kind, name }, at) => (found[at]?.is === 'missing' ? [`${kind} ${namespace}/${name}`] : []));
}

export function outputLines(object: Resource, gone: readonly string[]): readonly string[] {
  if (gone.length === 0) return [];
  const [are, them] = gone.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const once = toldOnce(object);
  const never = neverTold(object, once);
  if (never !== undefined)
    return [
      `${fewOf(gone, mostAsked)}, to which it gives something out, ${are} not there. ${never.says}`,
      ...never.lines.map((line) => `  ${line}`),
    ];
  const but = once.length === 0 ? '' : `, but not ${fewOf(once, mostAsked)}, which the service tells only once: then it says what to do`;
  return [
    `${fewOf(gone, mostAsked)}, to which it gives something out, ${are} not there. The operator writes ${them} again when it looks next, in some 5 minutes${but}. To have it look at once:`,
    `  kubectl cloud reconcile ${typed(object)}`,
  ];
}

/** What was told to whoever made what it adopted: an object of before may have left it in a Secret; else it comes only with another one, whoever looks. */
function neverTold(object: Resource, once: readonly string[]): { readonly says: string; readonly lines: readonly string[] } | undefined {
  const { origin, path, account } = object.status ?? {};
  if (origin !== 'Adopted' || once.length === 0) return undefined;
  const { namespace } = object.metadata;
  const [lines, renewed] =
    asCollection(registry.kind(object.kind))?.rotation === undefined
      ? [[], 'have another one made']
      : [[`kubectl cloud rotate ${typed(object)}`], 'the third line has it renewed, and the Secret written with what is told then'];
  const label = `${toldOfLabel} begins with ${digest(`${String(account)}${String(path)}`)}`;
  return {
    says: `This object adopted ${String(path)}, and ${fewOf(once, mostAsked)} was told once, to whoever made that. Where that was an object of this namespace, the Secret that it left still has it: the first line lists such, and it is the one whose label ${label}. Write its name into spec.secretName, by the second. Where nobody has it any more, only another one brings it: ${renewed}.`,
    lines: [
      `kubectl -n ${namespace} get secrets -l ${toldOfLabel},${releasedLabel} -L ${toldOfLabel}`,
      withKubectl('edit', object),
      ...lines,
    ],
  };
}
