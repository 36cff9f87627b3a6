import { stringify } from 'yaml';
import type { AnyKind } from '../../resource/index.ts';
import type { Manifest } from '../crd.ts';
import { group } from '../names.ts';

/** What each action needs to know of an object. */
const facts = `local annotations = obj.metadata.annotations or {}
local status = obj.status or {}
local plan = status.plan or {}
local asks = false
for _, condition in ipairs(status.conditions or {}) do
  asks = asks or (condition.type == "Synced" and condition.reason == "ApprovalRequired")
end
local paused = status.paused ~= nil or (annotations["${group}/pause"] ~= nil and annotations["${group}/pause"] ~= "false")
`;

/** Which actions Argo CD offers: those that would change something now. */
export const discoveryLua = `${facts}local actions = {}
actions["approve"] = { ["disabled"] = not (asks and plan.hash ~= nil and plan.approved == nil) }
actions["pause"] = { ["disabled"] = paused }
actions["resume"] = { ["disabled"] = not paused }
actions["reconcile"] = { ["disabled"] = paused }
return actions
`;

const change = `local os = require("os")
local now = os.date("!%Y-%m-%dT%H:%M:%SZ")
if obj.metadata.annotations == nil then
  obj.metadata.annotations = {}
end
local annotations = obj.metadata.annotations
`;

/** Each writes the annotation that people write; a pause that was noted with an end is over by `resume` alone. */
export const actionsLua: Readonly<Record<string, string>> = {
  approve: `${change}annotations["${group}/approve"] = obj.status.plan.hash
return obj
`,
  pause: `${change}annotations["${group}/pause"] = "true"
return obj
`,
  resume: `${change}annotations["${group}/pause"] = nil
if obj.status ~= nil and obj.status.paused ~= nil then
  annotations["${group}/resume"] = now
end
return obj
`,
  reconcile: `${change}annotations["${group}/reconcile-at"] = now
return obj
`,
};

const script = stringify(
  {
    'discovery.lua': discoveryLua,
    definitions: Object.entries(actionsLua).map(([name, lua]) => ({ name, 'action.lua': lua })),
  },
  { lineWidth: 0 },
);

/** Buttons in Argo CD for what else needs a shell; merged into its own ConfigMap, never replacing it. */
export const argocdActions = (kinds: readonly AnyKind[]): Manifest => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'argocd-cm', namespace: 'argocd', labels: { 'app.kubernetes.io/part-of': 'argocd' } },
  data: Object.fromEntries(kinds.map(({ kind }) => [`resource.customizations.actions.${group}_${kind}`, script])),
});

export const argocdActionsHeader = `Merge it into Argo CD's own settings:
  kubectl patch configmap argocd-cm --namespace argocd --patch-file deploy/argocd-actions.yaml
Who may press which is a right of its own in argocd-rbac-cm, for example
  p, role:approvers, applications, action/${group}/*/approve, shop/*, allow`;
