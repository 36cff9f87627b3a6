import type { Resource } from './resource.ts';

/** The resources that are served at the moment. */
export class Registry {
  readonly #resources = new Map<string, Resource>();

  constructor(resources: readonly Resource[]) {
    for (const resource of resources) this.add(resource);
  }

  add(resource: Resource): void {
    this.#resources.set(`${resource.group}/${resource.version}/${resource.plural}`, resource);
  }

  remove(resource: Resource): void {
    this.#resources.delete(`${resource.group}/${resource.version}/${resource.plural}`);
  }

  find(group: string, version: string, plural: string): Resource | undefined {
    return this.#resources.get(`${group}/${version}/${plural}`);
  }

  /** Any version of a kind; the garbage collector looks owners up by it. */
  byKind(group: string, kind: string): Resource | undefined {
    return this.all().find((resource) => resource.group === group && resource.kind === kind);
  }

  /** One resource for each table, so that nothing is seen twice. */
  byTable(): Resource[] {
    return [
      ...new Map(
        this.all()
          .toReversed()
          .map((resource) => [resource.table, resource]),
      ).values(),
    ];
  }

  all(): Resource[] {
    return [...this.#resources.values()];
  }
}
