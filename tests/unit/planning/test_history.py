"""Measured runs become estimates, and a session is held against the forecast that there was for it."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from flexlbf.api.v1alpha1 import BackupSet
from flexlbf.history.ledger import RecordedRun
from flexlbf.manifests.names import is_session_of, managed_session_name, planned_session_name
from flexlbf.planning.drift import SHOWN
from flexlbf.planning.offline import Fleet
from flexlbf.planning.plan import Plan
from flexlbf.planning.snapshot import Histories, read
from flexlbf.planning.status import ScheduleTimes, planned_status
from flexlbf.planning.workload import PlannableObject, plannable_objects
from flexlbf.scheduling.units import MICROBYTES_PER_BYTE, NANOSECONDS
from support.resources import Raw, Set, a_class, a_config_map, a_policy, a_pool, a_set
from unit.planning.snapshots import NOW, Scene, with_status

NIGHT = datetime(2026, 1, 3, 22, tzinfo=UTC)


def a_run(
    minutes: float, size: int | None = 10**9, *, night: int = 0, after: float = 0, policy: str = "weekly"
) -> RecordedRun:
    """A run on one of several nights, so many minutes after the session's start."""
    begins = NIGHT + timedelta(days=night)
    start = begins + timedelta(minutes=after)
    session = planned_session_name(policy, begins)
    return RecordedRun(session, start, round(minutes * 60 * NANOSECONDS), size)


def planned(
    backup_set: Set, runs: Sequence[RecordedRun], name: str = "fs:/a", **maps: Raw
) -> PlannableObject:
    """The one object of a set with a history."""
    parsed = read(BackupSet, backup_set.observed("backup"))
    contents = {key: raw["data"] for key, raw in maps.items()}
    (found,) = plannable_objects([parsed], contents, {"fleet": {name: tuple(runs)}})
    return found


def test_a_measured_run_takes_the_place_of_an_estimate():
    """Its duration, and its bytes over that."""
    found = planned(a_set().with_object("fs:/a", "1h", "50M"), [a_run(10, 6 * 10**9)])
    assert found.job.duration == 600 * NANOSECONDS
    assert found.job.rate == 10_000_000 * MICROBYTES_PER_BYTE
    assert found.size == 6 * 10**9
    assert found.measured


def test_given_and_recorded_history_are_one():
    """By start; of two that began at one instant the recorded one counts."""
    given = [
        {"start": "2026-01-02T22:00:00Z", "duration": "10m", "bytes": "6G"},
        {"start": "2026-01-03T22:00:00Z", "duration": "99h", "bytes": "6G"},
    ]
    found = planned(a_set().with_unmeasured("fs:/a", history=given), [a_run(20, 6 * 10**9)])
    assert found.job.duration == 1200 * NANOSECONDS
    assert found.job.rate == 7_500_000 * MICROBYTES_PER_BYTE  # the mean of 10 MB/s and 5 MB/s


def test_newer_history_of_a_config_map_counts_before_an_older_run():
    """Whoever keeps a catalog keeps it for that."""
    catalog = a_config_map(
        "catalog",
        history_csv="object,start,end,bytes\nfs:/a,2026-01-04T22:00:00Z,2026-01-04T23:00:00Z,1000\n",
    )
    backup_set = a_set().with_unmeasured("fs:/a").with_history_from("catalog")
    assert planned(backup_set, [a_run(20)], catalog=catalog).job.duration == 3600 * NANOSECONDS


def test_a_run_that_does_not_tell_its_bytes_leaves_the_throughput_as_it_was():
    """By the runs before it that do, else by the estimate."""
    runs = [a_run(10, 6 * 10**9), a_run(20, None, night=1)]
    found = planned(a_set().with_object("fs:/a", "1h", "50M"), runs)
    assert found.job.duration == 1200 * NANOSECONDS
    assert found.job.rate == 10_000_000 * MICROBYTES_PER_BYTE
    assert found.size == 6 * 10**9
    estimated = planned(a_set().with_object("fs:/a", "1h", "50M"), runs[1:])
    assert estimated.job.rate == 50_000_000 * MICROBYTES_PER_BYTE
    assert estimated.size == 1200 * 50_000_000


def test_of_what_never_tells_its_bytes_the_rate_is_that_of_the_others():
    """And nothing, if nobody tells."""
    both = a_set().with_unmeasured("fs:/a").with_object("fs:/b", "1h", "50M")
    parsed = read(BackupSet, both.observed("backup"))
    first, _ = plannable_objects([parsed], {}, {"fleet": {"fs:/a": (a_run(10, None),)}})
    assert (first.job.duration, first.job.rate) == (600 * NANOSECONDS, 50_000_000 * MICROBYTES_PER_BYTE)
    assert planned(a_set().with_unmeasured("fs:/a"), [a_run(10, None)]).job.rate == 0


def test_sessions_are_known_by_their_names():
    """Those of the plan, of the session's CronJob and of run tokens, and of no other policy."""
    start = datetime(2026, 1, 3, 22, tzinfo=UTC)
    for name in (planned_session_name("weekly", start), managed_session_name("weekly", "1a2b3c4d-0000")):
        assert is_session_of("weekly", name)
        assert not is_session_of("week", name)
        assert not is_session_of("weekly-2", name)
    assert not is_session_of("weekly", planned_session_name("weekly-run-2", start))


# Drift.


def scene(estimates: dict[str, str], histories: Histories | None = None, **policy: object) -> Scene:
    """A policy of objects with estimates, and a history."""
    objects = a_set()
    for name, duration in estimates.items():
        objects = objects.with_object(name, duration, "1M")
    return Scene(policy=a_policy().setting(**policy), sets=(objects,), histories=histories or {})


def status_of(before: Plan, after: Plan, policy: Raw) -> Raw:
    """The status after a session, of a policy whose status was that of the plan before it."""
    first = planned_status(policy, before, ScheduleTimes(), cron_jobs=1, now=NOW)
    return planned_status(with_status(policy, first), after, ScheduleTimes(), cron_jobs=1, now=NOW)


def drifted(status: Raw) -> tuple[str, str, str]:
    """Status, reason and message of the condition."""
    (found,) = (each for each in status["conditions"] if each["type"] == "Drifted")
    return found["status"], found["reason"], found["message"]


ESTIMATES = {"fs:/long": "100m", "fs:/short": "5m"}


def session(long: float, short: float, night: int = 0) -> Histories:
    """The runs of the two objects in one session."""
    return {"fleet": {"fs:/long": (a_run(long, night=night),), "fs:/short": (a_run(short, night=night),)}}


def test_no_session_no_verdict():
    """Until one was measured."""
    plan = scene(ESTIMATES).plan()
    policy = a_policy().observed("backup")
    assert drifted(planned_status(policy, plan, ScheduleTimes(), cron_jobs=1, now=NOW))[:2] == (
        "Unknown",
        "NoSessionYet",
    )


@pytest.mark.parametrize(
    ("long", "short", "percent", "want"),
    [
        pytest.param(110, 5, 25, "False", id="within the threshold"),
        pytest.param(126, 5, 25, "True", id="beyond it"),
        pytest.param(74, 5, 25, "True", id="shorter counts, too"),
        pytest.param(110, 5, 9, "True", id="another threshold"),
        pytest.param(100, 9.9, 25, "False", id="a small object does not matter"),
        pytest.param(100, 12, 25, "True", id="one that became a tenth of the session does"),
    ],
)
def test_a_policy_has_drifted_when_what_matters_is_off(long: float, short: float, percent: int, want: str):
    """By more than its threshold."""
    before = scene(ESTIMATES, driftPercent=percent)
    after = scene(ESTIMATES, session(long, short), driftPercent=percent)
    status = status_of(before.plan(), after.plan(), after.policy.observed("backup"))
    assert drifted(status)[0] == want
    assert status["lastSession"]["forecast"] == "1h40m"
    assert status["lastSession"]["objects"] == 2


def test_the_message_names_who_did_it_with_both_figures():
    """The worst first, five at most."""
    estimates = {f"fs:/{index}": "100m" for index in range(8)}
    runs: Histories = {
        "fleet": {name: (a_run(130 + index),) for index, name in enumerate(estimates)},
    }
    after = scene(estimates, runs)
    status = status_of(scene(estimates).plan(), after.plan(), after.policy.observed("backup"))
    _, reason, message = drifted(status)
    assert reason == "ForecastMissed"
    assert "took 2h17m where 1h40m was forecast" in message
    assert "'fs:/7' (2h17m instead of 1h40m)" in message
    assert message.count(" instead of ") == SHOWN
    assert "and 3 more" in message


def test_a_session_may_be_late_without_any_object_being_slow():
    """Drives that were not there, starts that came late: the message says that no object did it."""
    late: Histories = {"fleet": {"fs:/long": (a_run(100),), "fs:/short": (a_run(5, after=140),)}}
    after = scene(ESTIMATES, late)
    status = status_of(scene(ESTIMATES).plan(), after.plan(), after.policy.observed("backup"))
    assert drifted(status)[0] == "True"
    assert "no single object" in drifted(status)[2]


def test_the_verdict_is_the_same_after_a_restart_and_after_another_plan():
    """The forecast is kept with the session: a later plan's is another one."""
    after = scene(ESTIMATES, session(150, 5))
    policy = after.policy.observed("backup")
    first = status_of(scene(ESTIMATES).plan(), after.plan(), policy)
    assert first["schedule"]["duration"] == "2h30m"
    again = planned_status(with_status(policy, first), after.plan(), ScheduleTimes(), cron_jobs=1, now=NOW)
    assert again["lastSession"] == first["lastSession"]
    assert drifted(again) == drifted(first)


def test_a_policy_made_anew_judges_by_the_objects_alone():
    """What was forecast for the session nobody knows any more; what was known of objects is recorded."""
    before, last = session(100, 5)["fleet"], session(150, 5, night=7)["fleet"]
    runs: Histories = {"fleet": {name: (*before[name], *last[name]) for name in before}}
    after = scene({}, runs).having(sets=(a_set().with_unmeasured("fs:/long").with_unmeasured("fs:/short"),))
    policy = after.policy.observed("backup")
    status = planned_status(policy, after.plan(), ScheduleTimes(), cron_jobs=1, now=NOW)
    assert "forecast" not in status["lastSession"]
    assert "'fs:/long' (2h30m instead of 1h40m)" in drifted(status)[2]


def test_runs_of_another_policy_are_no_session_of_this_one():
    """They may share a set: its estimates are better, and no forecast was missed."""
    runs: Histories = {"fleet": {"fs:/long": (a_run(500, policy="other"),)}}
    plan = scene(ESTIMATES, runs).plan()
    assert plan.measured is None
    assert plan.figures["recommendation"]["duration"] == "8h20m"


def test_files_with_histories_are_planned_with_them():
    """As the operator would: what `kubectl get bset,bpol,bhist -o yaml` gives."""
    history = {
        "apiVersion": "flexlbf.io/v1alpha1",
        "kind": "BackupHistory",
        "metadata": {"name": "fleet-0"},
        "spec": {
            "backupSet": "fleet",
            "objects": [
                {
                    "name": "fs:/d0",
                    "runs": [{"start": "2026-01-03T22:00:00Z", "duration": "7h", "session": "a-1"}],
                }
            ],
        },
    }
    fleet = Fleet()
    for each in (a_pool().with_drives(), a_class(), a_set().with_objects(3), a_policy()):
        fleet.add(each.build())
    fleet.add(history)
    (policy,) = fleet.policies()
    shown = fleet.plan(policy, NOW).policy["status"]
    assert (shown["workload"]["longestObject"], shown["workload"]["longestDuration"]) == ("fs:/d0", "7h")
