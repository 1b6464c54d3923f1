"""The chart where policies are in use: an upgrade rewrites nothing that runs, and uninstalled it keeps it."""

import json
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from integration.chart.conftest import install, remove_release
from integration.handlers.audit import AuditTrail
from integration.handlers.operatorprocess import OperatorProcess
from localcluster import kubeconfig
from localcluster.bare import BareControlPlane
from support.charttools import CHART, NAMESPACE, RELEASE, Helm, Raw
from support.resources import Policy, Resource, a_class, a_policy, a_pool, a_set

pytestmark = pytest.mark.integration

WHERE = f"--namespace={NAMESPACE}"
TEAM = "upgraded-team"
DEFAULT_OF_STATUS = re.compile(r" +default:\n +observedGeneration: -1\n")
PLANNED = a_policy("planned")
ADAPTIVE = a_policy("adaptive").setting(execution="Adaptive", window="8h")


@pytest.fixture
def previous_chart(tmp_path: Path) -> Path:
    """The chart of before: another version, with CRDs that gave new objects no status."""
    older = tmp_path / "previous"
    shutil.copytree(CHART, older)
    described = older / "Chart.yaml"
    described.write_text(
        re.sub(r"^version: .*$", "version: 0.0.9", described.read_text(), flags=re.MULTILINE)
    )
    changed = 0
    for file in (older / "templates/crds").glob("*.yaml"):
        text, times = DEFAULT_OF_STATUS.subn("", file.read_text())
        file.write_text(text)
        changed += times
    assert changed == 2
    return older


@pytest.fixture(autouse=True)
def _empty(helm: Helm, control_plane: BareControlPlane) -> Iterator[None]:
    """The cluster's other tests find nothing of this one."""
    yield
    remove_release(helm, control_plane)
    control_plane.kubectl("delete", "namespace", TEAM, "--ignore-not-found", "--wait=true", "--timeout=60s")


def an_operator(plane: BareControlPlane) -> OperatorProcess:
    """An operator with the account that the chart gives it."""
    token = plane.kubectl("create", "token", RELEASE, WHERE).strip()
    config = kubeconfig.write(
        plane.directory / "upgrade.kubeconfig",
        server=plane.url,
        certificate=plane.certificate,
        user="operator",
        token=token,
    )
    return OperatorProcess(plane, "upgrade", kubeconfig=config, lease_namespace=NAMESPACE)


def apply(plane: BareControlPlane, *resources: Resource) -> None:
    """Apply as an administrator."""
    for each in resources:
        namespace = TEAM if isinstance(each, Policy) or each.kind == "BackupSet" else None
        raw = json.dumps(each.build(namespace))
        plane.kubectl("apply", "--server-side", "--validate=strict", "-f", "-", input=raw)


def await_ready(plane: BareControlPlane, *policies: Policy) -> None:
    """Wait until all of these are ready."""
    names = [f"bpol/{each.name}" for each in policies]
    plane.kubectl("wait", "--for=condition=Ready", "--timeout=120s", f"--namespace={TEAM}", *names)


def versions(plane: BareControlPlane, kinds: str, names: Sequence[str] = ()) -> dict[str, tuple[str, str]]:
    """The identity and the version of what the team has, of these kinds and names."""
    found: list[Raw] = json.loads(plane.kubectl("get", kinds, f"--namespace={TEAM}", "--output=json"))[
        "items"
    ]
    return {
        f"{each['kind']}/{each['metadata']['name']}": (
            each["metadata"]["uid"],
            each["metadata"]["resourceVersion"],
        )
        for each in found
        if not names or each["metadata"]["name"] in names
    }


def test_an_upgrade_rewrites_nothing_and_an_uninstallation_keeps_it(
    helm: Helm, control_plane: BareControlPlane, previous_chart: Path
) -> None:
    plane = control_plane
    install(helm, plane, chart=previous_chart)
    plane.kubectl("create", "namespace", TEAM)
    apply(plane, a_pool().with_drives(), a_class(), a_set().with_objects(3), PLANNED, ADAPTIVE)
    with an_operator(plane):
        await_ready(plane, PLANNED, ADAPTIVE)
        AuditTrail(plane, TEAM).settle()
    of_before = versions(plane, "bpol,cronjobs")
    assert sum(each.startswith("CronJob/") for each in of_before) == 4

    helm("upgrade", RELEASE, CHART, WHERE)

    fresh = a_policy("fresh").setting(mode="Recommend")
    apply(plane, fresh)
    with an_operator(plane):
        await_ready(plane, fresh)  # so the new operator has been at work
        AuditTrail(plane, TEAM).settle()
    kept = versions(plane, "bpol,cronjobs")
    assert {name: kept[name] for name in of_before} == of_before

    helm("uninstall", RELEASE, WHERE)

    assert versions(plane, "bpol,cronjobs") == kept
    assert plane.kubectl("get", "crd", "--output=name").count("flexlbf.io") == 5
    for namespace in (NAMESPACE, TEAM):  # neither waits for an operator that is gone
        plane.kubectl("delete", "namespace", namespace, "--wait=true", "--timeout=60s")
