import { registry } from '../command-line/kinds.ts';
import {
  type AnyKind,
  type AnyRule,
  type AnyWant,
  asCollection,
  type RefTarget,
  type ReferenceSite,
  type Row,
} from '../../resource/index.ts';

/** How a reference to a remote is written: by the object that stands for it, else by its id. */
export type RefTo = (target: Pick<RefTarget, 'kind' | 'shared'>, id: string | number) => Row;

/** A spec in two forms: as it is compared, with ids, and as it is written, with references. */
export interface Draft {
  readonly want: AnyWant;
  readonly spec: Row;
}

/** What a read of the remote tells of each field of the spec. Secrets, selectors and values of other objects cannot be told. */
export function draftOf(kind: AnyKind, remote: Row, above: Row, refTo: RefTo): Draft {
  const want: Record<string, unknown> = { name: '', ...above };
  const spec: Record<string, unknown> = {};
  const sites = registry.sites(kind.kind);
  for (const [field, value] of Object.entries(above)) spec[field] = written(sites, [field], value, refTo);
  for (const [field, rule] of Object.entries(kind.fields)) {
    if (field in above || !canBeTold(sites, field, rule, remote)) continue;
    const value = withoutMarks(kind, field, toldBy(remote, want as AnyWant, rule) ?? labelIn(kind, field, remote));
    if (value === undefined || value === null) continue;
    want[field] = value;
    spec[field] = written(sites, [field], value, refTo);
  }
  return { want: want as AnyWant, spec };
}

/** With fields that name nothing else. */
export const saying = ({ want, spec }: Draft, said: Row): Draft => ({ want: { ...want, ...said }, spec: { ...spec, ...said } });

/** The same of what somebody else says that the remote is. */
export function draftOfWant(kind: AnyKind, want: Row, refTo: RefTo): Draft {
  const sites = registry.sites(kind.kind);
  const spec = Object.fromEntries(Object.entries(want).map(([field, value]) => [field, written(sites, [field], value, refTo)]));
  return { want: { name: '', ...want }, spec };
}

const untold = new Set<ReferenceSite['what']['is']>(['secret', 'configMap', 'selector', 'output']);

function canBeTold(sites: readonly ReferenceSite[], field: string, { applied, part }: AnyRule, remote: Row): boolean {
  if (applied === true || (part !== undefined && !(part in remote))) return false;
  return !sites.some(({ at, what }) => at[0] === field && at.length === 1 && untold.has(what.is));
}

const toldBy = (remote: Row, want: AnyWant, { members, read }: AnyRule): unknown =>
  members ? members.found?.(remote) : read?.(remote, want);

/** A label that a create sends with a nonce is read only where the spec has one; what is made again from the manifest shall be called so too. */
function labelIn(kind: AnyKind, field: string, remote: Row): unknown {
  const label = asCollection(kind)?.label;
  return label?.nonce === true && label.field === field ? remote[field] : undefined;
}

/** The tag of an installation is the operator's own. */
const withoutMarks = (kind: AnyKind, field: string, value: unknown): unknown =>
  field === kind.tags && Array.isArray(value) ? value.filter((tag) => !String(tag).startsWith('co-')) : value;

/** Ids of references become references, however deep they lie. */
function written(sites: readonly ReferenceSite[], at: readonly string[], value: unknown, refTo: RefTo): unknown {
  const site = sites.find((one) => one.at.length === at.length && one.at.every((step, index) => step === at[index]));
  if (site?.what.is === 'ref' && (typeof value === 'string' || typeof value === 'number')) return refTo(site.what.target, value);
  if (Array.isArray(value)) return value.map((one) => written(sites, [...at, '*'], one, refTo));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) =>
      one === null || one === undefined ? [] : [[name, written(sites, [...at, name], one, refTo)]],
    ),
  );
}

/** Texts and lists that are empty say nothing, and left out they are left alone. */
export const isNoise = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0);
