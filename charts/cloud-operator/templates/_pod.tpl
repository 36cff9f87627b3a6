{{/* Three quarters of the memory limit in MiB; the rest is for buffers, code and stacks. */}}
{{- define "cloud-operator.heapMiB" -}}
{{- $limit := .Values.resources.limits.memory -}}
{{- if hasSuffix "Gi" $limit -}}
{{- mul (trimSuffix "Gi" $limit | int) 768 -}}
{{- else -}}
{{- div (mul (trimSuffix "Mi" $limit | int) 3) 4 -}}
{{- end -}}
{{- end }}

{{- define "cloud-operator.args" -}}
- run
{{- range .Values.endpoints }}
- --endpoint={{ .name }}={{ .url }}{{ with .word }},word={{ . }}{{ end }}{{ if .ca }},ca=/etc/cloud-operator/ca/{{ .name }}/{{ .ca.key }}{{ end }}
{{- end }}
{{- with .Values.watchNamespaces }}
- --watch-namespaces={{ join "," . }}
{{- end }}
{{- with .Values.kinds }}
- --kinds={{ join "," . }}
{{- end }}
{{- with .Values.imageSources }}
- --image-source={{ join "," . }}
{{- end }}
{{- with .Values.accountSelector }}
- --account-selector={{ range $label, $value := . }}{{ $label }}={{ $value }},{{ end }}
{{- end }}
- --lease-name={{ include "cloud-operator.fullname" . }}
- --log-level={{ .Values.logLevel }}
- --shutdown-grace={{ sub .Values.terminationGracePeriodSeconds 10 }}s
{{- range .Values.extraArgs }}
- {{ . | quote }}
{{- end }}
{{- end }}

{{- define "cloud-operator.container" -}}
name: operator
image: {{ include "cloud-operator.image" . }}
imagePullPolicy: {{ include "cloud-operator.pullPolicy" . }}
args:
  {{- include "cloud-operator.args" . | nindent 2 }}
env:
  - name: POD_NAME
    valueFrom: { fieldRef: { fieldPath: metadata.name } }
  - name: POD_NAMESPACE
    valueFrom: { fieldRef: { fieldPath: metadata.namespace } }
  - name: NODE_OPTIONS
    value: --max-old-space-size={{ include "cloud-operator.heapMiB" . }} --max-semi-space-size=2 --disallow-code-generation-from-strings
  # Given back to the system rather than kept in pieces: 60 MB less.
  - { name: MALLOC_ARENA_MAX, value: "1" }
  - { name: MALLOC_MMAP_THRESHOLD_, value: "131072" }
  {{- with .Values.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
ports:
  - { name: metrics, containerPort: 8080 }
  - { name: health, containerPort: 8081 }
startupProbe:
  httpGet: { path: /livez, port: health }
  periodSeconds: 2
  failureThreshold: 30
livenessProbe:
  httpGet: { path: /livez, port: health }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: health }
  periodSeconds: 5
  timeoutSeconds: 3
resources:
  {{- toYaml .Values.resources | nindent 2 }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  privileged: false
  capabilities: { drop: [ALL] }
volumeMounts:
  - name: token
    mountPath: /var/run/secrets/kubernetes.io/serviceaccount
    readOnly: true
  {{- range .Values.endpoints }}
  {{- if .ca }}
  - name: ca-{{ .name }}
    mountPath: /etc/cloud-operator/ca/{{ .name }}
    readOnly: true
  {{- end }}
  {{- end }}
  {{- with .Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- define "cloud-operator.volumes" -}}
# The ServiceAccount mounts nothing by itself; this token is the only one, and it is short-lived.
- name: token
  projected:
    defaultMode: 0444
    sources:
      - serviceAccountToken: { path: token, expirationSeconds: 3600 }
      - configMap: { name: kube-root-ca.crt, items: [{ key: ca.crt, path: ca.crt }] }
      - downwardAPI: { items: [{ path: namespace, fieldRef: { fieldPath: metadata.namespace } }] }
{{- range .Values.endpoints }}
{{- if .ca }}
- name: ca-{{ .name }}
  configMap: { name: {{ .ca.configMap }}, items: [{ key: {{ .ca.key }}, path: {{ .ca.key }} }] }
{{- end }}
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}
