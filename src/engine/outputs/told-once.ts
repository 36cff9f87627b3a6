import { type AnyKind, type AnyWant, digest, type Row } from '../../resource/index.ts';
import type { Identity } from '../model/identity.ts';

/** By the name of the output, in clear. */
export type Told = Readonly<Record<string, string>>;

const once = ({ outputs = {} }: Pick<AnyKind, 'outputs'>) =>
  Object.entries(outputs).flatMap(([name, { toldOnce, of }]) => (toldOnce === undefined ? [] : [{ name, field: toldOnce, of }]));

export const namesToldOnce = (kind: AnyKind): readonly string[] => once(kind).map(({ name }) => name);

/** Whether this answer tells all of it. */
export const tellsAll = (kind: AnyKind, answer: Row, want: AnyWant): boolean =>
  once(kind).every(({ of }) => typeof of(answer, want) === 'string');

/** The answer as it may be remembered. */
export function withoutTold(kind: AnyKind, answer: Row): Row {
  const fields = new Set<string>(once(kind).map(({ field }) => field));
  return fields.size === 0 ? answer : Object.fromEntries(Object.entries(answer).filter(([field]) => !fields.has(field)));
}

/** On the Secret: of which remote it tells. */
export const toldOf = ({ account, path }: Pick<Identity, 'account' | 'path'>): string => digest(`${account}${path}`);
