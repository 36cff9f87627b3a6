import * as z from 'zod';
import { type AnyKind, dataKey, isGiven, isTemplate, objectName } from '../../resource/index.ts';
import type { Resource } from '../ports/index.ts';

/** A Secret or a ConfigMap that receives outputs. */
export interface OutputTarget {
  readonly is: 'Secret' | 'ConfigMap';
  readonly name: string;
  /** Of the spec, that names it. */
  readonly field: 'secretName' | 'outputs';
  /** What stands under which key: the name of an output, or text with such names in braces. */
  readonly keys: Readonly<Record<string, string>>;
}
/** As status lists them. */
export type ListedTarget = Pick<OutputTarget, 'is' | 'name'>;

const asked = z.object({
  configMapName: objectName().optional(),
  secretName: objectName().optional(),
  // `__proto__` would be left out without a word.
  keys: z.custom<object>((keys) => !Object.hasOwn(keys as object, '__proto__')).pipe(z.record(dataKey(), z.string())),
});
type Asked = z.output<typeof asked>;

/** As much of an object as says where its outputs go. */
interface Wished {
  readonly spec: Resource['spec'];
  readonly metadata: Pick<Resource['metadata'], 'name'>;
}

/** Everything that the object's outputs go to; undefined where that cannot be read, because it is older than the rules of admission. */
export function outputTargets(kind: AnyKind, { spec, metadata }: Wished): readonly OutputTarget[] | undefined {
  if (kind.outputs === undefined) return [];
  const given = Object.fromEntries(Object.entries(kind.outputs).filter(([, output]) => isGiven(output, spec)));
  const whole = Object.values(given).some(({ secret }) => secret)
    ? [{ is: 'Secret' as const, name: secretName(kind, spec, metadata.name), field: 'secretName' as const, keys: everything(given) }]
    : [];
  if (spec['outputs'] === undefined) return whole;
  const { data } = z.array(asked).safeParse(spec['outputs']);
  return data && [...whole, ...data.map(({ keys, ...to }) => ({ ...place(to), field: 'outputs' as const, keys }))];
}
/** The Secret with everything that the object gives out. */
export const wholeTarget = (kind: AnyKind, object: Wished): OutputTarget | undefined => outputTargets(kind, object)?.find(isWhole);
export const isWhole = ({ field }: OutputTarget): boolean => field === 'secretName';

const secretName = (kind: AnyKind, { secretName: chosen }: Resource['spec'], name: string): string =>
  typeof chosen === 'string' ? chosen : usualSecret(kind, name);
/** Where the spec names none. */
export const usualSecret = ({ shortName }: AnyKind, name: string): string => `${name}-${shortName}`;
const everything = (outputs: object): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(outputs).map((name) => [name, name]));
const place = ({ configMapName, secretName = '' }: Pick<Asked, 'configMapName' | 'secretName'>): ListedTarget =>
  configMapName === undefined ? { is: 'Secret', name: secretName } : { is: 'ConfigMap', name: configMapName };

const listed = z.array(z.object({ kind: z.enum(['Secret', 'ConfigMap']), name: objectName() }));
/** What it wrote to so far. */
export function listedTargets({ status }: Resource): readonly ListedTarget[] {
  const { data = [] } = listed.safeParse(status?.['outputs'] ?? []);
  return data.map(({ kind, name }) => ({ is: kind, name }));
}

/** It writes, or once wrote, what must be looked after. */
export const givesOut = (kind: AnyKind, object: Resource): boolean =>
  kind.outputs !== undefined && (outputTargets(kind, object)?.length !== 0 || listedTargets(object).length > 0);

/** What admission says too; an object may be older than what its kind gives out today. */
export function wrongKeys({ outputs = {} }: AnyKind, { is, keys }: OutputTarget): readonly string[] {
  const names = Object.keys(outputs).filter((name) => is === 'Secret' || !outputs[name]?.secret);
  return Object.entries(keys).flatMap(([key, template]) => (isTemplate(template, new Set(names)) ? [] : [key]));
}

export const isSameTarget = (a: ListedTarget, b: ListedTarget): boolean => a.is === b.is && a.name === b.name;
