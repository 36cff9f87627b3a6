import type { AnyKind, Row } from '../resource/index.ts';

/** The paths that a row stands for; kinds that share a collection may name their items differently. */
export function pathsOf(kinds: ReadonlySet<AnyKind>, collection: string, row: Row): readonly string[] {
  const paths = [...kinds].map((kind) => itemPath(kind, row, collection));
  return [...new Set(paths)];
}

function itemPath(kind: AnyKind, row: Row, collection: string): string {
  if (kind.item) return kind.item(row, collection);
  return `${collection}/${encodeURIComponent(String(row['id']))}`;
}
