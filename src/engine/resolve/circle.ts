import type { ReferenceSite, Row } from '../../resource/index.ts';
import { objectId } from '../model/object-id.ts';
import { admits } from '../model/account.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Objects, Resource } from '../ports/index.ts';
import { keyFrom } from './named.ts';

interface Looking {
  readonly engine: {
    readonly objects: Pick<Objects, 'get'>;
    readonly registry: { sites(kind: string): readonly ReferenceSite[] };
  };
  readonly object: Resource;
}
interface Step {
  readonly field: string;
  readonly object: Resource;
}

/** Objects without an id that this one needs before it can have one. Elements of lists are not waited for. */
function* needed({ engine }: Looking, object: Resource): Iterable<Step> {
  for (const site of engine.registry.sites(object.kind).filter(isFirst)) {
    const wanted = referenceAt(site, object.spec);
    const target = wanted && engine.objects.get(wanted.kind, keyFrom(object, wanted.reference));
    if (target !== undefined && target.status?.['id'] === undefined && admits(target, object.metadata.namespace))
      yield { field: site.at.join('.'), object: target };
  }
}

const isFirst = ({ what }: ReferenceSite): boolean => what.is !== 'ref' || what.target.after !== true;

function referenceAt({ at, what }: ReferenceSite, spec: Row): { readonly kind: string; readonly reference: Row } | undefined {
  if ((what.is !== 'ref' && what.is !== 'output') || at.includes('*')) return undefined;
  const here = at.reduce<unknown>((value, step) => (value as Row | undefined)?.[step], spec) as Row | undefined;
  const reference = (what.is === 'output' ? here?.[what.output.ref] : here) as Row | undefined;
  if (typeof reference?.['name'] !== 'string') return undefined;
  return { kind: what.is === 'ref' ? what.target.kind : what.kind, reference };
}

const idOf = ({ kind, metadata }: Resource): string => objectId(kind, metadata);

/** Objects beyond that are not looked at: every object of a long chain walks it again and again. A longer circle only waits. */
const mostSeen = 100;

/** The way from this object back to itself, if there is one. */
function wayBack(context: Looking, from: Resource, seen: Set<string>): readonly Step[] | undefined {
  for (const step of needed(context, from)) {
    if (idOf(step.object) === idOf(context.object)) return [step];
    if (seen.has(idOf(step.object)) || seen.size === mostSeen) continue;
    const rest = wayBack(context, step.object, seen.add(idOf(step.object)));
    if (rest !== undefined) return [step, ...rest];
  }
  return undefined;
}

/** Objects that need each other first would wait for ever. */
export function circle(context: Looking): Outcome | undefined {
  const way = wayBack(context, context.object, new Set());
  const [first] = way ?? [];
  if (way === undefined || first === undefined) return undefined;
  const name = ({ kind, metadata }: Resource): string =>
    `${kind} ${metadata.namespace === context.object.metadata.namespace ? '' : `${metadata.namespace}/`}${metadata.name}`;
  return {
    is: 'Stalled',
    reason: 'InvalidSpec',
    message: `spec.${first.field} refers in a circle: ${[context.object, ...way.map(({ object }) => object)].map(name).join(' -> ')}. None of these can be made first: take the reference out of one of them; where that field cannot be changed, delete that object and make it anew without it`,
  };
}
