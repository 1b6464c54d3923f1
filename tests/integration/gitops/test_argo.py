"""Argo CD's customizations, in Argo's own format of tests, run by Argo's own Lua machine in its sandbox."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from argofiles import render_settings
from support.charttools import ROOT, Raw, ToolRefusedError, objects, run_tool, tool
from support.gitopstools import (
    APPLICATION,
    SETTINGS,
    NoVerdictError,
    Offer,
    Verdict,
    argo,
)
from support.resources import a_class, a_set

pytestmark = pytest.mark.integration

KINDS = sorted((ROOT / "config/argocd/resource_customizations/flexlbf.io").iterdir())
TOKEN = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def read(path: Path) -> Any:
    """A file of YAML."""
    return yaml.safe_load(path.read_text("utf-8"))


def cases_of(kind: Path, file: str, key: str) -> list[Raw]:
    """The tests of a kind, in Argo's format."""
    found: list[Raw] = read(kind / file)[key]
    return found


def result(offer: Offer) -> Raw:
    """What an action made of its object: the one patch that Argo would send."""
    (patched,) = offer.resources
    assert patched["operation"] == "patch"
    made: Raw = patched["resource"]
    return made


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_health_is_as_argos_own_tests_say(kind: Path):
    """`health_test.yaml`: the input's file, and the status and the message to expect."""
    cases = cases_of(kind, "health_test.yaml", "tests")
    found = argo(read(kind / each["inputPath"]) for each in cases)
    want = [Verdict(**each["healthStatus"]) for each in cases]
    assert [each.health for each in found] == want
    assert {Path(each["inputPath"]).name for each in cases} == {
        path.name for path in (kind / "testdata").iterdir()
    }


def test_every_health_of_a_policy_has_its_input():
    kind = next(each for each in KINDS if each.name == "BackupPolicy")
    cases = cases_of(kind, "health_test.yaml", "tests")
    assert {each["healthStatus"]["status"] for each in cases} == {
        "Healthy",
        "Progressing",
        "Degraded",
        "Suspended",
    }


def test_the_actions_on_offer_are_as_argos_own_tests_say():
    """`action_test.yaml`: an action that makes no sense now is shown and can't be chosen."""
    actions = KINDS[0] / "actions"
    cases = cases_of(actions, "action_test.yaml", "discoveryTests")
    found = argo(read(actions / each["inputPath"]) for each in cases)
    for each, offer in zip(cases, found, strict=True):
        assert sorted(offer.listed, key=str) == sorted(each["result"], key=str), each["inputPath"]


@pytest.mark.parametrize(
    "case", cases_of(KINDS[0] / "actions", "action_test.yaml", "actionTests"), ids=lambda case: case["action"]
)
def test_an_action_comes_to_what_argos_own_tests_say(case: Raw):
    """But for the moment at which a session was asked for, as in Argo's tests of such actions."""
    actions = KINDS[0] / "actions"
    (offer,) = argo([read(actions / case["inputPath"])], action=case["action"])
    made, want = result(offer), read(actions / case["expectedOutputPath"])
    if "runToken" in want["spec"]:
        assert TOKEN.fullmatch(made["spec"]["runToken"])
        made["spec"]["runToken"] = want["spec"]["runToken"]
    assert made == want


def test_kinds_without_a_status_are_none_of_argos_business():
    """Argo takes a kind for healthy when it knows nothing of it."""
    found = argo([a_set().observed("backup"), a_class().observed()])
    assert [(each.health, each.actions) for each in found] == [(None, {}), (None, {})]


def test_a_script_gets_no_library_that_argo_does_not_give_it(tmp_path: Path):
    """So that the tests above fail where Argo would."""
    scripts = tmp_path / "config/argocd/resource_customizations"
    shutil.copytree(ROOT / "config/argocd/resource_customizations", scripts)
    script = scripts / "flexlbf.io/TapePool/health.lua"
    script.write_text('return {status = string.format("Healthy")}')
    settings = tmp_path / "argocd-cm.yaml"
    settings.write_text(render_settings(tmp_path))
    pool = read(scripts / "flexlbf.io/TapePool/testdata/enough.yaml")
    with pytest.raises(NoVerdictError, match="format"):
        argo([pool], settings=settings)


def test_the_application_of_the_documentation_is_one_that_argo_knows(tmp_path: Path):
    """Every field of it; and one that Argo does not know is found."""
    argo([], applications=[APPLICATION])
    wrong = tmp_path / "application.yaml"
    wrong.write_text(APPLICATION.read_text().replace("selfHeal", "healsItself"))
    with pytest.raises(ToolRefusedError, match="healsItself"):
        argo([], applications=[wrong])


def test_the_component_leaves_other_settings_of_argo_alone(tmp_path: Path):
    """Taken in by a kustomization that has settings of its own."""
    own = {**read(SETTINGS), "data": {"url": "https://argocd.example.com"}}
    folder = tmp_path / "argocd"
    folder.mkdir()
    (folder / "argocd-cm.yaml").write_text(yaml.safe_dump(own))
    shutil.copytree(ROOT / "config/argocd", tmp_path / "component")
    (folder / "kustomization.yaml").write_text(
        yaml.safe_dump({"resources": ["argocd-cm.yaml"], "components": ["../component"]})
    )
    (merged,) = objects(run_tool(tool("kustomize"), "build", folder))
    assert merged["data"] == {**own["data"], **read(SETTINGS)["data"]}
