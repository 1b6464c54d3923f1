"""What the chart renders: what kustomize does, and for every choice of values what Kubernetes knows."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml

from support.charttools import (
    CHART,
    RELEASE,
    Helm,
    Raw,
    ToolRefusedError,
    by_name,
    conform,
    kustomize,
    objects,
    run_tool,
    sets,
    tool,
)

pytestmark = pytest.mark.integration

DIGEST = f"sha256:{'0' * 64}"
MONITORED = ("serviceMonitor.enabled=true", "prometheusRule.enabled=true", "dashboard.enabled=true")
CHOICES = {
    "defaults": (),
    "one-operator": ("replicaCount=1",),
    "without-budget": ("podDisruptionBudget.enabled=false",),
    "own-image": ("image.repository=registry.example/backup", f"image.digest={DIGEST}"),
    "tag": ("image.tag=dev", "image.pullPolicy=Never", 'imagePullSecrets:=[{"name":"registry"}]'),
    "without-crds": ("crds.enabled=false",),
    "crds-that-go": ("crds.keep=false",),
    "given-account": ("serviceAccount.create=false", "serviceAccount.name=given"),
    "annotated-account": ('serviceAccount.annotations:={"a":"b"}',),
    "without-personas": ("personas.create=false",),
    "apart-personas": ("personas.aggregate=false",),
    "without-admission": ("admission.enabled=false",),
    "share-of-operators": ("podDisruptionBudget.minAvailable=50%",),
    "without-network-policy": ("networkPolicy.enabled=false",),
    "without-metrics": ("metrics.enabled=false",),
    "metrics-for-some": ('networkPolicy.metricsFrom:=[{"podSelector":{}}]',),
    "prometheus": MONITORED,
    "prometheus-by-label": (
        *MONITORED,
        "serviceMonitor.interval=1m30s",
        'serviceMonitor.labels:={"release":"a"}',
        'prometheusRule.labels:={"release":"a"}',
        'dashboard.labels:={"release":"a","grafana_dashboard":"true"}',
        "prometheusRule.runbookURL=https://docs.example/alerts/",
    ),
    "traced": ("tracing.endpoint=http://collector.monitoring:4318",),
    "traced-behind-a-service": (
        "tracing.endpoint=http://collector",
        "tracing.ports:=[80,4318]",
        'tracing.to:=[{"namespaceSelector":{}}]',
    ),
    "pages": ("pages.enabled=true",),
    "pages-for-a-proxy": (
        "pages.enabled=true",
        'pages.allowedFrom:=[{"podSelector":{"matchLabels":{"a":"b"}}}]',
    ),
    "api-server": ("networkPolicy.apiServerPorts={8443}", "networkPolicy.apiServerCIDRs={10.0.0.1/32}"),
    "placed": (
        'nodeSelector:={"a":"b"}',
        'tolerations:=[{"operator":"Exists"}]',
        'affinity:={"nodeAffinity":{}}',
        "priorityClassName=backup",
    ),
    "named": ("nameOverride=backup", 'podLabels:={"a":"b"}', 'podAnnotations:={"a":"b"}', "verboseLog=true"),
    "renamed": ("fullnameOverride=other", 'resources:={"limits":{"memory":"2Gi"}}'),
    "as-a-part": ('global:={"imageRegistry":"x"}',),
}
REFUSED = {
    "unknown": ("replicas=3", "replicas"),
    "unknown-below": ("image.name=x", "name"),
    "negative": ("replicaCount=-1", "replicaCount"),
    "no-number": ("replicaCount=many", "replicaCount"),
    "policy": ("image.pullPolicy=Sometimes", "pullPolicy"),
    "digest": ("image.digest=latest", "digest"),
    "no-switch": ("admission.enabled=perhaps", "enabled"),
    "no-interval": ("serviceMonitor.interval=often", "interval"),
    "no-metrics": ("metrics.enabled=false,serviceMonitor.enabled=true", r"metrics\.enabled"),
    "no-text": ('serviceMonitor.labels:={"release":1}', "release"),
    "no-metrics-for-alerts": ("metrics.enabled=false,prometheusRule.enabled=true", r"metrics\.enabled"),
    "no-endpoint": ("tracing.endpoint=collector:4318", "endpoint"),
    "no-pages": ("pages.enabled=there", "enabled"),
    "everybody": ("pages.allowedFrom:=[{}]", "allowedFrom"),
    "no-network": ("networkPolicy.apiServerCIDRs={10.0.0.1}", "apiServerCIDRs"),
}
# What Helm adds to objects, and what kustomize's folder has besides.
HELMS_LABELS = re.compile(r"^(helm\.sh/.*|app\.kubernetes\.io/(instance|version|managed-by))$")


@pytest.mark.parametrize("values", CHOICES.values(), ids=CHOICES)
def test_every_choice_is_linted_and_conforms(any_helm: Helm, schemas: Path, values: tuple[str, ...]) -> None:
    any_helm("lint", "--strict", CHART, *sets(values))
    rendered = any_helm.render(*values)
    assert rendered
    conform([each for each in rendered if not each["apiVersion"].startswith("flexlbf.io")], schemas)


@pytest.mark.parametrize(("value", "names"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_value_is_refused_by_name(any_helm: Helm, value: str, names: str) -> None:
    with pytest.raises(ToolRefusedError, match=names):
        any_helm.render(value)


def test_an_account_that_is_not_made_must_be_named(any_helm: Helm) -> None:
    with pytest.raises(ToolRefusedError, match=r"serviceAccount\.name"):
        any_helm.render("serviceAccount.create=false")


def test_kustomize_renders_the_same_objects(any_helm: Helm) -> None:
    """But for Helm's own labels, the test, and the namespace, which Helm makes when it is told to."""
    rendered = by_name(any_helm.render(*MONITORED))
    from_chart = {key: _plain(each) for key, each in rendered.items() if not _is_hook(each)}
    built = by_name([*kustomize("default"), *kustomize("prometheus")])
    from_config = {key: _plain(each) for key, each in built.items()}
    namespace = from_config.pop(("Namespace", "flexlbf-system"))
    assert namespace["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"
    assert from_chart.keys() == from_config.keys()
    for key, want in from_config.items():
        assert from_chart[key] == want, key


@pytest.mark.parametrize("keep", [True, False])
def test_the_crds_are_kept_by_whoever_installs_them(any_helm: Helm, keep: bool) -> None:
    """With them all that was made of them would go: Helm, Argo CD and Flux each heed their own word."""
    crds = [each for each in any_helm.render(f"crds.keep={keep}".lower()) if each["kind"].startswith("Cust")]
    words = {
        "helm.sh/resource-policy": "keep",
        "argocd.argoproj.io/sync-options": "Prune=false,Delete=false",
        "kustomize.toolkit.fluxcd.io/prune": "disabled",
    }
    assert len(crds) == 5
    assert all(each["metadata"].get("annotations", {}) == (words if keep else {}) for each in crds)


@pytest.mark.parametrize("folder", ["crd", "rbac", "manager", "admission", "prometheus", "samples"])
def test_every_base_builds_by_itself(folder: str) -> None:
    assert kustomize(folder)


def test_nothing_outside_of_the_chart_is_needed(any_helm: Helm, tmp_path: Path) -> None:
    """The package renders what the folder renders."""
    any_helm("package", CHART, "--destination", tmp_path)
    (package,) = tmp_path.glob("*.tgz")
    assert any_helm.render(chart=package) == any_helm.render()


def test_both_versions_of_helm_render_the_same(tmp_path: Path) -> None:
    four, three = (Helm(each, tmp_path / each) for each in ("helm", "helm3"))
    assert by_name(four.render()) == by_name(three.render())


@pytest.mark.parametrize("home", ["https://docs.example/alerts/", 'Handbook: "alerts" - chapter'])
def test_runbooks_are_where_the_release_has_them(any_helm: Helm, home: str) -> None:
    rendered = by_name(any_helm.render(*MONITORED, f"prometheusRule.runbookURL={home}"))
    groups = rendered["PrometheusRule", RELEASE]["spec"]["groups"]
    alerts = [rule for group in groups for rule in group["rules"]]
    links = [each["annotations"]["runbook_url"] for each in alerts]
    assert links == [f"{home}#{each['alert'].lower()}" for each in alerts]


@pytest.mark.parametrize("part", ["serviceMonitor", "prometheusRule", "dashboard"])
def test_a_prometheus_may_choose_by_label(any_helm: Helm, part: str) -> None:
    rendered = any_helm.render(f"{part}.enabled=true", f'{part}.labels:={{"release":"main"}}')
    labels = [each["metadata"].get("labels", {}) for each in rendered]
    assert [each.get("release") for each in labels].count("main") == 1


@pytest.mark.parametrize(
    ("endpoint", "port"),
    [
        ("http://collector.monitoring:4318", 4318),
        ("https://10.0.0.12/otlp", 443),
        ("http://[fd00::1]:4318/otlp", 4318),
    ],
)
def test_traces_are_let_out_to_the_port_of_their_collector(any_helm: Helm, endpoint: str, port: int) -> None:
    rendered = by_name(any_helm.render(f"tracing.endpoint={endpoint}"))
    egress = rendered["NetworkPolicy", RELEASE]["spec"]["egress"]
    assert [{"protocol": "TCP", "port": port}] in [rule["ports"] for rule in egress]
    (container,) = rendered["Deployment", RELEASE]["spec"]["template"]["spec"]["containers"]
    assert {"name": "OTEL_EXPORTER_OTLP_ENDPOINT", "value": endpoint} in container["env"]


def test_traces_are_let_out_behind_a_service_and_to_whom_the_values_say(any_helm: Helm) -> None:
    rendered = by_name(any_helm.render(*CHOICES["traced-behind-a-service"]))
    egress = rendered["NetworkPolicy", RELEASE]["spec"]["egress"]
    wanted = [{"protocol": "TCP", "port": port} for port in (80, 4318)]
    assert {"ports": wanted, "to": [{"namespaceSelector": {}}]} in egress


@pytest.mark.parametrize(("replicas", "budgets"), [(0, 0), (1, 0), (2, 1)])
def test_a_single_operator_keeps_no_node_from_being_drained(
    any_helm: Helm, replicas: int, budgets: int
) -> None:
    kinds = [each["kind"] for each in any_helm.render(f"replicaCount={replicas}")]
    assert kinds.count("PodDisruptionBudget") == budgets


def test_pages_are_off_and_then_reached_by_those_who_are_named(any_helm: Helm) -> None:
    """By nobody else: a rule without peers would let everybody in."""
    off = any_helm.render()
    assert "--pages" not in _args(off)
    assert not [each for each in off if each["metadata"]["name"].endswith("-pages")]
    on = by_name(any_helm.render("pages.enabled=true"))
    assert "0.0.0.0:8082" in _args(on.values())
    service = on["Service", "flexlbf-operator-pages"]["spec"]
    assert (service["type"], [each["port"] for each in service["ports"]]) == ("ClusterIP", [8082])
    assert 8082 not in _let_in(on.values())
    peers = [{"podSelector": {"matchLabels": {"a": "b"}}}]
    values = ("pages.enabled=true", f"pages.allowedFrom:={json.dumps(peers)}")
    assert _let_in(any_helm.render(*values))[8082] == peers
    assert 8082 not in _let_in(any_helm.render(values[1]))


def _args(rendered: Iterable[Raw]) -> list[str]:
    """What the operator is called with."""
    (deployment,) = (each for each in rendered if each["kind"] == "Deployment")
    args: list[str] = deployment["spec"]["template"]["spec"]["containers"][0]["args"]
    return args


def _let_in(rendered: Iterable[Raw]) -> dict[int, Any]:
    """Who may reach which port; None for everybody."""
    (policy,) = (each for each in rendered if each["kind"] == "NetworkPolicy")
    rules = policy["spec"].get("ingress") or []
    return {port["port"]: rule.get("from") for rule in rules for port in rule["ports"]}


def test_names_of_a_long_release_fit(any_helm: Helm, schemas: Path) -> None:
    """And two names that are cut off don't meet."""
    rendered = any_helm.render("pages.enabled=true", release="backup" * 8)
    conform(rendered, schemas)
    assert all(len(each["metadata"]["name"]) <= 63 for each in rendered)
    assert len(by_name(rendered)) == len(rendered)


def test_an_old_kubernetes_is_refused(any_helm: Helm) -> None:
    with pytest.raises(ToolRefusedError, match=r"1\.32"):
        any_helm("template", CHART, "--kube-version=1.31.9")


def test_kubeconform_is_strict_here(schemas: Path, any_helm: Helm) -> None:
    """An unknown field is found, so the tests above can fail."""
    (deployment,) = (each for each in any_helm.render() if each["kind"] == "Deployment")
    deployment["spec"]["template"]["spec"]["containers"][0]["imagePolicy"] = "Always"
    with pytest.raises(ToolRefusedError, match="imagePolicy"):
        conform([deployment], schemas)


def test_the_examples_for_the_hub_are_objects_of_kinds_that_there_are(any_helm: Helm) -> None:
    (chart,) = objects(run_tool(tool("helm"), "show", "chart", CHART))
    notes = chart["annotations"]
    kinds = {
        each["spec"]["names"]["kind"]: each for each in any_helm.render() if each["kind"].startswith("Cust")
    }
    listed = yaml.safe_load(notes["artifacthub.io/crds"])
    assert {each["kind"] for each in listed} == kinds.keys()
    assert {each["name"] for each in listed} == {each["metadata"]["name"] for each in kinds.values()}
    examples = yaml.safe_load(notes["artifacthub.io/crdsExamples"])
    assert {each["kind"] for each in examples} == kinds.keys() - {"BackupHistory"}  # nobody writes these


def _is_hook(each: Raw) -> bool:
    return "helm.sh/hook" in each["metadata"].get("annotations", {})


def _plain(node: Any) -> Any:
    """Without what Helm adds, wherever labels are: in metadata, and in the selectors made of them."""
    if isinstance(node, list):
        return [_plain(each) for each in node]
    if not isinstance(node, dict):
        return node
    kept = {key: _plain(each) for key, each in node.items() if not HELMS_LABELS.match(key)}
    return {key: each for key, each in kept.items() if each != {} or key not in {"annotations", "labels"}}
