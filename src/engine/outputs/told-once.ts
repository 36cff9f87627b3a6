import type { Millis } from '../../lib/clock.ts';
import { readTime } from '../../lib/utc-time.ts';
import { type AnyKind, type AnyWant, digest, isGiven, type Row, transferOf } from '../../resource/index.ts';
import type { Identity, InstallationKey, ObjectName } from '../model/identity.ts';
import type { Resource } from '../ports/index.ts';

/** By the name of the output, in clear. */
export type Told = Readonly<Record<string, string>>;

const once = ({ outputs = {} }: Pick<AnyKind, 'outputs'>) =>
  Object.entries(outputs).flatMap(([name, { toldOnce, ...output }]) =>
    toldOnce === undefined ? [] : [{ ...output, name, field: toldOnce }],
  );
const onceOf = (kind: AnyKind, spec: Row) => once(kind).filter((output) => isGiven(output, spec));

export const namesToldOnce = (kind: AnyKind, spec: Row): readonly string[] => onceOf(kind, spec).map(({ name }) => name);

/** It has served its purpose: none of it is given out any more, and nobody misses it. */
export const isSpent = (kind: AnyKind, spec: Row, values: Readonly<Record<string, string | null | undefined>>): boolean =>
  namesToldOnce(kind, spec).every((name) => values[name] === null);

/** Whether this answer tells all of it. */
export const tellsAll = (kind: AnyKind, answer: Row, want: AnyWant): boolean =>
  onceOf(kind, want).every(({ of }) => typeof of(answer, want) === 'string');

/** The answer as it may be remembered. */
export function withoutTold(kind: AnyKind, answer: Row): Row {
  const fields = new Set<string>(once(kind).map(({ field }) => field));
  return fields.size === 0 ? answer : Object.fromEntries(Object.entries(answer).filter(([field]) => !fields.has(field)));
}

interface Teller {
  readonly kind: AnyKind;
  readonly object: Resource;
  readonly key: InstallationKey;
  readonly name: ObjectName;
}
type Of = Pick<Identity, 'account' | 'path'>;

/** What one Secret holds of it. `resetAt`: as `status.resetting` noted the reset that told it; undefined where a create told it. */
export interface Kept {
  readonly told: Told;
  readonly resetAt?: Millis | undefined;
}

/**
 * Label of the Secret: of which remote it tells, and a sum of what it told, so that a value that somebody writes there is seen, and of
 * which reset. The sum needs no key, as what a backup brings into a cluster without its key is still of use. An address to which the
 * operator sends something is signed instead, because whoever may write Secrets could have it send anywhere else.
 */
export function toldOf({ kind, object, key, name }: Teller, of: Of, { told, resetAt }: Kept): string {
  const text = signedText(of, told);
  const sum = transferOf(kind, object.spec) === undefined ? digest(text) : key.mac(name, text);
  return [digest(`${of.account}${of.path}`), sum, ...(resetAt === undefined ? [] : [resetAt])].join('.');
}

/** What a Secret with this label holds of this remote; undefined where these texts are not what was written then, under whatever key. */
export function keptAs({ kind, object, key, name }: Teller, of: Of, told: Told, label = ''): Kept | undefined {
  if (!isOf(of, label)) return undefined;
  const [, sum, resetAt] = label.split('.');
  const text = signedText(of, told);
  const isSame = transferOf(kind, object.spec) === undefined ? [undefined, digest(text)].includes(sum) : key.signed(name, text, sum ?? '');
  return isSame ? { told, resetAt: resetAt === undefined ? undefined : Number(resetAt) } : undefined;
}

/** Whether it was written for this remote, whatever stands there by now. */
export const isOf = ({ account, path }: Of, label = ''): boolean => label.split('.')[0] === digest(`${account}${path}`);

/** When the last reset of this remote was, as far as status knows, which shows whole seconds. */
export const lastReset = ({ object: { status = {} } }: Pick<Teller, 'object'>, { path }: Pick<Of, 'path'>): Millis | undefined =>
  status['path'] === path ? readTime(String(status['resetAt'])) : undefined;

/** A reset since has made it void: a backup or a Git tool put an older one back. */
export const isVoid = (teller: Pick<Teller, 'object'>, of: Of, { resetAt = 0 }: Kept): boolean => resetAt < (lastReset(teller, of) ?? 0);

const signedText = ({ account, path }: Of, told: Told): string => ['told', `${account}${path}`, ...Object.entries(told).flat()].join('\0');
