"""The sample manifests are up to date, valid, and lead to plans without complaints."""

import json
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from flexlbf.api.v1alpha1 import KINDS, BackupClass, BackupPolicy, BackupSet, TapePool
from flexlbf.cli.resourcefiles import load
from flexlbf.planning.workload import plannable_objects
from flexlbf.samples import servers
from flexlbf.samples.manifests import manifests

SAMPLES = Path(__file__).parents[3] / "config/samples"
LAST_APPLIED_LIMIT = 262_144
"""What `kubectl apply` may keep of a resource in an annotation."""

MODELS = {model.DEFINITION.kind: model for model in KINDS}
COMMITTED = sorted(SAMPLES.rglob("*.yaml"))


@cache
def parsed(path: Path) -> list[dict[str, Any]]:
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return list(yaml.load_all(path.read_text(encoding="utf-8"), loader))


def of_kind(kind: str) -> list[Any]:
    """The resources of a kind that are no part of the demo."""
    found = [each for path in SAMPLES.glob("*.yaml") for each in parsed(path)]
    return [MODELS[kind].read(each) for each in found if each["kind"] == kind]


def below_samples(path: Path) -> str:
    return str(path.relative_to(SAMPLES))


def test_the_committed_samples_are_up_to_date_and_no_others_lie_beside_them():
    committed = {path.name: path.read_text(encoding="utf-8") for path in SAMPLES.glob("*.yaml")}
    assert committed == manifests(), "run: flexlbf samples -o config/samples"


@pytest.mark.parametrize("path", COMMITTED, ids=below_samples)
def test_every_committed_sample_is_valid(path: Path):
    for each in parsed(path):
        if each["apiVersion"].startswith("flexlbf.io/"):
            MODELS[each["kind"]].read(each)


@pytest.mark.parametrize("path", COMMITTED, ids=below_samples)
def test_kubectl_apply_can_keep_every_sample(path: Path):
    assert path.stat().st_size < LAST_APPLIED_LIMIT
    for each in parsed(path):
        assert len(json.dumps(each)) < LAST_APPLIED_LIMIT


def test_the_pool_is_the_papers():
    pool: TapePool = of_kind("TapePool")[0]
    (group,) = pool.spec.drives
    assert (pool.metadata.name, group.name, group.count) == ("lto", "lto", 4)
    assert (group.max_throughput, group.max_agents) == (80_000_000, 10)


def test_a_set_predicts_what_its_server_does():
    sets: list[BackupSet] = of_kind("BackupSet")
    assert [each.metadata.name for each in sets] == [f"server{n}" for n in range(1, 9)]
    for each, origin in zip(sets, servers(), strict=True):
        assert [one.job for one in plannable_objects([each], {})] == origin.jobs()


def test_every_policy_only_recommends_and_names_what_there_is():
    policies: list[BackupPolicy] = of_kind("BackupPolicy")
    assert len(policies) == 8
    assert {each.spec.mode for each in policies} == {"Recommend"}
    assert {each.spec.tape_pool for each in policies} == {"lto"}
    assert {each.spec.backup_class for each in policies} == {"directory"}
    assert [each.spec.backup_sets.names for each in policies] == [(each.metadata.name,) for each in policies]


def test_every_objective_is_shown():
    objectives = [each.spec.objective for each in of_kind("BackupPolicy")]
    assert (objectives.count("WithinPercent"), objectives.count("Deadline")) == (1, 1)


def test_schedules_are_on_different_nights():
    schedules = [each.spec.schedule for each in of_kind("BackupPolicy")]
    assert len(set(schedules)) == 8
    assert len({schedule.split()[-1] for schedule in schedules}) == 7


def test_the_agent_keeps_one_power_of_roots():
    backup_class: BackupClass = of_kind("BackupClass")[0]
    (container,) = backup_class.spec.pod_template.pod_spec()["containers"]
    security = container["securityContext"]
    assert (container["name"], container["args"]) == ("agent", ["agent"])
    assert security["capabilities"] == {"drop": ["ALL"], "add": ["DAC_READ_SEARCH"]}
    assert security["readOnlyRootFilesystem"]
    assert not security["allowPrivilegeEscalation"]


def test_every_policy_can_be_planned_and_fits_its_window():
    fleet = load([str(SAMPLES)], "default")
    for policy in fleet.policies():
        planned = fleet.plan(policy, datetime(2026, 2, 1, tzinfo=UTC))
        conditions = {each["type"]: each for each in planned.policy["status"]["conditions"]}
        assert planned.plan.stalled is None
        assert conditions["WindowFit"]["status"] == "True", conditions["WindowFit"]["message"]
        assert not planned.cron_jobs
