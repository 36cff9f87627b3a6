import { closest } from '../../lib/closest.ts';
import type { AnyKind, AnyWant, Row } from '../../resource/index.ts';

/** What the service offers under a path; undefined or empty where that is not known whole. */
export type Catalogue = (path: string) => readonly Row[] | undefined;

/** Why the service will refuse one of these fields: its value is in no catalogue. Undefined where all may be good. */
export function unlisted(kind: AnyKind, want: AnyWant, fields: readonly string[], catalogue: Catalogue): string | undefined {
  const texts = fields.flatMap((field) => {
    const rule = kind.fields[field]?.catalogue;
    const value = want[field];
    if (rule === undefined || typeof value !== 'string' || rule.holds?.(value) === false) return [];
    const ids = catalogue(rule.path)?.map(({ id }) => String(id)) ?? [];
    return ids.length === 0 || ids.includes(value) ? [] : [refusal(field, value, { path: rule.path, ids })];
  });
  return texts.length === 0 ? undefined : `${texts.join('; ')}. Correct the spec; nothing was sent`;
}

const refusal = (field: string, value: string, { path, ids }: { readonly path: string; readonly ids: readonly string[] }): string =>
  `spec.${field}: the provider lists no ${value} (GET ${path}, read every hour); most like it are ${closest(value, ids).join(', ')}`;
