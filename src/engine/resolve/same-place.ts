import type { Row } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import { objectId } from '../model/object-id.ts';
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

/** Both specs decide one thing of the account. Where they differ each object would undo what the other does, for ever. */
export function namesAnother(context: ClusterContext, target: Resource, field: string): string | undefined {
  const { engine, kind, object } = context;
  const to = kindReferred(engine, kind, field)?.kind;
  const [its, own] = [target.spec[field], object.spec[field]] as readonly (Row | undefined)[];
  if (to === undefined || own === undefined) return undefined;
  const name = `${target.kind} ${target.metadata.name}`;
  const here = `spec.${field} of this ${kind.kind}`;
  if (its === undefined)
    return `${name} names no ${to} in its own spec.${field}, so its own object keeps it at none. Set spec.${field} of ${name} to what ${here} is, or take ${name} out of this spec`;
  const [there, mine] = [meant(context, to, target, its), meant(context, to, object, own)];
  if (there.key === mine.key || there.id === mine.id) return undefined;
  return `${name} names ${to} ${there.text} in its own spec.${field}, and ${here} names ${mine.text}. Set both to the same, or take ${name} out of this spec`;
}

interface Meant {
  readonly text: string;
  /** Which object, or which id where it has none. */
  readonly key: string;
  /** What it comes to; of an object that has none yet its key. */
  readonly id: string;
}
function meant({ engine }: ClusterContext, kind: string, owner: Resource, reference: Row): Meant {
  const { external } = reference;
  if (external !== undefined) return { text: String(external), key: String(external), id: String(external) };
  const at = keyFrom(owner, reference);
  const key = objectId(kind, at);
  const id = engine.objects.get(kind, at)?.status?.['id'];
  return { text: at.name, key, id: String(id ?? key) };
}
