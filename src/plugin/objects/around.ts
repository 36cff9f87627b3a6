import { objectId } from '../../engine/model/object-id.ts';
import type { Key, Resource } from '../../engine/ports/kubernetes.ts';
import { inside } from '../../kinds/for-plugin/inside.ts';
import { type AnyKind, asOperation, asSingleton, parentOfItem } from '../../resource/index.ts';
import { registry } from '../command-line/kinds.ts';
import { stateOf } from './facts.ts';
import { linksOf } from './links.ts';

/** An object that names another one, and in which fields. */
export interface Naming {
  readonly object: Resource;
  readonly fields: readonly string[];
}
export type Named = Key & { readonly kind: string };
export const namedAs = ({ kind, metadata: { namespace, name } }: Pick<Resource, 'kind' | 'metadata'>): Named => ({ kind, namespace, name });

/** What is in another remote goes with that; so does what is set on it. */
const goesAlong = (kind: AnyKind): boolean =>
  kind.goesWithParent === true || (asSingleton(kind) !== undefined && kind.parent !== undefined);

const pathOf = ({ status }: Resource): string | undefined => (typeof status?.['path'] === 'string' ? status['path'] : undefined);
const placeOf = (object: Resource, path: string): string => `${String(object.status?.['account'])} ${path}`;

/** As the operator says: its spec leads to what another one has been made anew as. */
const isElsewhere = (object: Resource): boolean => stateOf(object).reason === 'ImmutableField';

/** Objects by what they name and by where their remotes are; each counts once. */
export class Around {
  readonly #all = new Map<string, Resource>();
  readonly #naming = new Map<string, Map<string, { readonly object: Resource; readonly fields: string[] }>>();
  readonly #within = new Map<string, Resource[]>();

  constructor(objects: readonly Resource[]) {
    for (const object of objects) {
      const id = objectId(object.kind, object.metadata);
      if (this.#all.has(id)) continue;
      this.#all.set(id, object);
      for (const link of linksOf(object))
        if (link.is === 'object') this.#name(objectId(link.kind, link.key), id, { object, field: link.field });
      const path = pathOf(object);
      if (path === undefined || !goesAlong(registry.kind(object.kind))) continue;
      const place = placeOf(object, parentOfItem(registry.kind(object.kind), path));
      this.#within.set(place, [...(this.#within.get(place) ?? []), object]);
    }
  }
  #name(target: string, id: string, { object, field }: { readonly object: Resource; readonly field: string }): void {
    const all = this.#naming.get(target) ?? new Map<string, { readonly object: Resource; readonly fields: string[] }>();
    const known = all.get(id) ?? { object, fields: [] };
    known.fields.push(field);
    this.#naming.set(target, all.set(id, known));
  }

  find({ kind, namespace, name }: Named): Resource | undefined {
    return this.#all.get(objectId(kind, { namespace, name }));
  }

  /** Who names it. An operation is done once, and waits for nobody for ever. */
  naming({ kind, namespace, name }: Named): readonly Naming[] {
    const all = [...(this.#naming.get(objectId(kind, { namespace, name }))?.values() ?? [])];
    return all.filter(({ object }) => asOperation(registry.kind(object.kind)) === undefined);
  }

  /** Objects of what is in it: by their paths, and where they have no place below its own, by their references. */
  inside(of: Named): readonly Resource[] {
    const own = this.find(of);
    const path = own === undefined ? undefined : pathOf(own);
    const within = own === undefined || path === undefined ? [] : (this.#within.get(placeOf(own, path)) ?? []);
    const named = this.naming(of).flatMap(({ object, fields }) => {
      const kind = registry.kind(object.kind);
      const isIn = goesAlong(kind) && fields.includes(`spec.${kind.parent?.ref ?? ''}`) && pathOf(object) !== undefined;
      return isIn && !isElsewhere(object) ? [object] : [];
    });
    return [...new Set([...within, ...named])];
  }

  /** The same, and what lies elsewhere and goes with it. */
  goingWith(of: Named): readonly Resource[] {
    const { takes = {} } = inside[of.kind] ?? {};
    const also = this.naming(of).filter(
      ({ object, fields }) => fields.includes(`spec.${takes[object.kind] ?? ''}`) && pathOf(object) !== undefined,
    );
    return [...new Set([...this.inside(of), ...also.map(({ object }) => object)])];
  }
}
