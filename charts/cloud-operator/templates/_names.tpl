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
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* With further ones, which may repeat a common label. */}}
{{- define "cloud-operator.labelsWith" -}}
{{- merge (dict) (index . 1) (include "cloud-operator.labels" (index . 0) | fromYaml) | toYaml -}}
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

{{/* A tag may be moved to another image, a digest cannot: what is there already need not be asked for again. */}}
{{- define "cloud-operator.pullPolicy" -}}
{{- .Values.image.pullPolicy | default (ternary "IfNotPresent" "Always" (not (empty .Values.image.digest))) -}}
{{- end }}

{{- define "cloud-operator.subjects" -}}
- kind: ServiceAccount
  name: {{ include "cloud-operator.serviceAccountName" . }}
  namespace: {{ .Release.Namespace }}
{{- end }}

{{/* What a schema cannot say, or not in words that help. */}}
{{- define "cloud-operator.check" -}}
{{- if not .Values.endpoints -}}
{{- fail "endpoints: name at least one API, without which the operator does not start, for example --set 'endpoints[0].name=main,endpoints[0].url=https://api.example.com/v4'" -}}
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
{{- range $from := list "commonLabels" "podLabels" -}}
{{- range $label, $value := get $.Values $from -}}
{{- if or (hasPrefix "app.kubernetes.io/" $label) (eq $label "helm.sh/chart") -}}
{{- fail (printf "%s: %s is set by the chart, which finds its own objects by it; take another name" $from $label) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and (eq .Values.secrets.mode "Namespaces") (not .Values.secrets.namespaces) -}}
{{- fail "secrets.namespaces: with secrets.mode Namespaces, name those whose Secrets the operator may read: at least the ones with the token of a CloudAccount" -}}
{{- end -}}
{{- if and (eq .Values.secrets.mode "Cluster") .Values.secrets.namespaces -}}
{{- fail "secrets.namespaces: it narrows nothing while secrets.mode is Cluster; set secrets.mode to Namespaces" -}}
{{- end -}}
{{- range .Values.secrets.namespaces -}}
{{- if and $.Values.watchNamespaces (not (has . $.Values.watchNamespaces)) -}}
{{- fail (printf "secrets.namespaces: %s is not among watchNamespaces, so that nothing in it needs a Secret" .) -}}
{{- end -}}
{{- end -}}
{{- range .Values.extraVolumes -}}
{{- if or (eq .name "token") (hasPrefix "ca-" .name) -}}
{{- fail (printf "extraVolumes: the name %s is taken by the chart; take another" .name) -}}
{{- end -}}
{{- end -}}
{{- range .Values.extraEnv -}}
{{- if eq .name "NODE_OPTIONS" -}}
{{- fail "extraEnv: NODE_OPTIONS is set by the chart, with the heap that follows from resources.limits.memory; change that limit instead" -}}
{{- end -}}
{{- end -}}
{{- end }}
