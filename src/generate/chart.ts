import type { AnyKind } from '../resource/index.ts';
import { customResourceDefinition } from './crd.ts';
import { plural } from './names.ts';
import { protectPolicySpec } from './policy.ts';
import { accountAdminRules, clusterRules, editRules, objectRules, ownRules, viewRules } from './rbac.ts';
import { generated, yaml } from './yaml.ts';

const templates = 'charts/cloud-operator/templates';

/** The parts of the chart that follow from the kinds; the other templates include them by name. */
export const chartParts = (kinds: readonly AnyKind[]): readonly (readonly [string, string])[] => [
  [`${templates}/_generated.tpl`, partials(kinds)],
  ...kinds.map((kind) => [`${templates}/crds/${plural(kind.kind)}.yaml`, crdTemplate(kind)] as const),
];

const comment = `{{- /* ${generated} */ -}}\n`;

function partials(kinds: readonly AnyKind[]): string {
  const parts: Readonly<Record<string, unknown>> = {
    objectRules: objectRules(kinds),
    ownRules: ownRules('{{ include `cloud-operator.fullname` . }}'),
    clusterRules: clusterRules(kinds),
    viewRules: viewRules(kinds),
    editRules: editRules(kinds),
    accountAdminRules: accountAdminRules(kinds),
    protectPolicySpec: protectPolicySpec(kinds),
  };
  const defined = Object.entries(parts).map(([name, part]) => `{{- define "cloud-operator.${name}" -}}\n${yaml(part)}{{- end }}\n`);
  return `${comment}${defined.join('\n')}`;
}

/** A template and not a file of the folder `crds`, which Helm installs once and never upgrades. It stays when the release goes. */
function crdTemplate(kind: AnyKind): string {
  const { metadata, ...crd } = customResourceDefinition(kind);
  const annotations = { ...(metadata['annotations'] as object), 'helm.sh/resource-policy': 'keep' };
  const text = yaml({ ...crd, metadata: { ...metadata, annotations } });
  return `${comment}{{- if .Values.crds.install }}\n${literal(text)}{{- end }}\n`;
}

const literal = (text: string): string => text.replaceAll('{{', '{{ "{{" }}');
