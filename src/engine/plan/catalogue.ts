import { closest } from '../../lib/closest.ts';
import type { AnyKind, AnyWant, Row } from '../../resource/index.ts';

/** What the service offers under a path; undefined or empty where that is not known whole. */
export type Catalogue = (path: string) => readonly Row[] | undefined;

/** A value that its catalogue does not list. */
export interface Unlisted {
  readonly field: string;
  readonly value: string;
  readonly path: string;
  /** What it lists. */
  readonly ids: readonly string[];
}

/** Those of these fields that the service will refuse, because their values are in no catalogue. */
export function unlisted(kind: AnyKind, want: AnyWant, fields: readonly string[], catalogue: Catalogue): readonly Unlisted[] {
  return fields.flatMap((field) => {
    const rule = kind.fields[field]?.catalogue;
    const value = want[field];
    if (rule === undefined || typeof value !== 'string' || rule.holds?.(value) === false) return [];
    const ids = catalogue(rule.path)?.map(({ id }) => String(id)) ?? [];
    return ids.length === 0 || ids.includes(value) ? [] : [{ field, value, path: rule.path, ids }];
  });
}

/** Why nothing is sent; undefined where all may be good. */
export const unlistedText = (all: readonly Unlisted[]): string | undefined =>
  all.length === 0 ? undefined : `${all.map(refusal).join('; ')}. Correct the spec; nothing was sent`;

const refusal = ({ field, value, path, ids }: Unlisted): string =>
  `spec.${field}: the provider lists no ${value} (GET ${path}, read every hour); most like it are ${closest(value, ids).join(', ')}`;
