"""Chart templates from the manifests in `config/` and from the CRDs: one home for each rule.

The manifests are taken as text, so that their comments stay. Only names and labels, which a release chooses,
become template expressions.
"""

import re

HEADER = "{{{{- /* Generated from {origin} by `make generate`: do not edit. */}}}}\n"
FULL_NAME = '{{ include "flexlbf-operator.fullname" . }}'
ACCOUNT = '{{ .Release.Namespace }}:{{ include "flexlbf-operator.serviceAccountName" . }}'
LABELS = '    {{- include "flexlbf-operator.labels" . | nindent 4 }}'
RUNBOOKS = "docs/alerts.md"
RULE_LABELS = """
    {{- with .Values.prometheusRule.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}"""
NOTHING_TO_ALERT = """\
{{- if not .Values.metrics.enabled }}
{{- fail "prometheusRule.enabled needs metrics.enabled: without, FlexLBFOperatorDown would fire for ever" }}
{{- end }}
"""
RUNBOOK = re.compile(rf"runbook_url: {re.escape(RUNBOOKS)}(#\w+)$", re.MULTILINE)
KEEP = """\
  {{- if .Values.crds.keep }}
  annotations:
    helm.sh/resource-policy: keep
    # For Argo CD, which heeds the first for an Application that is deleted, and for Flux.
    argocd.argoproj.io/sync-options: Prune=false,Delete=false
    kustomize.toolkit.fluxcd.io/prune: disabled
  {{- end }}
"""

_CHOSEN_BY_THE_RELEASE = (
    (re.compile(r"^  name: flexlbf-operator$", re.MULTILINE), f"  name: {FULL_NAME}"),
    (re.compile(r"^  namespace: flexlbf-system$", re.MULTILINE), "  namespace: {{ .Release.Namespace }}"),
    (re.compile(r"^    app\.kubernetes\.io/name: flexlbf-operator$", re.MULTILINE), LABELS),
    (re.compile(r"flexlbf-system:flexlbf-operator\b"), ACCOUNT),
    (
        re.compile(r"^(    rbac\.authorization\.k8s\.io/aggregate-to-\w+: .*)$", re.MULTILINE),
        r"    {{- if .Values.personas.aggregate }}\n\1\n    {{- end }}",
    ),
)


def rule_template(manifest: str, origin: str, switch: str) -> str:
    """The alerts as a template: what Prometheus fills in is kept from Helm, and runbooks may move."""
    text = manifest.replace("{{", '{{ "{{" }}')
    for pattern, replacement in _CHOSEN_BY_THE_RELEASE:
        text = pattern.sub(replacement, text)
    text = text.replace(LABELS, LABELS + RULE_LABELS, 1)
    home = "$.Values.prometheusRule.runbookURL"
    text = RUNBOOK.sub(rf'runbook_url: {{{{ printf "%s\1" {home} | quote }}}}', text)
    return HEADER.format(origin=origin) + _only_if(switch, NOTHING_TO_ALERT + text)


def template_of(manifest: str, origin: str, switch: str | None) -> str:
    """A manifest as a template, rendered only if the value `switch` holds."""
    _refuse_templates(manifest, origin)
    text = manifest
    for pattern, replacement in _CHOSEN_BY_THE_RELEASE:
        text = pattern.sub(replacement, text)
    if "flexlbf-system" in text:
        raise ValueError(f"{origin} names flexlbf-system where the chart's generator does not look for it")
    return HEADER.format(origin=origin) + _only_if(switch, text)


def crd_template(crd: str) -> str:
    """A CRD that `helm upgrade` brings up to date, and that stays when the release goes."""
    _refuse_templates(crd, "a CRD")
    comment, text = crd.split("\n", 1)
    head, metadata, rest = text.partition("metadata:\n")
    return f"{comment}\n{_only_if('crds.enabled', head + metadata + KEEP + rest)}"


def _only_if(switch: str | None, text: str) -> str:
    return f"{{{{- if .Values.{switch} }}}}\n{text}{{{{- end }}}}\n" if switch else text


def _refuse_templates(text: str, origin: str) -> None:
    if "{{" in text:
        raise ValueError(f"{origin} has '{{{{', which Helm would take for a template: write it otherwise")
