"""The kinds as people meet them: columns, short names, explanations, the status, the largest set."""

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest

from flexlbf.api.crd import build_crd, definition_of
from flexlbf.api.model import Scope
from flexlbf.api.schema import walk
from flexlbf.api.v1alpha1.conditions import UNSEEN
from integration.api.client import Api
from localcluster.bare import BareControlPlane
from unit.api.cases import BASES, MODELS
from unit.api.largest import WIDEST, largest_set

pytestmark = pytest.mark.integration

NOW = "2026-01-05T12:00:00Z"


def _condition(kind: str, status: str, reason: str) -> dict[str, Any]:
    return {"type": kind, "status": status, "reason": reason, "message": "", "lastTransitionTime": NOW}


STATUSES: dict[str, dict[str, Any]] = {
    "BackupPolicy": {
        "observedGeneration": 1,
        "conditions": [_condition("Ready", "True", "Planned"), _condition("WindowFit", "False", "Overruns")],
        "workload": {"objects": 86, "bytes": "31T", "longestObject": "fs07:/data", "unmeasured": 0},
        "recommendation": {
            "drives": 2,
            "maxAgents": 4,
            "duration": "20h52m",
            "lowerBound": "20h50m",
            "boundBy": "Host",
            "boundHost": "fs07.example.org",
            "restoreStretch": {"median": 3.41, "worst": 11, "worstObject": "fs07:/data"},
            "comparedTo": {"traditional": {"duration": "43h", "savedPercent": 51}},
            "freedDrives": ["lto-2"],
        },
        "schedule": {"cronJobs": 86, "nextScheduleTime": NOW},
    },
    "TapePool": {
        "conditions": [_condition("Ready", "True", "Accepted")],
        "drives": 2,
        "peakDrives": 1,
        "peakThroughput": "80M",
        "policies": [{"namespace": "a", "name": "b", "drives": 1, "throughput": "80M"}],
    },
}


def _create(api: Api, kind: str) -> tuple[str, dict[str, Any]]:
    """Create the plainest resource of a kind; its name is the test's own, for cluster-scoped kinds too."""
    resource = {
        "apiVersion": "flexlbf.io/v1alpha1",
        "kind": kind,
        "metadata": {"name": api.namespace},
        "spec": BASES[kind],
    }
    answer = api.create(resource)
    assert answer.status == 201, answer.message
    return f"{api.path(kind)}/{api.namespace}", answer.body


def _patch(api: Api, path: str, patch: dict[str, Any]) -> dict[str, Any]:
    answer = api.request("PATCH", path, patch, "application/merge-patch+json")
    assert answer.status == 200, answer.message
    return answer.body


def _row(control_plane: BareControlPlane, api: Api, kind: str, *arguments: str) -> dict[str, str]:
    """What `kubectl get` shows of the test's object, by column."""
    short = definition_of(MODELS[kind]).short_name
    shown = control_plane.kubectl("get", short, api.namespace, "-n", api.namespace, *arguments)
    head, row = shown.splitlines()
    # Titles may hold one blank; columns are apart by three.
    starts = [title.start() for title in re.finditer(r"\S+( \S+)*", head)]
    return {head[a:b].strip(): row[a:b].strip() for a, b in itertools.pairwise([*starts, None])}


def test_a_policy_shows_what_to_use_and_what_it_saves(control_plane: BareControlPlane, api: Api):
    """`kubectl get bpol` answers what an administrator asks first."""
    path, _ = _create(api, "BackupPolicy")
    _patch(api, f"{path}/status", {"status": STATUSES["BackupPolicy"]})
    row = _row(control_plane, api, "BackupPolicy")
    assert row.pop("AGE")
    assert row == {
        "NAME": api.namespace,
        "READY": "True",
        "DRIVES": "2",
        "AGENTS": "4",
        "DURATION": "20h52m",
        "WINDOW": "Overruns",
        "SAVED": "51",
        "NEXT": NOW,
    }
    wide = _row(control_plane, api, "BackupPolicy", "-o", "wide")
    assert (wide["SCHEDULE"], wide["POOL"], wide["OBJECTS"], wide["LOWERBOUND"]) == (
        "0 22 * * 5",
        "library",
        "86",
        "20h50m",
    )


def test_a_pool_shows_what_is_asked_of_it(control_plane: BareControlPlane, api: Api):
    """`kubectl get tp` tells whether there is enough."""
    path, _ = _create(api, "TapePool")
    _patch(api, f"{path}/status", {"status": STATUSES["TapePool"]})
    row = _row(control_plane, api, "TapePool")
    assert (row["READY"], row["DRIVES"], row["PEAK DRIVES"], row["PEAK RATE"]) == ("True", "2", "1", "80M")


@pytest.mark.parametrize("kind", ["BackupClass", "BackupSet"])
def test_other_kinds_show_their_settings(control_plane: BareControlPlane, api: Api, kind: str):
    """Columns without a value are empty, never an error."""
    _create(api, kind)
    row = _row(control_plane, api, kind)
    assert row["NAME"] == api.namespace
    assert row["AGE"]


def test_one_category_lists_all_kinds(control_plane: BareControlPlane, api: Api):
    """`kubectl get backup` is all there is to remember."""
    for kind in BASES:
        _create(api, kind)
    listed = control_plane.kubectl("get", "backup", "-n", api.namespace, "-o", "name").split()
    wanted = {f"{definition_of(MODELS[kind]).kind.lower()}.flexlbf.io/{api.namespace}" for kind in BASES}
    assert wanted <= set(listed)


@pytest.mark.parametrize("kind", STATUSES)
def test_a_status_is_its_own_resource(api: Api, kind: str):
    """Who may write specs can't write statuses by it, nor the other way round."""
    path, created = _create(api, kind)
    assert _patch(api, path, {"status": STATUSES[kind]})["status"] == created["status"] == UNSEEN
    after = _patch(api, f"{path}/status", {"status": STATUSES[kind], "spec": {}})
    assert after["spec"] == created["spec"]
    assert after["metadata"]["generation"] == created["metadata"]["generation"]
    read = MODELS[kind].read(after).to_api()
    assert read["status"] == after["status"]


@pytest.mark.parametrize("kind", BASES)
def test_every_field_is_explained(control_plane: BareControlPlane, kind: str):
    """`kubectl explain` knows every field of every kind, with its meaning."""
    definition = definition_of(MODELS[kind])
    schema = build_crd(MODELS[kind])["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    fields = {
        path.replace("[]", "").rsplit(".", 1)[-1] for path, _ in walk(schema) if path and "{}" not in path
    }
    shown = control_plane.kubectl("explain", definition.plural, "--recursive")
    assert {field for field in fields if f"{field}\t" not in shown and f"{field} " not in shown} == set()
    meaning = control_plane.kubectl("explain", f"{definition.plural}.spec")
    assert schema["properties"]["spec"]["description"] in " ".join(meaning.split())


def test_the_largest_set_is_stored(control_plane: BareControlPlane, api: Api, tmp_path: Path):
    """Everything at its maximum, as people apply it; with plain names there is room for a second manager."""
    path = tmp_path / "largest.json"
    for filler, managers in ((WIDEST, ("kubectl",)), ("<", ("kubectl",)), ("x", ("kubectl", "argocd"))):
        path.write_text(json.dumps(largest_set(filler)))
        for manager in managers:
            control_plane.kubectl(
                "apply", "--server-side", f"--field-manager={manager}", "-n", api.namespace, "-f", str(path)
            )
        place = f"{api.path('BackupSet')}/largest"
        stored = api.request("GET", place, None)
        assert len(stored.body["spec"]["objects"]) == 1000
        assert len(stored.body["metadata"]["managedFields"]) == len(managers)
        assert api.request("DELETE", place, None).status == 200


def test_scopes_are_as_designed(control_plane: BareControlPlane):
    """The administrator's kinds are the cluster's, the user's are a namespace's."""
    listed = control_plane.kubectl(
        "api-resources", "--api-group=flexlbf.io", "--namespaced=true", "-o", "name"
    )
    wanted = {
        definition_of(model).crd_name
        for model in MODELS.values()
        if definition_of(model).scope is Scope.NAMESPACED
    }
    assert (
        set(listed.split())
        == wanted
        == {
            "backuphistories.flexlbf.io",
            "backuppolicies.flexlbf.io",
            "backupsets.flexlbf.io",
        }
    )
