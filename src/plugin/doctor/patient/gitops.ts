import { argocdActions } from '../../../generate/chart/argocd-actions.ts';
import { argocdHealth } from '../../../generate/chart/argocd.ts';
import { group, version } from '../../../generate/names.ts';
import { kubePath } from '../../../kube/http/client.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { collectionOf } from '../../cluster/reader.ts';
import { registry } from '../../command-line/kinds.ts';
import type { Asked } from './asked.ts';

/** An object with what the reflector leaves out: who wrote what. */
export interface Written {
  readonly kind: string;
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly managedFields?: readonly { readonly manager?: string; readonly fieldsV1?: Fields }[];
  };
}
interface Fields {
  readonly 'f:metadata'?: { readonly 'f:annotations'?: Readonly<Record<string, unknown>> };
}
interface Kustomization {
  readonly spec?: {
    readonly wait?: boolean;
    readonly healthCheckExprs?: readonly { readonly apiVersion?: string; readonly kind?: string }[];
  };
}
export interface Application {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec?: {
    readonly syncPolicy?: { readonly syncOptions?: readonly string[] };
    readonly ignoreDifferences?: readonly {
      readonly group?: string;
      readonly kind?: string;
      readonly jsonPointers?: readonly string[];
      readonly jqPathExpressions?: readonly string[];
    }[];
  };
}

/** What Flux and Argo CD do with the objects. */
export interface GitOps {
  readonly objects: readonly Written[];
  /** Data of `argocd-cm`; undefined where there is none, or not for the caller to see. */
  readonly argo: Readonly<Record<string, string>> | undefined;
  readonly applications: readonly Application[];
  /** By `namespace/name`, of those that applied something here. */
  readonly kustomizations: ReadonlyMap<string, Kustomization>;
}

const argoNamespace = 'argocd';

export async function gitOpsOf(asked: Asked, objects: readonly Resource[], namespace: string | undefined): Promise<GitOps> {
  const kinds = [...new Set(objects.map(({ kind }) => kind))];
  const lists = await Promise.all(kinds.map((kind) => written(asked, kind, namespace)));
  const all = lists.flat();
  const names = [...new Set(all.flatMap((object) => fluxOf(object) ?? []))];
  const kustomizations = await Promise.all(names.map(async (name) => [name, await kustomization(asked, name)] as const));
  const argo = (await asked.get(
    kubePath('api', 'v1', 'namespaces', argoNamespace, 'configmaps', 'argocd-cm'),
    `get configmaps in namespace ${argoNamespace}`,
  )) as { readonly data?: Readonly<Record<string, string>> } | undefined;
  const { items = [] } = ((await asked.get(
    `/apis/argoproj.io/v1alpha1/namespaces/${argoNamespace}/applications`,
    `list applications.argoproj.io in namespace ${argoNamespace}`,
  )) ?? {}) as { readonly items?: readonly Application[] };
  return {
    objects: all,
    argo: argo && (argo.data ?? {}),
    applications: items,
    kustomizations: new Map(kustomizations.flatMap(([name, one]) => (one === undefined ? [] : [[name, one] as const]))),
  };
}

async function written(asked: Asked, kind: string, namespace: string | undefined): Promise<readonly Written[]> {
  const path = collectionOf(registry.kind(kind), namespace);
  const all: Written[] = [];
  let next: string | undefined;
  do {
    const query: string = next === undefined ? 'limit=500' : `limit=500&continue=${encodeURIComponent(next)}`;
    const page = ((await asked.get(`${path}?${query}`, `list ${kind}`)) ?? {}) as {
      readonly items?: readonly Written[];
      readonly metadata?: { readonly continue?: string };
    };
    all.push(...(page.items ?? []).map((item) => ({ ...item, kind })));
    next = page.metadata?.continue === '' ? undefined : page.metadata?.continue;
  } while (next !== undefined);
  return all;
}

const flux = 'kustomize.toolkit.fluxcd.io';
/** `namespace/name` of the Kustomization that applied it. */
export function fluxOf({ metadata: { labels = {} } }: Written): string | undefined {
  const [namespace, name] = [labels[`${flux}/namespace`], labels[`${flux}/name`]];
  return namespace === undefined || name === undefined ? undefined : `${namespace}/${name}`;
}

const kustomization = async (asked: Asked, id: string): Promise<Kustomization | undefined> => {
  const [namespace = '', name = ''] = id.split('/');
  const path = `/apis/${flux}/v1/namespaces/${namespace}/kustomizations/${name}`;
  return (await asked.get(path, `get kustomizations.${flux} in namespace ${namespace}`)) as Kustomization | undefined;
};

/** Keys of Argo CD's settings that lack, or are of another release. */
export function argoLacks({ argo, objects }: GitOps): { readonly missing: readonly string[]; readonly other: readonly string[] } {
  const kinds = registry.kinds.filter(({ kind }) => objects.some((object) => object.kind === kind));
  const data = [argocdHealth(kinds), argocdActions(kinds)].map((one) => one['data'] as Readonly<Record<string, string>>);
  const wanted = data.flatMap((one) => Object.entries(one));
  const differ = wanted.filter(([key, value]) => argo?.[key]?.trim() !== value.trim()).map(([key]) => key);
  return { missing: differ.filter((key) => argo?.[key] === undefined), other: differ.filter((key) => argo?.[key] !== undefined) };
}

/** Kinds that a Kustomization waits for without knowing when they are ready. */
export function waitsBlindly({ objects, kustomizations }: GitOps): readonly (readonly [string, readonly string[]])[] {
  return [...kustomizations].flatMap(([name, { spec = {} }]) => {
    if (spec.wait !== true) return [];
    const known = (spec.healthCheckExprs ?? []).filter(({ apiVersion }) => apiVersion === `${group}/${version}`).map(({ kind }) => kind);
    const kinds = [...new Set(objects.filter((object) => fluxOf(object) === name).map(({ kind }) => kind))].filter(
      (kind) => !known.includes(kind),
    );
    return kinds.length === 0 ? [] : [[name, kinds] as const];
  });
}

/** Annotations of ours that kubectl wrote, which Flux takes away. */
export const byKubectl = ({ metadata: { managedFields = [] } }: Written): readonly string[] =>
  managedFields
    .filter(({ manager = '' }) => manager.startsWith('kubectl'))
    .flatMap(({ fieldsV1 }) => Object.keys(fieldsV1?.['f:metadata']?.['f:annotations'] ?? {}))
    .filter((field) => field.startsWith(`f:${group}/`))
    .map((field) => field.slice(2));

/** Why what is applied replaces objects in place of changing them: then they are deleted, and what they stand for with them. */
export function replaces({ metadata: { annotations = {} } }: Written): string | undefined {
  if (annotations['argocd.argoproj.io/sync-options']?.split(',').some(isReplace) === true)
    return 'argocd.argoproj.io/sync-options: Replace=true';
  return annotations[`${flux}/force`]?.toLowerCase() === 'enabled' ? `${flux}/force: enabled` : undefined;
}
const isReplace = (option: string): boolean => option.trim() === 'Replace=true';
export const applicationReplaces = ({ spec }: Application): boolean => spec?.syncPolicy?.syncOptions?.some(isReplace) === true;
/** Fields of specs of ours whose edits it never applies. */
export const hides = ({ spec }: Application): readonly string[] =>
  (spec?.ignoreDifferences ?? [])
    .filter((one) => one.group === group || one.group === '*')
    .flatMap(({ kind = '*', jsonPointers = [], jqPathExpressions = [] }) =>
      [...jsonPointers.filter((one) => one.startsWith('/spec')), ...jqPathExpressions.filter((one) => one.startsWith('.spec'))].map(
        (one) => `${kind} ${one}`,
      ),
    );
