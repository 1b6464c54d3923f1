"""`--per-host` limits the streams of the hosts that JOBS.csv names."""

from pathlib import Path

import pytest

from support.resources import a_policy, a_set
from unit.cli.manifestfiles import site
from unit.cli.terminal import a_file, flexlbf

POOL = ("--drives", 2, "--max-agents", 10, "--max-throughput", 80)
JSON = ("-o", "json")


@pytest.fixture
def clients(tmp_path: Path) -> Path:
    """Three objects of one host, and one of none."""
    return a_file(
        tmp_path,
        "object,duration_s,throughput_mbps,host",
        *("a,3600,10,fs1", "b,3000,10,fs1", "c,1800,10,fs1", "d,1200,10,"),
    )


def test_objects_of_a_host_come_one_after_another(clients: Path):
    data = flexlbf("simulate", clients, *POOL, "--per-host", 1, *JSON).data()
    assert (data["makespan_s"], data["lower_bound_s"]) == (8400, 8400)
    assert (data["bound_by"], data["bound_host"]) == ("Host", "fs1")
    assert {each["object"]: each["start_s"] for each in data["assignments"]} == {
        "a": 0,
        "d": 0,
        "b": 3600,
        "c": 6600,
    }


@pytest.mark.parametrize("scheduler", ["flexlbf", "flexlbf-backfill", "optimized", "lbf", "traditional"])
def test_every_scheduler_keeps_to_it(clients: Path, scheduler: str):
    data = flexlbf("simulate", clients, *POOL, "--per-host", 1, "--scheduler", scheduler, *JSON).data()
    assert data["makespan_s"] == 8400


def test_without_a_limit_hosts_do_not_matter(clients: Path):
    data = flexlbf("simulate", clients, *POOL, *JSON).data()
    assert data["makespan_s"] == 3600
    assert "bound_host" not in data


def test_the_tuner_keeps_to_it_and_so_do_the_baselines(clients: Path):
    data = flexlbf("tune", clients, *POOL, "--per-host", 2, *JSON).data()
    assert (data["drives"], data["max_agents"], data["makespan_s"]) == (1, 2, 4800)
    tuned = flexlbf("tune", clients, *POOL, "--per-host", 1, *JSON).data()
    assert (tuned["drives"], tuned["max_agents"], tuned["bound_by"]) == (1, 2, "Host")
    assert tuned["bound_host"] == "fs1"
    assert tuned["compared_to"]["lbf"]["makespan_s"] == 8400
    assert tuned["compared_to"]["traditional"]["makespan_s"] == 8400


def test_history_may_name_hosts_too(tmp_path: Path):
    rows = [f"{name},2026-01-02T22:00:00Z,2026-01-02T23:00:00Z,1000000000,fs1" for name in "ab"]
    history = a_file(tmp_path, "object,start,end,bytes,host", *rows)
    assert flexlbf("simulate", history, *POOL, "--per-host", 1, *JSON).data()["makespan_s"] == 7200


def test_what_if_keeps_to_it(clients: Path):
    data = flexlbf("whatif", clients, *POOL, "--per-host", 1, "--runs", 2, "--sigma", 0, *JSON).data()
    faster = [each["makespan_s"] for each in data["answers"] if each["question"] == "OtherDrives"]
    assert faster == [8400]


def test_tables_tell_the_limit_and_the_host_that_holds_a_session_up(clients: Path):
    limit = "A host sends at most 1 stream at a time, of the 1 host that are named."
    for command in ("simulate", "tune"):
        out = " ".join(flexlbf(command, clients, *POOL, "--per-host", 1).out.split())
        assert limit in out
        assert "the objects of host fs1 take that long at 1 stream at a time." in out


def test_no_drives_or_agents_are_recommended_where_a_host_is_the_reason(clients: Path):
    out = flexlbf("tune", clients, *POOL, "--per-host", 1, "--deadline", "2h").out
    assert (
        "Neither drives nor agents would help: the objects of host fs1 take 2h20m at 1 stream at a time. "
        "Allow more with --per-host, or allow that much time."
    ) in " ".join(out.split())


def test_a_limit_that_limits_nothing_is_told(jobs: Path):
    mistake = flexlbf("simulate", jobs, *POOL, "--per-host", 1).mistake()
    assert mistake.endswith("--per-host limits nothing, as no object has a host: add the column host")


def test_a_policy_says_its_limit_itself(tmp_path: Path):
    mistake = flexlbf("whatif", "-f", tmp_path, "--per-host", 1).mistake()
    assert mistake == "Error: --per-host goes with JOBS.csv: in a policy, write spec.limits.perHost"


def test_a_plan_names_the_host_that_it_is_bound_by(tmp_path: Path):
    objects = a_set().with_object("a", "2h", "10M", host="fs1").with_object("b", "1h", "10M", host="fs1")
    policy = a_policy().setting(limits={"perHost": 1})
    folder = site(tmp_path, objects=objects, policy=policy)
    out = " ".join(flexlbf("plan", "-f", folder).out.split())
    assert "beats 3h (the objects of host fs1, which wait for each other), so this one is optimal" in out
    items = flexlbf("plan", "-f", folder, *JSON).data()["items"]
    (planned,) = [each for each in items if each["kind"] == "BackupPolicy"]
    assert planned["status"]["recommendation"]["boundHost"] == "fs1"
