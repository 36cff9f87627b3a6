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

/**
 * Label of the Secret: of which remote it tells. An address to which the operator sends something is signed there besides, because
 * whoever may write Secrets could have it send anywhere else.
 */
export function toldOf({ kind, object, key, name }: Teller, of: Of, told: Told): string {
  const which = digest(`${of.account}${of.path}`);
  return transferOf(kind, object.spec) === undefined ? which : `${which}.${key.mac(name, signedText(of, told))}`;
}

/** Whether a Secret with this label and these texts is what was written then, under whatever key. */
export function isToldOf(
  { kind, object, key, name }: Teller,
  of: Of,
  { told, as = '' }: { readonly told: Told; readonly as?: string | undefined },
): boolean {
  const [which, mac = ''] = as.split('.');
  if (which !== digest(`${of.account}${of.path}`)) return false;
  return transferOf(kind, object.spec) === undefined || key.signed(name, signedText(of, told), mac);
}
const signedText = ({ account, path }: Of, told: Told): string => ['told', `${account}${path}`, ...Object.entries(told).flat()].join('\0');
