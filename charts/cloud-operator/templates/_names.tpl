{{- define "cloud-operator.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end }}

{{- define "cloud-operator.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "cloud-operator.labels" -}}
{{ include "cloud-operator.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: {{ .Chart.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "cloud-operator.serviceAccountName" -}}
{{- .Values.serviceAccount.name | default (include "cloud-operator.fullname" .) -}}
{{- end }}

{{- define "cloud-operator.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end }}

{{- define "cloud-operator.subjects" -}}
- kind: ServiceAccount
  name: {{ include "cloud-operator.serviceAccountName" . }}
  namespace: {{ .Release.Namespace }}
{{- end }}

{{/* What a schema cannot say, or not in words that help. */}}
{{- define "cloud-operator.check" -}}
{{- if not .Values.endpoints -}}
{{- fail "endpoints: name at least one API, without which the operator does not start, for example --set endpoints[0].name=main,endpoints[0].url=https://api.example.com/v4" -}}
{{- end -}}
{{- $names := list -}}
{{- range .Values.endpoints -}}
{{- if has .name $names -}}
{{- fail (printf "endpoints: there are two called %s; CloudAccounts could not tell them apart" .name) -}}
{{- end -}}
{{- $names = append $names .name -}}
{{- end -}}
{{- if eq (.Values.image.tag | default "") "latest" -}}
{{- fail "image.tag: latest changes under its name, so that a restart could change the version; name a version, or set image.digest" -}}
{{- end -}}
{{- range .Values.extraEnv -}}
{{- if eq .name "NODE_OPTIONS" -}}
{{- fail "extraEnv: NODE_OPTIONS is set by the chart, with the heap that follows from resources.limits.memory; change that limit instead" -}}
{{- end -}}
{{- end -}}
{{- end }}
