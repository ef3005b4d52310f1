{{/* The name of what belongs to a process: pass (list . "web"). */}}
{{- define "tablero.name" -}}
{{ printf "%s-%s" (index . 0).Release.Name (index . 1) | trunc 52 | trimSuffix "-" }}
{{- end }}

{{/* The labels by which a service or a deployment finds its pods. */}}
{{- define "tablero.selector" -}}
app.kubernetes.io/name: tablero
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "tablero.labels" -}}
{{ include "tablero.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ printf "%s-%s" (index . 0).Chart.Name (index . 0).Chart.Version }}
{{- end }}

{{/* Everything of a pod but its container. */}}
{{- define "tablero.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: {type: RuntimeDefault}
volumes:
  - name: var
    emptyDir: {sizeLimit: 256Mi}
  - name: tmp
    emptyDir: {sizeLimit: 256Mi}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* What every container has: the image, no rights, and the settings. Pass (list . "clocks"). */}}
{{- define "tablero.container" -}}
{{- $root := index . 0 -}}
image: {{ printf "%s:%s" $root.Values.image.repository ($root.Values.image.tag | default $root.Chart.AppVersion) | quote }}
imagePullPolicy: {{ $root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
volumeMounts:
  - {name: var, mountPath: /srv/var}
  - {name: tmp, mountPath: /tmp}
envFrom:
  - secretRef: {name: {{ $root.Values.existingSecret }}}
env:
  - {name: ALLOWED_HOSTS, value: {{ join "," $root.Values.hosts | quote }}}
  - {name: CSRF_TRUSTED_ORIGINS, value: {{ printf "https://%s" (join ",https://" $root.Values.hosts) | quote }}}
  - {name: SITE_URL, value: {{ printf "https://%s" (first $root.Values.hosts) | quote }}}
  - {name: HTTPS, value: "1"}
  - {name: TRUST_PROXY, value: "1"}
  - {name: LOG_FORMAT, value: json}
{{- range $name, $value := $root.Values.settings }}
  - {name: {{ $name }}, value: {{ $value | quote }}}
{{- end }}
  - {name: WORKER, value: {{ index . 1 }}}
{{- end }}
