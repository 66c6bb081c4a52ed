{{- define "tarishi.name" -}}
{{ printf "%s-tarishi" .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "tarishi.selector" -}}
app.kubernetes.io/name: tarishi
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "tarishi.labels" -}}
{{ include "tarishi.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* What every pod has in common: dict "root" $ "command" "serve" */}}
{{- define "tarishi.pod" -}}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
automountServiceAccountToken: false
# Longer than DRAIN_DELAY_MS and SHUTDOWN_GRACE_MS together.
terminationGracePeriodSeconds: 30
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: tmp
    emptyDir: {}
containers:
  - name: {{ .command }}
    image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default (printf "v%s" .root.Chart.AppVersion) }}"
    imagePullPolicy: {{ .root.Values.image.pullPolicy }}
    args: [{{ .command }}]
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    volumeMounts:
      - { name: tmp, mountPath: /tmp }
    env:
      {{- range $name, $value := .root.Values.settings }}
      - { name: {{ $name }}, value: {{ $value | quote }} }
      {{- end }}
      {{- range tuple "DATABASE_URL" "SECRET_KEY" }}
      - name: {{ . }}
        valueFrom: { secretKeyRef: { name: {{ $.root.Values.secretName }}, key: {{ . }} } }
      {{- end }}
    {{- if ne .command "migrate" }}
    resources: {{ toYaml (index .root.Values .command).resources | nindent 6 }}
    ports:
      {{- if eq .command "serve" }}
      - { name: http, containerPort: 3000 }
      {{- end }}
      - { name: metrics, containerPort: 9464 }
    startupProbe:
      httpGet: { path: /healthz, port: metrics }
      periodSeconds: 2
      failureThreshold: 60
    livenessProbe:
      httpGet: { path: /healthz, port: metrics }
      periodSeconds: 10
      timeoutSeconds: 3
    readinessProbe:
      httpGet: { path: /readyz, port: metrics }
      periodSeconds: 2
      timeoutSeconds: 3
      failureThreshold: 1
    {{- end }}
{{- end }}
