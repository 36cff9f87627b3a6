/** A place in a JSON document (RFC 6901), by the names on the way to it. */
export const jsonPointer = (...names: readonly string[]): string =>
  names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
