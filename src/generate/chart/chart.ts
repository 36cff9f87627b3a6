import { type AnyKind, asConnection, withReferred } from '../../resource/index.ts';
import { customResourceDefinition } from '../crd.ts';
import { gesturePolicySpec, gestureRules } from './gestures.ts';
import { crdName, plural } from '../names.ts';
import { plannerPolicySpec, plannerRules } from './planner.ts';
import { keyPolicySpec, protectPolicySpec } from './policy.ts';
import {
  accountAdminRules,
  clusterRules,
  editRules,
  type NeededRule,
  objectRules,
  operateRules,
  ownRules,
  type Rule,
  secretRules,
  viewRules,
} from './rbac.ts';
import { generated, yaml } from '../yaml.ts';

const templates = 'charts/cloud-operator/templates';

/** The parts of the chart that follow from the kinds; the other templates include them by name. */
export const chartParts = (kinds: readonly AnyKind[]): readonly (readonly [string, string])[] => [
  [`${templates}/_generated.tpl`, partials(kinds)],
  ...kinds.map((kind) => [`${templates}/crds/${plural(kind.kind)}.yaml`, crdTemplate(kind)] as const),
];

const comment = `{{- /* ${generated} */ -}}\n`;

function partials(kinds: readonly AnyKind[]): string {
  const parts: Readonly<Record<string, string>> = {
    serves: serves(kinds),
    objectRules: rulesText(objectRules(kinds), kinds),
    secretRules: neededText(secretRules(kinds)),
    ownRules: yaml(ownRules('{{ include `cloud-operator.fullname` . }}')),
    clusterRules: rulesText(clusterRules(kinds), kinds),
    viewRules: rulesText(viewRules(kinds), kinds),
    editRules: rulesText(editRules(kinds), kinds),
    operateRules: rulesText(operateRules(kinds), kinds),
    accountAdminRules: rulesText(accountAdminRules(kinds), kinds),
    protectPolicySpec: chosen(yaml(protectPolicySpec(kinds)), kinds),
    keyPolicySpec: yaml(keyPolicySpec),
    gesturesPolicySpec: chosen(yaml(gesturePolicySpec(kinds)), kinds),
    gestureRules: rulesText(gestureRules(kinds), kinds),
    plannerPolicySpec: chosen(yaml(plannerPolicySpec(kinds)), kinds),
    plannerRules: rulesText(plannerRules(kinds), kinds),
  };
  const defined = Object.entries(parts).map(([name, part]) => `{{- define "cloud-operator.${name}" -}}\n${part}{{- end }}\n`);
  return `${comment}${defined.join('\n')}`;
}

/** A template and not a file of the folder `crds`, which Helm installs once and never upgrades. It stays when the release goes. */
function crdTemplate(kind: AnyKind): string {
  const { metadata, ...crd } = customResourceDefinition(kind);
  const annotations = { ...(metadata['annotations'] as object), 'helm.sh/resource-policy': 'keep' };
  const text = literal(yaml({ ...crd, metadata: { ...metadata, annotations } }));
  const wanted = isAlways(kind) ? '.Values.crds.install' : `and .Values.crds.install (${served(kind)})`;
  return `${comment}{{- if ${wanted} }}\n${text}{{- end }}\n`;
}

const literal = (text: string): string => text.replaceAll('{{', '{{ "{{" }}');

/** Nothing is done without an account. */
const isAlways = (kind: AnyKind): boolean => asConnection(kind) !== undefined;
const served = ({ kind }: AnyKind): string => `include "cloud-operator.serves" (list $ "${kind}")`;

/** Answers `yes` when the value `kinds` asks for this kind, or for one that can refer to it. Told a kind that there is not, it says which there are. */
function serves(kinds: readonly AnyKind[]): string {
  const brings = Object.fromEntries(kinds.map(({ kind }) => [kind, [...withReferred([kind], kinds)]]));
  return `{{- $kind := index . 1 -}}
{{- $kinds := (index . 0).Values.kinds -}}
{{- $brings := fromJson \`${JSON.stringify(brings)}\` -}}
{{- if not $kinds -}}yes{{- end -}}
{{- range $kinds -}}
{{- if not (hasKey $brings .) -}}
{{- fail (printf "kinds: there is no kind %s; there are %s" . (keys $brings | sortAlpha | join ", ")) -}}
{{- end -}}
{{- if has $kind (get $brings .) -}}yes{{- end -}}
{{- end -}}
`;
}

/** Rules of which those parts are left out that are about kinds which are not served. */
const rulesText = (rules: readonly Rule[], kinds: readonly AnyKind[]): string =>
  rules
    .map((rule) => {
      const text = chosen(yaml([rule]), kinds);
      const named = [...rule.resources, ...(rule.resourceNames ?? [])].map((name) => kindIn(name, kinds));
      // The API server refuses a rule for no resource at all, and takes one without a name as one for all names.
      return named.every((kind) => kind !== undefined && !isAlways(kind))
        ? `{{- if or ${named.flatMap((kind) => (kind === undefined ? [] : [`(${served(kind)})`])).join(' ')} }}\n${text}{{- end }}\n`
        : text;
    })
    .join('');

/** Each rule where one of those that need it is served. */
const neededText = (rules: readonly NeededRule[]): string =>
  rules
    .map(({ by, ...rule }) => {
      const text = yaml([rule]);
      return by.some(isAlways) ? text : `{{- if or ${by.map((kind) => `(${served(kind)})`).join(' ')} }}\n${text}{{- end }}\n`;
    })
    .join('');

const chosen = (text: string, kinds: readonly AnyKind[]): string =>
  text.replaceAll(/^ *- ([a-z.]+(?:\/status)?)\n/gm, (line, name: string) => {
    const kind = kindIn(name, kinds);
    return kind === undefined || isAlways(kind) ? line : `{{- if ${served(kind)} }}\n${line}{{- end }}\n`;
  });

/** The kind that a resource, its status or its CRD belongs to. */
const kindIn = (name: string, kinds: readonly AnyKind[]): AnyKind | undefined =>
  kinds.find((kind) => [plural(kind.kind), `${plural(kind.kind)}/status`, crdName(kind)].includes(name));
