/** What a record itself holds under a name that somebody chose: never what every object inherits (`constructor`). */
export const own = <V>(record: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
