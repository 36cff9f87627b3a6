{{/* OpenShift gives each namespace a range of users and refuses any other. */}}
{{- define "cloud-operator.isOpenShift" -}}
{{- if eq (toString .Values.openshift) "auto" -}}
{{- if .Capabilities.APIVersions.Has "security.openshift.io/v1" -}}yes{{- end -}}
{{- else if .Values.openshift -}}yes
{{- end -}}
{{- end }}

{{- define "cloud-operator.podSecurityContext" -}}
{{- if include "cloud-operator.isOpenShift" . -}}
{{- omit .Values.podSecurityContext "runAsUser" "runAsGroup" "fsGroup" | toYaml -}}
{{- else -}}
{{- toYaml .Values.podSecurityContext -}}
{{- end -}}
{{- end }}

{{- define "cloud-operator.affinity" -}}
{{- if .Values.affinity -}}
{{- toYaml .Values.affinity -}}
{{- else -}}
podAntiAffinity:
  preferredDuringSchedulingIgnoredDuringExecution:
    - weight: 100
      podAffinityTerm:
        topologyKey: kubernetes.io/hostname
        labelSelector:
          matchLabels:
            {{- include "cloud-operator.selectorLabels" . | nindent 12 }}
{{- end -}}
{{- end }}

{{/* A constraint without a selector means these pods. */}}
{{- define "cloud-operator.topologySpreadConstraints" -}}
{{- $own := dict "labelSelector" (dict "matchLabels" (include "cloud-operator.selectorLabels" . | fromYaml)) -}}
{{- range .Values.topologySpreadConstraints }}
- {{- merge (dict) . $own | toYaml | nindent 2 }}
{{- end }}
{{- end }}
