"""The pinned Go modules and the versions that we name are the same, and name every build."""

import dataclasses
import re
from pathlib import Path

import pytest

from localcluster import gobuild, nodeimage, versions
from localcluster.errors import LocalClusterError

PINNED = {
    "kubernetes": {
        "k8s.io/kubernetes": versions.KUBERNETES,
        "go.etcd.io/etcd/server/v3": versions.ETCD,
        "sigs.k8s.io/kind": versions.KIND,
        "sigs.k8s.io/cri-tools": versions.CRI_TOOLS,
    },
    "coredns": {"github.com/coredns/coredns": versions.COREDNS},
    "kwok": {"sigs.k8s.io/kwok": versions.KWOK},
    "charttools": {
        "helm.sh/helm/v4": versions.HELM,
        "helm.sh/helm/v3": versions.HELM_3,
        "sigs.k8s.io/kustomize/kustomize/v5": versions.KUSTOMIZE,
        "github.com/yannh/kubeconform": versions.KUBECONFORM,
    },
    "prometheus": {"github.com/prometheus/prometheus": versions.PROMETHEUS},
    "prometheusoperator": {versions.MONITORING: versions.PROMETHEUS_OPERATOR},
    "health": {
        "sigs.k8s.io/cli-utils": versions.KSTATUS,
        "github.com/fluxcd/pkg/runtime": versions.FLUX_RUNTIME,
    },
    "argo": {"github.com/argoproj/argo-cd/v3": versions.ARGO_CD},
}


@pytest.mark.parametrize("module", PINNED)
def test_the_modules_pin_what_we_name(module: str) -> None:
    text = (gobuild.MODULES / module / "go.mod").read_text()
    required = dict(re.findall(r"^(?:require |\t)(\S+) (v\S+)", text, re.MULTILINE))
    assert {name: required.get(name) for name in PINNED[module]} == PINNED[module]


@pytest.mark.parametrize("module", ["kubernetes", "argo"])
def test_all_parts_of_kubernetes_have_one_version(module: str) -> None:
    lines = (gobuild.MODULES / module / "go.mod").read_text().split("\n")
    replaced = {line.split()[-1] for line in lines if "=> k8s.io/" in line}
    assert replaced == {versions.KUBERNETES.replace("v1.", "v0.", 1)}


@pytest.mark.parametrize(
    "programs",
    [
        versions.KIND_ITSELF,
        versions.KWOK_ITSELF,
        versions.CHART_TOOLS,
        versions.PROMETHEUS_TOOLS,
        *versions.NODE_IMAGE_SETS,
    ],
    ids=lambda one: one.name,
)
def test_every_program_is_pinned_by_its_module(programs: versions.ProgramSet) -> None:
    folder = gobuild.MODULES / programs.module
    text = "".join(path.read_text() for path in folder.iterdir())
    assert all(package in text for package in programs.programs.values())


@pytest.mark.parametrize("programs", versions.GITOPS_TOOLS, ids=lambda one: one.name)
def test_our_own_programs_are_in_their_module(programs: versions.ProgramSet) -> None:
    folder = gobuild.MODULES / programs.module
    module = re.findall(r"^module (\S+)$", (folder / "go.mod").read_text(), re.MULTILINE)
    for package in programs.programs.values():
        assert (folder / package.removeprefix(f"{module[0]}/") / "main.go").exists()


def test_a_build_is_named_after_all_that_it_is_made_of() -> None:
    name = gobuild.key(versions.CONTROL_PLANE)
    fewer = dataclasses.replace(versions.CONTROL_PLANE, programs={"kubectl": "k8s.io/kubernetes/cmd/kubectl"})
    assert name.startswith(f"control-plane-{versions.KUBERNETES}-")
    assert name == gobuild.key(versions.CONTROL_PLANE)
    assert name != gobuild.key(fewer)


def test_what_the_linker_sets_names_a_build_too() -> None:
    name = gobuild.key(versions.CHART_TOOLS)
    assert name != gobuild.key(dataclasses.replace(versions.CHART_TOOLS, facts=()))
    assert versions.HELM_3 in gobuild.linker_flags(versions.CHART_TOOLS)
    assert versions.HELM_3 not in gobuild.linker_flags(versions.CONTROL_PLANE)


def test_a_changed_recipe_names_another_node_image(monkeypatch: pytest.MonkeyPatch) -> None:
    before = nodeimage.local_name()
    assert before == nodeimage.local_name()
    monkeypatch.setattr(nodeimage, "PACKAGES", (*nodeimage.PACKAGES, "socat"))
    assert before != nodeimage.local_name()


def test_programs_that_are_there_already_are_not_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLEXLBF_KUBE_BIN", str(tmp_path))
    with pytest.raises(LocalClusterError, match="which lacks etcd, kube-apiserver"):
        gobuild.programs(versions.CONTROL_PLANE)
    for name in versions.CONTROL_PLANE.programs:
        (tmp_path / name).touch(mode=0o755)
    assert gobuild.programs(versions.CONTROL_PLANE) == tmp_path


def test_a_missing_go_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(LocalClusterError, match=r"Go 1\.21 or later is needed"):
        gobuild.find_go()
