import type { Row } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import type { Resource } from '../ports/index.ts';
import { keyFrom, kindReferred } from './named.ts';

const regionIn = (row: Row | undefined): string | undefined => (typeof row?.['region'] === 'string' ? row['region'] : undefined);

/** Nothing else tells it before the service refuses, or makes this one where nobody wished for it. */
export function inAnotherRegion(context: ClusterContext, { kind, metadata, status }: Resource): string | undefined {
  const there = regionIn(status);
  const here = hereIn(context);
  if (there === undefined || here.length === 0 || here.some(({ region }) => region === there)) return undefined;
  const said = here.map(({ region, of }) => `${of} ${region}`).join(' and ');
  return `${kind} ${metadata.name} is in region ${there}, and ${said}. Name a ${kind} in the same region, or have this one made there`;
}

interface Here {
  readonly region: string;
  readonly of: string;
}
/** Where it is, or is to be; of what has no region of its own, that of what it is a part of. */
function hereIn(context: ClusterContext): readonly Here[] {
  const { object, kind } = context;
  const [wished, seen] = [regionIn(object.spec), regionIn(object.status)];
  const own: readonly Here[] = [
    ...(wished === undefined ? [] : [{ region: wished, of: 'spec.region is' }]),
    ...(seen === undefined || seen === wished ? [] : [{ region: seen, of: `this ${kind.kind} is in` }]),
  ];
  return own.length > 0 || kind.parent === undefined ? own : above(context, kind.parent.ref);
}

function above({ engine, object, kind }: ClusterContext, ref: string): readonly Here[] {
  const reference = object.spec[ref] as Row | undefined;
  const parent = kindReferred(engine, kind, ref);
  if (parent === undefined || typeof reference?.['name'] !== 'string') return [];
  const region = regionIn(engine.objects.get(parent.kind, keyFrom(object, reference))?.status);
  return region === undefined ? [] : [{ region, of: `spec.${ref} leads to` }];
}
