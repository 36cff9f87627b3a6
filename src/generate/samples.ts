import type { AnyKind } from '../resource/index.ts';
import type { Manifest } from './crd.ts';
import { group, plural, version } from './names.ts';
import { yamlFile } from './yaml.ts';

type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What a kind's fixture shows: a name, a spec as a user writes it, and what that may name. */
export interface Sample {
  readonly name: string;
  readonly spec: Readonly<Record<string, unknown>>;
  /** What whoever applies it must know first. */
  readonly about?: string | undefined;
  /** Other objects, each the sample of its kind with a few fields changed, by name. */
  readonly needs?: Readonly<Record<string, { readonly kind: string; readonly spec?: Sample['spec'] }>> | undefined;
  /** By name and key. */
  readonly secrets?: Texts | undefined;
  readonly configMaps?: Texts | undefined;
}
export type Samples = Readonly<Record<string, Sample | undefined>>;

const folder = 'deploy/samples';
const secretWarning = 'Whoever reads this file knows the value: put another in its place before the first apply.';

/** One file for each kind, and for each object, Secret and ConfigMap that their specs name: the folder can be applied as it is. */
export function sampleFiles(kinds: readonly AnyKind[], samples: Samples): readonly (readonly [path: string, text: string])[] {
  const shown = kinds.flatMap((kind) => {
    const sample = samples[kind.kind];
    return sample === undefined ? [] : [{ kind, sample }];
  });
  const isShown = (kind: string, name: string): boolean => samples[kind]?.name === name;
  return [
    ...shown.map(
      ({ kind, sample }) => [`${folder}/${plural(kind.kind)}.yaml`, yamlFile([manifest(kind.kind, sample)], sample.about)] as const,
    ),
    ...shown.flatMap(({ sample }) =>
      Object.entries(sample.needs ?? {})
        .filter(([name, need]) => namesIn(sample.spec).has(name) && !isShown(need.kind, name))
        .map(([name, { kind, spec }]) => {
          const needed = { name, spec: { ...samples[kind]?.spec, ...spec } };
          return [`${folder}/${plural(kind)}-${name}.yaml`, yamlFile([manifest(kind, needed)])] as const;
        }),
    ),
    ...shown.flatMap(({ sample }) => [
      ...dataFiles('Secret', sample.secrets, sample, secretWarning),
      ...dataFiles('ConfigMap', sample.configMaps, sample),
    ]),
  ];
}

const manifest = (kind: string, { name, spec }: Pick<Sample, 'name' | 'spec'>): Manifest => ({
  apiVersion: `${group}/${version}`,
  kind,
  metadata: { name },
  spec,
});

/** kubectl takes files in the order of their names, and what is there first needs no wait. */
function dataFiles(kind: 'Secret' | 'ConfigMap', texts: Texts = {}, { spec }: Sample, about = ''): readonly (readonly [string, string])[] {
  const named = namesIn(spec);
  return Object.entries(texts)
    .filter(([name]) => named.has(name))
    .map(([name, data]) => {
      const keys = Object.fromEntries(Object.entries(data).filter(([key]) => named.get(name)?.has(key)));
      const body = kind === 'Secret' ? { stringData: keys } : { data: keys };
      const path = `${folder}/00-${kind.toLowerCase()}-${name}.yaml`;
      return [path, yamlFile([{ apiVersion: 'v1', kind, metadata: { name }, ...body }], about)] as const;
    });
}

/** Every `{name: ...}` of a spec, with the keys that are asked for there. */
function namesIn(value: unknown, found = new Map<string, Set<string>>()): ReadonlyMap<string, ReadonlySet<string>> {
  if (typeof value !== 'object' || value === null) return found;
  const { name, key } = value as { readonly name?: unknown; readonly key?: unknown };
  if (typeof name === 'string') found.set(name, new Set([...(found.get(name) ?? []), ...(typeof key === 'string' ? [key] : [])]));
  for (const inner of Object.values(value)) namesIn(inner, found);
  return found;
}
