/** `123` of `/volumes/123`, and all of what has no slash. */
export const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
