import { closest } from '../../lib/closest.ts';
import { wordOrQuoted } from '../../lib/quoted.ts';
import type { AnyKind, AnyRule, AnyWant, Row } from '../../resource/index.ts';
import { applyAnewText } from '../model/policy.ts';

/** What the service offers under a path; undefined or empty where that is not known whole. */
export type Catalogue = (path: string) => readonly Row[] | undefined;

/** A value that its catalogue does not list. */
export interface Unlisted {
  readonly field: string;
  readonly value: string;
  readonly path: string;
  /** What it lists that may be written here. */
  readonly ids: readonly string[];
}

/** Those of these fields that the service will refuse, because their values are in no catalogue. */
export function unlisted(kind: AnyKind, want: AnyWant, fields: readonly string[], catalogue: Catalogue): readonly Unlisted[] {
  return fields.flatMap((field) => {
    const rule = kind.fields[field]?.catalogue;
    const value = want[field];
    if (rule === undefined || typeof value !== 'string' || rule.holds?.(value) === false) return [];
    const ids = catalogue(rule.path)?.map(({ id }) => String(id)) ?? [];
    if (ids.length === 0 || ids.includes(value)) return [];
    // Else a hint would name what is another team's.
    return [{ field, value, path: rule.path, ids: ids.filter((id) => rule.holds?.(id) !== false) }];
  });
}

/** Why nothing is sent; undefined where all may be good. `fixed`: fields that no edit of the object may change. */
export function unlistedText(all: readonly Unlisted[], fixed: readonly string[] = []): string | undefined {
  if (all.length === 0) return undefined;
  const stuck = all.map(({ field }) => field).filter((field) => fixed.includes(field));
  const todo = stuck.length === 0 ? 'Correct the spec; nothing was sent' : applyAnewText(stuck);
  return `${all.map(refusal).join('; ')}. ${todo}`;
}

const refusal = ({ field, value, path, ids }: Unlisted): string =>
  `spec.${field}: the provider lists no ${wordOrQuoted(value)} (GET ${path}, read every hour); most like it are ${closest(value, ids).join(', ')}`;

interface Tight {
  /** What tells whether it fits. */
  readonly parts: readonly string[];
  readonly against: (on: Present) => string | undefined;
}
interface Present {
  readonly remote: Row;
  readonly want: AnyWant;
}
type Change = { readonly rule: AnyRule; readonly want: unknown };

/** Of a change that may be too small for what the remote has, or too large for what it lies in. */
export function tightFor({ rule, want }: Change, remote: Row, catalogue: Catalogue): Tight | undefined {
  const { room } = rule;
  if (room !== undefined)
    return want !== undefined && room.mayLack(want, remote)
      ? { parts: room.parts, against: (on) => room.against(want, on.remote, on.want) }
      : undefined;
  const { path, fits } = rule.catalogue ?? {};
  if (path === undefined || fits === undefined) return undefined;
  const row = catalogue(path)?.find(({ id }) => String(id) === want);
  return row !== undefined && fits.mayNot(row, remote)
    ? { parts: [fits.part], against: (on) => fits.against(row, on.remote, on.want) }
    : undefined;
}

/** Why it surely does not fit; undefined also where it is not known. */
export function unfit(change: Change, on: Present, catalogue: Catalogue): string | undefined {
  const tight = tightFor(change, on.remote, catalogue);
  return tight?.parts.every((part) => part in on.remote) === true ? tight.against(on) : undefined;
}
