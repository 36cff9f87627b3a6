import { accountKey } from '../../engine/model/account.ts';
import type { Registry } from '../../engine/model/kind-registry.ts';
import type { Key, Resource } from '../../engine/ports/kubernetes.ts';
import type { Row } from '../../resource/index.ts';
import { registry } from '../command-line/kinds.ts';

/** One thing that a spec names. `field`: where, as in `spec.interfaces[0].subnetRef`. */
export type Link = { readonly field: string } & (
  | { readonly is: 'object'; readonly kind: string; readonly key: Key }
  | { readonly is: 'selector'; readonly kind: string; readonly namespace: string; readonly labels: Readonly<Record<string, string>> }
  | { readonly is: 'external'; readonly kind: string; readonly id: string }
  | { readonly is: 'data'; readonly kind: 'Secret' | 'ConfigMap'; readonly name: string; readonly key: string }
);

type ReferenceSite = ReturnType<Registry['sites']>[number];

/** Everything that an object refers to, at the places that its kind marks; its account apart. */
export const linksOf = (object: Resource): readonly Link[] =>
  registry
    .sites(object.kind)
    .flatMap((site) => valuesAt(object.spec, site.at).flatMap(({ value, trail }) => link(object, site, value as Row, trail)));

function link({ metadata: { namespace } }: Resource, { what }: ReferenceSite, value: Row, field: string): readonly Link[] {
  switch (what.is) {
    case 'ref':
      return reference(what.target.kind, value, namespace, field);
    case 'output':
      return reference(what.kind, value[what.output.ref] as Row, namespace, field);
    case 'selector':
      return [
        { is: 'selector', field, kind: what.kind, namespace, labels: (value['matchLabels'] ?? {}) as Readonly<Record<string, string>> },
      ];
    case 'secret':
      return [{ is: 'data', kind: 'Secret', field, ...dataKeyOf(value) }];
    case 'configMap':
      return [{ is: 'data', kind: 'ConfigMap', field, ...dataKeyOf(value) }];
    case 'prefixedId':
    case 'text':
    case 'accountId':
      return [];
  }
}

const dataKeyOf = ({ name, key }: Row): { readonly name: string; readonly key: string } => ({ name: String(name), key: String(key) });

function reference(kind: string, value: Row, here: string, field: string): readonly Link[] {
  const { name, namespace = here, external } = value as { name?: string; namespace?: string; external?: string | number };
  if (name !== undefined) return [{ is: 'object', field, kind, key: { namespace, name } }];
  return external === undefined ? [] : [{ is: 'external', field, kind, id: String(external) }];
}

interface Place {
  readonly value: unknown;
  readonly trail: string;
}
function valuesAt(spec: Row, at: readonly string[]): readonly Place[] {
  return at.reduce<readonly Place[]>((places, step) => places.flatMap((place) => below(place, step)), [{ value: spec, trail: 'spec' }]);
}

function below({ value, trail }: Place, step: string): readonly Place[] {
  if (step === '*') return Array.isArray(value) ? value.map((one: unknown, index) => ({ value: one, trail: `${trail}[${index}]` })) : [];
  const inner = (value as Row | undefined)?.[step];
  return inner === undefined || inner === null ? [] : [{ value: inner, trail: `${trail}.${step}` }];
}

/** The account that an object belongs to; undefined for an account. */
export const accountOf = (object: Resource): Key | undefined => (object.kind === registry.connection.kind ? undefined : accountKey(object));

export const selects = ({ labels, namespace, kind }: Extract<Link, { is: 'selector' }>, object: Resource): boolean =>
  object.kind === kind &&
  object.metadata.namespace === namespace &&
  Object.entries(labels).every(([name, value]) => object.metadata.labels?.[name] === value);
