{{- define "flexlbf-operator.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "flexlbf-operator.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else if contains (include "flexlbf-operator.name" .) .Release.Name }}
{{- .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "flexlbf-operator.name" .) | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "flexlbf-operator.selectorLabels" -}}
app.kubernetes.io/name: {{ include "flexlbf-operator.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "flexlbf-operator.commonLabels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "flexlbf-operator.labels" -}}
{{ include "flexlbf-operator.selectorLabels" . }}
{{ include "flexlbf-operator.commonLabels" . }}
{{- end }}

{{- define "flexlbf-operator.testLabels" -}}
app.kubernetes.io/name: {{ include "flexlbf-operator.name" . }}-test
app.kubernetes.io/instance: {{ .Release.Name }}
{{ include "flexlbf-operator.commonLabels" . }}
{{- end }}

{{- define "flexlbf-operator.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "flexlbf-operator.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- required "with serviceAccount.create false, name the account that there is in serviceAccount.name" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "flexlbf-operator.image" -}}
{{- if .Values.image.digest }}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest }}
{{- else }}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) }}
{{- end }}
{{- end }}

{{- /* What Pod Security's level "restricted" asks of a pod and of a container. */}}
{{- define "flexlbf-operator.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "flexlbf-operator.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}
