/** The path, without the version, that an entity's URL leads to. */
export const pathOfUrl = (url: unknown): string | undefined =>
  typeof url === 'string' ? /^\/v4(?:beta)?(\/.+)$/.exec(url)?.[1] : undefined;

/** One spelling for a path: ids with a slash come raw or encoded (README: facts 7). */
export function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
