interface Named {
  readonly name: string;
  readonly spec: object;
}

/** Those of `all` that the specs name, and those that these name in turn. */
export function neededBy<Need extends Named>(all: readonly Need[], specs: readonly object[]): readonly Need[] {
  const named = (value: unknown): readonly Need[] => all.filter(({ name }) => JSON.stringify(value).includes(`"name":"${name}"`));
  // A set grows while it is walked through.
  const needed = new Set(named(specs));
  for (const { spec } of needed) for (const one of named(spec)) needed.add(one);
  return all.filter((need) => needed.has(need));
}
