"""The chart's life in a cluster: what the API server says to it, and what upgrade and uninstall leave."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from integration.chart.conftest import HELMS, install, remove_release, selftest
from localcluster.bare import BareControlPlane
from localcluster.errors import LocalClusterError
from localcluster.kubectl import wait_until
from support.charttools import CHART, NAMESPACE, RELEASE, ROOT, Helm, Raw, by_name, conform, kustomize
from support.openapi import write_schemas
from support.resources import a_policy, a_pool

pytestmark = pytest.mark.integration

WHERE = f"--namespace={NAMESPACE}"


@pytest.fixture(autouse=True)
def _empty(helm: Helm, control_plane: BareControlPlane) -> Iterator[None]:
    """Each test leaves a cluster with nothing of us in it but the kinds and the namespace."""
    yield
    remove_release(helm, control_plane)


def stored(plane: BareControlPlane, *what: str) -> list[Raw]:
    """What there is, as the API server gives it."""
    found: list[Raw] = json.loads(plane.kubectl("get", *what, "--output=json"))["items"]
    return found


def own_crds(plane: BareControlPlane) -> list[Raw]:
    return [each for each in stored(plane, "crd") if each["spec"]["group"] == "flexlbf.io"]


def test_the_api_server_takes_everything_in_a_dry_run(helm: Helm, control_plane: BareControlPlane) -> None:
    before = by_name(stored(control_plane, "crd,clusterrole"))
    helm("install", RELEASE, CHART, WHERE, "--create-namespace", "--dry-run=server")
    assert by_name(stored(control_plane, "crd,clusterrole")).keys() == before.keys()


def test_its_pods_are_admitted_where_pod_security_is_restricted(
    helm: Helm, control_plane: BareControlPlane
) -> None:
    namespace = next(each for each in kustomize("default") if each["kind"] == "Namespace")
    assert namespace["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"
    control_plane.kubectl("apply", "--server-side", "-f", "-", input=json.dumps(namespace))
    install(helm, control_plane)
    selector = "--selector=app.kubernetes.io/name=flexlbf-operator"
    wait_until(lambda: len(stored(control_plane, "pods", WHERE, selector)) == 2, 30, "the pods")
    for each in helm.hooks():
        control_plane.kubectl("apply", "-f", "-", input=json.dumps(each))
    assert len(stored(control_plane, "pods", WHERE)) == 3
    for each in helm.hooks():
        control_plane.kubectl("delete", "--now", "-f", "-", input=json.dumps(each))


def test_no_expression_of_the_admission_policies_is_in_doubt(
    helm: Helm, control_plane: BareControlPlane
) -> None:
    """The API server holds them against the types of what they are for, and would warn."""
    install(helm, control_plane)
    policies = "validatingadmissionpolicies"
    path = "jsonpath={.status.observedGeneration}"
    for each in stored(control_plane, policies):
        control_plane.kubectl("wait", f"--for={path}=1", "--timeout=30s", policies, each["metadata"]["name"])
    checked = stored(control_plane, policies)
    assert len(checked) == 6
    assert [each["status"].get("typeChecking") for each in checked] == [{}] * 6


def test_the_self_test_fails_where_no_operator_answers(helm: Helm, control_plane: BareControlPlane) -> None:
    install(helm, control_plane)  # no pod runs here
    done = selftest(control_plane.kubeconfig, "default", seconds=2)
    assert done.returncode == 1
    assert "no answer within 2 s: does the operator run" in done.stderr
    assert not stored(control_plane, "bpol", "--namespace=default")


def test_samples_are_taken_and_conform(helm: Helm, control_plane: BareControlPlane, tmp_path: Path) -> None:
    install(helm, control_plane)
    control_plane.kubectl("apply", "--server-side", "--validate=strict", "-f", str(ROOT / "config/samples"))
    write_schemas(json.loads(control_plane.kubectl("get", "--raw", "/openapi/v2")), tmp_path)
    conform(kustomize("samples"), tmp_path)


def test_an_upgrade_brings_the_crds_up_to_date(
    helm: Helm, control_plane: BareControlPlane, tmp_path: Path
) -> None:
    """From a chart whose policies had no time zone: what was stored stays, and then there is the field."""
    older = tmp_path / "chart"
    shutil.copytree(CHART, older)
    file = older / "templates/crds/flexlbf.io_backuppolicies.yaml"
    file.write_text(file.read_text().replace("timeZone:", "clock:"))
    helm("install", RELEASE, older, WHERE, "--create-namespace")
    control_plane.kubectl("wait", "--for=condition=Established", "--timeout=30s", "crd", "--all")
    policy = a_policy().build("default")
    refused = a_policy().setting(timeZone="Etc/UTC").build("default")
    wait_until(lambda: not _takes(control_plane, refused), 60, "the older schema")
    control_plane.kubectl("apply", "--server-side", "-f", "-", input=json.dumps(policy))
    (before,) = stored(control_plane, "bpol", "--all-namespaces")

    helm("upgrade", RELEASE, CHART, WHERE)

    wait_until(lambda: _takes(control_plane, refused), 60, "the newer schema")
    control_plane.kubectl("apply", "--server-side", "-f", "-", input=json.dumps(refused))
    (after,) = stored(control_plane, "bpol", "--all-namespaces")
    assert after["metadata"]["uid"] == before["metadata"]["uid"]
    assert after["spec"]["timeZone"] == "Etc/UTC"


@pytest.mark.parametrize("program", HELMS)
def test_uninstalled_it_leaves_the_crds_and_what_was_made_of_them_and_comes_back(
    program: str, control_plane: BareControlPlane, tmp_path: Path
) -> None:
    helm = Helm(program, tmp_path, control_plane.kubeconfig)
    install(helm, control_plane)
    for each in (a_policy().build("default"), a_pool("library").with_drives().build()):
        control_plane.kubectl("apply", "--server-side", "-f", "-", input=json.dumps(each))
    kinds = ("crd", "bpol,tp", "clusterrole,clusterrolebinding,validatingadmissionpolicy")
    crds, made, _ = (by_name(stored(control_plane, each, "--all-namespaces")) for each in kinds)

    helm("uninstall", RELEASE, WHERE)

    left, still, gone = (by_name(stored(control_plane, each, "--all-namespaces")) for each in kinds)
    assert (left.keys(), still.keys()) == (crds.keys(), made.keys())
    assert {key: _uid(each) for key, each in {**left, **still}.items()} == {
        key: _uid(each) for key, each in {**crds, **made}.items()
    }
    ours = {name for _, name in gone if "flexlbf" in name or name in {"backup-editor", "tape-admin"}}
    assert not ours
    control_plane.kubectl("delete", "namespace", NAMESPACE, "--wait=true", "--timeout=60s")

    install(helm, control_plane)
    assert by_name(stored(control_plane, "bpol,tp", "--all-namespaces")).keys() == made.keys()


def test_crds_go_with_it_where_they_are_not_to_be_kept(helm: Helm, control_plane: BareControlPlane) -> None:
    install(helm, control_plane, "crds.keep=false")
    helm("uninstall", RELEASE, WHERE)
    wait_until(lambda: not own_crds(control_plane), 240, "no CRDs of ours")


def _uid(each: Raw) -> str:
    return str(each["metadata"]["uid"])


def _takes(plane: BareControlPlane, policy: Raw) -> bool:
    """Whether the schema that is served now knows all of a policy's fields."""
    try:
        plane.kubectl("apply", "--server-side", "--dry-run=server", "-f", "-", input=json.dumps(policy))
    except LocalClusterError as error:
        if "timeZone" not in str(error):
            raise
        return False
    return True
