/** Who waits for, or reads from, whom: learned at each resolution, so that a target's change wakes its dependants. */
export class ReferenceIndex {
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
  /** One more, besides those of the last resolution, until the next. */
  add(dependant: string, target: string): void {
    this.set(dependant, new Set([...(this.#targets.get(dependant) ?? []), target]));
  }
  dependants(target: string): Iterable<string> {
    return this.#dependants.get(target) ?? [];
  }
  /** What it referred to at the last resolution. */
  targets(dependant: string): readonly string[] {
    return this.#targets.get(dependant) ?? [];
  }
  /** The object needs nothing any more. Who refers to it still waits for one of its name. */
  forget(dependant: string): void {
    this.set(dependant, new Set());
  }
  known(): Iterable<string> {
    return this.#targets.keys();
  }
  #unlink(dependant: string, target: string): void {
    const all = this.#dependants.get(target);
    all?.delete(dependant);
    if (all?.size === 0) this.#dependants.delete(target);
  }
}
