/**
 * Resource versions of one kind grow as its objects change; they are decimal numbers, longer than a double may hold.
 * Comparing them is allowed from Kubernetes 1.35 on and true before.
 */
export const isNewer = (version: string, than: string): boolean => {
  const [a, b] = [version.replace(/^0+/, ''), than.replace(/^0+/, '')];
  return a.length === b.length ? a > b : a.length > b.length;
};

export const newest = (a: string, b: string): string => (isNewer(b, a) ? b : a);
