import type { Key } from '../ports.ts';

/** Names one object everywhere: work queue, links, logs. */
export const objectId = (kind: string, key: Key): string => `${kind}/${key.namespace}/${key.name}`;
/** Stands for every object of a kind in a namespace, where a selector chooses among them; no object has this name. */
export const anyOf = (kind: string, namespace: string): string => objectId(kind, { namespace, name: '*' });
export function parseObjectId(id: string): { kind: string; key: Key } {
  const [kind = '', namespace = '', name = ''] = id.split('/');
  return { kind, key: { namespace, name } };
}

/** Who waits for, or reads from, whom: learned at each resolution, so that a target's change wakes its dependants. */
export class Links {
  readonly #dependants = new Map<string, Set<string>>();
  /** Mostly one. */
  readonly #targets = new Map<string, readonly string[]>();

  set(dependant: string, targets: ReadonlySet<string>): void {
    for (const gone of this.#targets.get(dependant) ?? []) if (!targets.has(gone)) this.#unlink(dependant, gone);
    for (const target of targets) {
      const all = this.#dependants.get(target) ?? new Set();
      this.#dependants.set(target, all.add(dependant));
    }
    if (targets.size > 0) this.#targets.set(dependant, [...targets]);
    else this.#targets.delete(dependant);
  }
  dependants(target: string): Iterable<string> {
    return this.#dependants.get(target) ?? [];
  }
  #unlink(dependant: string, target: string): void {
    const all = this.#dependants.get(target);
    all?.delete(dependant);
    if (all?.size === 0) this.#dependants.delete(target);
  }
}
