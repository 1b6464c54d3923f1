"""`flexlbf plan`: its table tells every policy's plan, whoever starts the objects and whatever bounds it."""

from pathlib import Path

import pytest

from support.resources import Raw, Set, a_policy, a_set
from unit.cli.manifestfiles import site
from unit.cli.terminal import flexlbf

FAST = (
    a_set()
    .with_object("mail", "4h", "18M")
    .with_object("dumps", "3h", "30M")
    .with_object("home", "2h30m", "12M")
    .with_object("projects", "2h", "16M")
    .with_object("media", "90m", "35M")
    .with_object("git", "1h", "9M")
)
ONE_HOST = a_set().with_objects(4, minutes=60).on_host("fs1").with_object("other", "2h")


def test_a_planned_policy_has_a_cron_job_for_each_object(tmp_path: Path):
    lines = flexlbf("plan", "-f", site(tmp_path)).out.splitlines()
    (longest,) = [line.split() for line in lines if line.startswith("weekly-long-")]
    assert longest[-3:] == ["+0m", "lto-0", "long"]


def test_an_adaptive_policy_has_one_that_starts_the_session(tmp_path: Path):
    out = flexlbf("plan", "-f", site(tmp_path, policy=a_policy().setting(execution="Adaptive"))).out
    (cron_job,) = [line for line in out.splitlines() if line.startswith("weekly-")]
    assert "the session, object by object" in cron_job


@pytest.mark.parametrize(
    ("objects", "fields", "told"),
    [
        (a_set().with_object("long", "2h").with_object("short"), {}, "its longest object"),
        (a_set().with_objects(9, minutes=60), {"limits": {"drives": 1, "maxAgents": 2}}, "over the agents"),
        (FAST, {"limits": {"drives": 1}}, "what its objects ask of the drives' rate"),
        (ONE_HOST, {"limits": {"perHost": 1}}, "the objects of host fs1"),
    ],
    ids=["longest object", "agents", "throughput", "host"],
)
def test_what_bounds_the_session_is_told(objects: Set, fields: Raw, told: str, tmp_path: Path):
    manifests = site(tmp_path, objects=objects, policy=a_policy().setting(**fields))
    assert told in " ".join(flexlbf("plan", "-f", manifests).out.split())
