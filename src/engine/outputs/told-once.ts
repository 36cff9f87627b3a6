import { type AnyKind, type AnyWant, digest, isGiven, type Row } from '../../resource/index.ts';
import type { Identity } from '../model/identity.ts';

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

/** On the Secret: of which remote it tells. */
export const toldOf = ({ account, path }: Pick<Identity, 'account' | 'path'>): string => digest(`${account}${path}`);
