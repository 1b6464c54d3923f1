"""A control plane to which the chart brings everything, and both versions of Helm."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from localcluster import gobuild
from localcluster.bare import BareControlPlane
from localcluster.kubectl import wait_until
from localcluster.versions import MONITORING
from support.charttools import CHART, NAMESPACE, RELEASE, ROOT, Helm, sets
from support.openapi import write_schemas

KINDS = len(list((ROOT / "crds").glob("*.yaml")))
HELMS = ("helm", "helm3")


@pytest.fixture(scope="session")
def control_plane() -> Iterator[BareControlPlane]:
    """A cluster with the Prometheus Operator's kinds and none of ours; its controllers have accounts."""
    accounts = ["--use-service-account-credentials"]
    with BareControlPlane(controller_manager_args=accounts) as plane:
        plane.kubectl("apply", "--server-side", *(f"--filename={each}" for each in monitoring_crds()))
        plane.kubectl("wait", "--for=condition=Established", "--timeout=30s", "crd", "--all")
        yield plane


def monitoring_crds() -> list[Path]:
    """The CRDs of ServiceMonitor and PrometheusRule, from the Prometheus Operator's own sources."""
    folder = gobuild.module_directory(MONITORING, "prometheusoperator") / "example/prometheus-operator-crd"
    kinds = ("servicemonitors", "prometheusrules")
    return [folder / f"monitoring.coreos.com_{each}.yaml" for each in kinds]


@pytest.fixture(scope="session", params=HELMS)
def any_helm(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Helm:
    """Each version of Helm, without a cluster."""
    return Helm(request.param, tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="session")
def helm(control_plane: BareControlPlane, tmp_path_factory: pytest.TempPathFactory) -> Helm:
    """Helm with the cluster."""
    return Helm(HELMS[0], tmp_path_factory.mktemp("home"), control_plane.kubeconfig)


@pytest.fixture(scope="session")
def schemas(control_plane: BareControlPlane, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The schemas of all kinds that this Kubernetes serves."""
    folder = tmp_path_factory.mktemp("schemas")
    openapi = json.loads(control_plane.kubectl("get", "--raw", "/openapi/v2"))
    assert write_schemas(openapi, folder) > 100
    return folder


def install(helm: Helm, plane: BareControlPlane, *values: str, chart: Path = CHART) -> None:
    """Install a chart and wait until the kinds are served; no pod runs here, so for pods nobody waits."""
    helm("install", RELEASE, chart, f"--namespace={NAMESPACE}", "--create-namespace", *sets(values))
    plane.kubectl("wait", "--for=condition=Established", "--timeout=30s", "crd", "--all")
    listed = ("api-resources", "--api-group=flexlbf.io", "--output=name")
    wait_until(lambda: len(plane.kubectl(*listed).split()) >= KINDS, 30, "the kinds of flexlbf.io")


def remove_release(helm: Helm, plane: BareControlPlane) -> None:
    """Uninstall the chart, and remove what was made of its kinds; these stay for the next release."""
    helm("uninstall", RELEASE, f"--namespace={NAMESPACE}", "--ignore-not-found")
    for kind in plane.kubectl("api-resources", "--api-group=flexlbf.io", "--output=name").split():
        plane.kubectl("delete", kind, "--all", "--all-namespaces")


def selftest(kubeconfig: Path, namespace: str, seconds: float = 60) -> "subprocess.CompletedProcess[str]":
    """What the chart's test pod runs, as somebody."""
    program = "from flexlbf.cli.main import main; main()"
    arguments = ("selftest", f"--namespace={namespace}", f"--timeout={seconds}")
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "KUBECONFIG": str(kubeconfig)},
    )
