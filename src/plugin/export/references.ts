import { collectionOf, type AnyWant, type Row } from '../../resource/index.ts';
import type { Bound, Remote } from '../dry/standing.ts';
import { registry } from '../command-line/kinds.ts';
import { placedByOf } from '../orphans/remotes.ts';
import type { RefTo } from './spec-of.ts';

/** A remote, and the object that is to stand for it. */
export interface Named {
  readonly remote: Remote;
  readonly id: string | number;
  readonly name: string;
  readonly namespace: string;
}

interface Standing {
  readonly name: string;
  readonly namespace: string;
  /** Namespaces whose objects may refer to it. */
  readonly admits: readonly string[];
}

/** By the name of what is exported beside it or stands for it, where objects of this namespace may name that; else by its id. */
export function referenceBy(chosen: readonly Named[], bound: readonly Bound[], byId: boolean): (namespace: string) => RefTo {
  const known = new Map<string, Standing>();
  for (const { object, path } of bound) known.set(`${object.kind} ${path}`, { ...object.metadata, admits: admittedBy(object.spec) });
  for (const { remote, name, namespace } of chosen) {
    const key = `${remote.kind.kind} ${remote.path}`;
    known.set(key, { name, namespace, admits: known.get(key)?.admits ?? [] });
  }
  const paths = new Map(chosen.map(({ remote, id }) => [`${remote.kind.kind} ${id}`, remote.path]));
  return (from) =>
    ({ kind, shared }, id) => {
      const path = paths.get(`${kind} ${id}`) ?? pathOf(kind, id);
      const there = byId || path === undefined ? undefined : known.get(`${kind} ${path}`);
      if (there?.namespace === from) return { name: there.name };
      const isAdmitted = there !== undefined && shared && there.admits.includes(from);
      return isAdmitted ? { name: there.name, namespace: there.namespace } : { external: id };
    };
}

const admittedBy = (spec: Row): readonly string[] =>
  (spec['allowedRefs'] as { readonly namespaces?: readonly string[] } | undefined)?.namespaces ?? [];

/** Of a kind whose items lie in one list, or in the one that its id names. */
function pathOf(name: string, id: string | number): string | undefined {
  const kind = registry.kind(name);
  if (kind.parent !== undefined) return undefined;
  if (kind.places === undefined) return `${collectionOf(kind, nobody)}/${id}`;
  const [place = '', own = ''] = String(id).split('/');
  const list = kind.places.find((one) => one.split('/').includes(place));
  return list === undefined ? undefined : `${list}/${own}`;
}
const nobody: AnyWant = { name: '' };

/** The field that leads to what it lies below, by the path of its list. */
export function aboveOf({ kind, collection }: Remote): Row {
  if (kind.parent === undefined) return {};
  const marks = placedByOf(kind) === undefined ? ['the-id'] : ['the-place', 'the-id'];
  const below = collectionOf(kind, { name: '', [kind.parent.ref]: marks.join('/') }).split('/');
  const pieces = collection.split('/');
  const id = marks.map((mark) => decodeURIComponent(pieces[below.indexOf(mark)] ?? '')).join('/');
  return { [kind.parent.ref]: /^\d+$/.test(id) ? Number(id) : id };
}
