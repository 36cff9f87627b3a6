/** The path, without the version, that an entity's URL leads to. */
export const pathOfUrl = (url: unknown): string | undefined =>
  typeof url === 'string' ? /^\/v4(?:beta)?(\/.+)$/.exec(url)?.[1] : undefined;
