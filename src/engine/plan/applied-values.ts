import { type AnyKind, type AnyRule, type AnyWant, asCollection, type Row } from '../../resource/index.ts';
import { remotesBefore } from '../model/annotations.ts';
import type { InstallationKey } from '../model/identity.ts';
import type { BoundRemote, Difference } from '../model/step.ts';
import type { Resource } from '../ports/index.ts';

/** Whose values were applied, and the key that they are remembered with. */
interface Keeper {
  readonly kind: AnyKind;
  readonly key: InstallationKey;
  readonly object: Resource;
}
/** See memory/applied-before.ts. */
interface AppliedBefore {
  readonly uid: string;
  readonly applied: Row;
  readonly remotesBefore: number;
}
type Remembered = Readonly<Record<string, string>>;

export const rememberedOf = ({ status }: Resource): Remembered => (status?.['applied'] ?? {}) as Remembered;

/** In place of an HMAC: the spec did not name it, so what it comes to name is an edit, and is sent. */
const notNamed = 'none';

/** What was sent was applied: status remembers it as an HMAC, so that only a rotated value is applied again. The fields of status that say so. */
export function appliedValues({ kind, key, object }: Keeper, want: AnyWant, only?: readonly string[]): { readonly applied?: Row } {
  const applied = Object.fromEntries(
    Object.entries(kind.fields).flatMap(([field, rule]) => {
      const value = want[field];
      if (rule.applied !== true || only?.includes(field) === false) return [];
      if (value !== undefined) return [[field, key.remember(object.metadata.uid, field, value)]];
      // Right after a create what was sent is noted alone, and soon: that may wait.
      return only === undefined || mayClear(rule) || object.spec[field] !== undefined ? [] : [[field, notNamed]];
    }),
  );
  return Object.keys(applied).length > 0 ? { applied: { ...rememberedOf(object), ...applied } } : {};
}

/** Whether this value was applied already; undefined when nothing is remembered. */
export function wasApplied({ key, object }: Keeper, field: string, value: unknown): boolean | undefined {
  const as = rememberedOf(object)[field];
  return as === undefined ? undefined : as !== notNamed && key.remembers(object.metadata.uid, field, { value, as });
}

/**
 * What an object that had this remote before has applied to it, in the words of this one: a value that is another by now does not fit,
 * and is applied. What that one surely sent counts as sent by this one, so that it is taken away where its spec drops it.
 */
export function takenUp(keeper: Keeper, { want, ...present }: BoundRemote, before: AppliedBefore): Row {
  const { kind, key, object } = keeper;
  const { uid, applied } = before;
  const own = rememberedOf(object);
  return Object.fromEntries(
    Object.entries(kind.fields).flatMap(([field, rule]) => {
      const [value, as] = [want[field], applied[field]];
      if (rule.applied !== true || value === undefined || typeof as !== 'string' || own[field] !== undefined) return [];
      const mark = mayClear(rule) && hasMark(key, before, field, thisOne(kind, present, before.remotesBefore));
      return [
        [field, key.remembers(uid, field, { value, as }) ? key.remember(object.metadata.uid, field, value) : as],
        ...(mark ? [[sent(field), markOf(keeper, field, present)]] : []),
      ];
    }),
  );
}

const mayClear = ({ applied, unset }: AnyRule): boolean => applied === true && unset === 'clear';
/** That it was we who put it there, beside what was put there. */
const sent = (field: string): string => `${field}.sent`;
/** Another one that comes to be at the path of a remote is not it, whoever made that. */
function thisOne(kind: AnyKind, { identity, remote }: Where, before: number): string {
  const { createdAt = '' } = asCollection(kind) ?? {};
  return [identity.path, String(before), String(remote[createdAt] ?? '')].join(' ');
}
type Where = Pick<BoundRemote, 'identity' | 'remote'>;

const markOf = ({ kind, key, object }: Keeper, field: string, present: Where): string =>
  key.remember(object.metadata.uid, sent(field), thisOne(kind, present, remotesBefore(object)));
function hasMark(key: InstallationKey, { uid, applied }: Pick<AppliedBefore, 'uid' | 'applied'>, field: string, value: string): boolean {
  const as = applied[sent(field)];
  return typeof as === 'string' && key.remembers(uid, sent(field), { value, as });
}

/** This operator has put it into this very remote, so that it is taken away where the spec drops it. */
export function wasSent({ kind, key, object }: Keeper, field: string, present: Where): boolean {
  const own = { uid: object.metadata.uid, applied: rememberedOf(object) };
  return hasMark(key, own, field, thisOne(kind, present, remotesBefore(object)));
}

/** The same fields of status once these changes were answered: what was sent, and nothing of what was taken away. */
export function appliedBy(keeper: Keeper, changes: readonly Difference[], present: BoundRemote): { readonly applied?: Row | undefined } {
  const { object } = keeper;
  const names = changes.map(({ field }) => field);
  const cleared = changes.filter(({ rule }) => mayClear(rule));
  const values = appliedValues(keeper, present.want, names);
  if (cleared.length === 0) return values;
  const gone = cleared.filter((one) => one.want === undefined).flatMap(({ field }) => [field, sent(field)]);
  const put = cleared.filter((one) => one.want !== undefined).map(({ field }) => field);
  const marks = Object.fromEntries(put.map((field) => [sent(field), markOf(keeper, field, present)]));
  return without({ ...rememberedOf(object), ...values.applied, ...marks }, gone);
}

/** What the account shows to be gone, and nobody wants any more, is forgotten: what comes there later is somebody else's. */
export function forgetCleared({ kind, object }: Keeper, want: AnyWant, remote: Row): { readonly applied?: Row | undefined } {
  const known = rememberedOf(object);
  const gone = Object.entries(kind.fields).flatMap(([field, rule]) => {
    const isKnown = known[field] !== undefined || known[sent(field)] !== undefined;
    return isKnown && mayClear(rule) && want[field] === undefined && rule.read?.(remote, want) === null ? [field, sent(field)] : [];
  });
  return gone.length === 0 ? {} : without(known, gone);
}

function without(all: Row, names: readonly string[]): { readonly applied: Row | undefined } {
  const left = Object.entries(all).filter(([name]) => !names.includes(name));
  return { applied: left.length === 0 ? undefined : Object.fromEntries(left) };
}
