/** Paths of which something is remembered. */
export const remembered = 10_000;

/** As the youngest; the oldest is forgotten beyond that. */
export function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > remembered && oldest !== undefined) map.delete(oldest);
}
