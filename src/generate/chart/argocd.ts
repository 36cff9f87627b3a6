import type { AnyKind } from '../../resource/index.ts';
import type { Manifest } from '../crd.ts';
import { group } from '../names.ts';

/**
 * Argo CD's view of the table of states. The generation comes first: until the operator has looked at an edit,
 * what the conditions say is about the version before it.
 */
export const healthLua = `local status = obj.status or {}
if status.observedGeneration ~= obj.metadata.generation then
  return { status = "Progressing", message = "the operator has not looked at this version yet" }
end
local conditions = {}
for _, condition in ipairs(status.conditions or {}) do
  conditions[condition.type] = condition
end
local function is(kind, value)
  return conditions[kind] ~= nil and conditions[kind].status == value
end
local function because(reason)
  return conditions.Synced ~= nil and conditions.Synced.reason == reason
end
local function health(value, kind)
  return { status = value, message = conditions[kind] ~= nil and conditions[kind].message or "" }
end
if obj.metadata.deletionTimestamp ~= nil then
  return health("Progressing", "Synced")
end
if is("Stalled", "True") then
  return health("Degraded", "Stalled")
end
if because("Paused") or because("ApprovalRequired") then
  return health("Suspended", "Synced")
end
if is("Reconciling", "True") then
  return health("Progressing", "Reconciling")
end
if because("DriftReported") or because("Observed") or because("ReadOnly") then
  return health("Healthy", "Synced")
end
if is("Ready", "True") then
  return health("Healthy", "Ready")
end
return health("Progressing", "Ready")
`;

/** The part of Argo CD's own ConfigMap that makes it judge our kinds; merged into what is there, never replacing it. */
export const argocdHealth = (kinds: readonly AnyKind[]): Manifest => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'argocd-cm', namespace: 'argocd', labels: { 'app.kubernetes.io/part-of': 'argocd' } },
  data: Object.fromEntries(kinds.map(({ kind }) => [`resource.customizations.health.${group}_${kind}`, healthLua])),
});

export const argocdHeader = `Merge it into Argo CD's own settings:
  kubectl patch configmap argocd-cm --namespace argocd --patch-file deploy/argocd-health.yaml
A state "Suspended" (paused, or a change that waits for approval) holds up later sync waves.`;
