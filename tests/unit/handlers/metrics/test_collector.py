"""A scrape says what is there, of what this replica may tell."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import aiohttp
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, generate_latest

from flexlbf.api.v1alpha1 import Execution
from flexlbf.cluster.observed import ObservedCronJob
from flexlbf.cluster.resources import BACKUP_POLICIES, TAPE_POOLS
from flexlbf.cluster.runindex import RunIndex
from flexlbf.cluster.state import ClusterState, Key
from flexlbf.handlers.listener import Address, Listener
from flexlbf.handlers.livesession import SessionRun
from flexlbf.handlers.metrics import declared
from flexlbf.handlers.metrics.collector import OperatorCollector
from flexlbf.handlers.metrics.instruments import Instruments, MeteredQueue
from flexlbf.handlers.metrics.samples import Sources
from flexlbf.handlers.metrics.server import _samples as samples_of
from flexlbf.handlers.metrics.server import metrics_application
from flexlbf.planning.plan import Plan
from support.resources import Policy, Raw, a_policy, a_pool
from support.scrape import Scrape
from support.strategies import examples
from unit.handlers.runs import object_job
from unit.planning.snapshots import Scene

NOW = datetime(2026, 1, 10, 3, tzinfo=UTC)
KEY = Key("backup", "weekly")
MINE = {"namespace": "backup", "policy": "weekly"}


def observed(policy: Policy, **status: Any) -> Raw:
    raw = policy.observed("backup")
    raw["metadata"]["creationTimestamp"] = "2026-01-01T00:00:00Z"
    return {**raw, "status": status}


def a_cron_job(name: str, policy: Raw, created: str) -> ObservedCronJob:
    owner = {"kind": "BackupPolicy", "name": "weekly", "uid": policy["metadata"]["uid"], "controller": True}
    metadata = {
        "namespace": "backup",
        "name": name,
        "uid": name,
        "resourceVersion": "1",
        "creationTimestamp": created,
        "ownerReferences": [owner],
    }
    return ObservedCronJob.of({"metadata": metadata, "spec": {}})


class Site:
    """What an operator holds."""

    def __init__(self, plan: Plan | None = None, *, leading: bool = True) -> None:
        self.state = ClusterState()
        self.runs = RunIndex()
        self.sessions: Mapping[Key, SessionRun] = {}
        self.sources = Sources(
            self.state,
            self.runs,
            {KEY: plan}.get,
            lambda: self.sessions,
            lambda: leading,
            lambda: NOW,
            lambda: [("pods", 12.0)],
            Counter({"5xx": 3}),
        )

    def collector(self) -> OperatorCollector:
        instruments = Instruments()
        return OperatorCollector(self.sources, instruments, [MeteredQueue("plans", instruments)])

    def scrape(self) -> Scrape:
        registry = CollectorRegistry()
        registry.register(self.collector())
        return Scrape.of(generate_latest(registry).decode())


def test_who_does_not_lead_tells_only_of_itself():
    """Two that told of the same policy would be added up."""
    site = Site(Scene().plan(), leading=False)
    site.state.put(BACKUP_POLICIES, observed(a_policy()))
    site.state.put(TAPE_POOLS, a_pool().with_drives().observed())
    scrape = site.scrape()
    assert scrape.value("flexlbf_leader") == 0
    assert scrape.value("flexlbf_watch_last_event_timestamp_seconds", resource="pods") == 12
    assert scrape.value("flexlbf_api_errors_total", code="5xx") == 3
    assert not [each for each in scrape.all() if {"policy", "pool"} & each.labels.keys()]


def test_the_series_of_a_policy_and_of_a_pool_go_with_them():
    site = Site(Scene().plan())
    policy, pool = observed(a_policy()), a_pool().with_drives().observed()
    site.state.put(BACKUP_POLICIES, policy)
    site.state.put(TAPE_POOLS, pool)
    before = site.scrape()
    assert before.value("flexlbf_policy_objects", **MINE) == 1
    assert before.samples("flexlbf_drive_streams", pool="library")
    site.state.drop(BACKUP_POLICIES, policy)
    site.state.drop(TAPE_POOLS, pool)
    assert not [each for each in site.scrape().all() if {"policy", "pool"} & each.labels.keys()]


def test_a_plan_gives_its_figures_exactly():
    """Where the status rounds them for people."""
    plan = Scene().plan()
    site = Site(plan)
    schedule = {"nextScheduleTime": "2026-01-10T22:00:00Z"}
    site.state.put(BACKUP_POLICIES, observed(a_policy().setting(window="90m"), schedule=schedule))
    scrape = site.scrape()
    assert plan.forecast
    assert scrape.value("flexlbf_policy_forecast_seconds", **MINE) == plan.forecast / 1e9
    assert scrape.value("flexlbf_policy_window_seconds", **MINE) == 5400
    assert scrape.value("flexlbf_policy_schedule_longest_gap_seconds", **MINE) == 7 * 86400
    next_start = datetime(2026, 1, 10, 22, tzinfo=UTC).timestamp()
    assert scrape.value("flexlbf_policy_next_schedule_timestamp_seconds", **MINE) == next_start
    assert scrape.value("flexlbf_policy_objects_never_backed_up", **MINE) == 1
    assert not scrape.samples("flexlbf_policy_last_success_timestamp_seconds")


@pytest.mark.parametrize("fields", [{"suspend": True}, {"mode": "Recommend"}], ids=str)
def test_what_is_not_carried_out_is_not_late(fields: dict[str, Any]):
    """No gap, so nothing that a success could be held against."""
    policy = a_policy().setting(**fields)
    site = Site(Scene(policy=policy).plan())
    site.state.put(BACKUP_POLICIES, observed(policy))
    assert not site.scrape().samples("flexlbf_policy_schedule_longest_gap_seconds")


def test_a_policy_is_carried_out_since_it_has_cron_jobs():
    """From Recommend to Apply it has been waiting for a backup only since then."""
    site = Site(Scene().plan())
    policy = observed(a_policy())
    site.state.put(BACKUP_POLICIES, policy)
    applied = "flexlbf_policy_applied_timestamp_seconds"
    assert site.scrape().value(applied, **MINE) == datetime(2026, 1, 1, tzinfo=UTC).timestamp()
    for day in (9, 8):
        site.state.cron_jobs.put(a_cron_job(f"of-the-{day}th", policy, f"2026-01-0{day}T12:00:00Z"))
    assert site.scrape().value(applied, **MINE) == datetime(2026, 1, 8, 12, tzinfo=UTC).timestamp()


def test_a_scrape_says_since_when_the_process_runs():
    """An alert tells of restarts by it."""
    assert Site().scrape().value("process_start_time_seconds") > 0


def test_what_is_only_recommended_now_is_not_late_by_the_plan_of_before():
    """It may not be plannable any more, and its CronJobs are gone all the same."""
    site = Site(Scene().plan())
    site.state.put(BACKUP_POLICIES, observed(a_policy().setting(mode="Recommend")))
    assert not site.scrape().samples("flexlbf_policy_schedule_longest_gap_seconds")


@pytest.mark.parametrize(("hours", "ends"), [(1, "plan"), (60, "now")], ids=["on-time", "late"])
def test_by_cron_a_session_is_expected_to_end_as_planned_and_then_any_moment(hours: int, ends: str):
    plan = Scene().plan()
    assert plan.forecast
    began = NOW - timedelta(hours=hours) + timedelta(minutes=59)
    site = Site(plan)
    status = {"schedule": {"lastScheduleTime": began.strftime("%Y-%m-%dT%H:%M:%SZ")}}
    site.state.put(BACKUP_POLICIES, observed(a_policy().setting(window="90m"), **status))
    site.state.underway[KEY, Execution.PLANNED] = frozenset({"weekly-1"})
    scrape = site.scrape()
    planned = began + timedelta(seconds=plan.forecast / 1e9)
    end = planned if ends == "plan" else NOW
    assert scrape.value("flexlbf_session_running", **MINE) == 1
    assert scrape.value("flexlbf_session_expected_end_timestamp_seconds", **MINE) == end.timestamp()
    window_end = began + timedelta(minutes=90)
    assert scrape.value("flexlbf_session_window_end_timestamp_seconds", **MINE) == window_end.timestamp()


@pytest.mark.parametrize(("execution", "told"), [("Adaptive", 2), ("Planned", None)])
def test_what_a_session_left_out_is_told_until_the_next(execution: str, told: int | None):
    """By cron there is no next one of the operator's, so that nothing would ever take it back."""
    policy = a_policy().setting(execution=execution)
    site = Site(Scene(policy=policy).plan())
    session = {"done": 3, "failed": 2, "skipped": 0, "running": 0}
    site.state.put(BACKUP_POLICIES, observed(policy, session=session))
    found = site.scrape().samples("flexlbf_session_objects", **MINE, state="failed")
    assert [each.value for each in found] == ([] if told is None else [told])


def test_streams_are_seen_by_policy_and_by_drive():
    site = Site(Scene().plan())
    site.state.put(BACKUP_POLICIES, observed(a_policy()))
    site.state.put(TAPE_POOLS, a_pool().with_drives().observed())
    for name in ("a", "b"):
        site.runs.put_job(object_job(name))
    scrape = site.scrape()
    assert scrape.value("flexlbf_session_streams", **MINE) == 2
    drive = {"pool": "library", "drive": "lto-0"}
    assert scrape.value("flexlbf_drive_streams", **drive) == 2
    assert scrape.value("flexlbf_drive_assigned_bytes_per_second", **drive) == 2 * 1000000.5
    assert scrape.value("flexlbf_drive_busy_seconds_total", **drive) >= 0


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=4,
)
TEXT = st.text(max_size=9)
CONDITIONS = st.dictionaries(TEXT, TEXT).map(
    lambda found: [{"type": kind, "status": status} for kind, status in found.items()]
)
STATUS = st.fixed_dictionaries(
    {},
    optional={
        "conditions": CONDITIONS,
        "session": st.dictionaries(st.sampled_from(["running", "done", "failed"]), st.integers(0, 9)),
        "lastSession": st.dictionaries(st.sampled_from(["name", "forecast"]), JSON),
        "schedule": st.dictionaries(st.sampled_from(["nextScheduleTime", "lastScheduleTime"]), JSON),
    },
)


@given(STATUS)
@examples(100)
def test_no_status_keeps_the_rest_from_being_told(status: dict[str, Any]):
    """Somebody else may have written it; what is of the schema's shape is as far as it goes."""
    site = Site(Scene(policy=a_policy()).plan())
    site.state.put(BACKUP_POLICIES, {**observed(a_policy()), "status": status})
    assert site.scrape().value("flexlbf_policy_objects", **MINE) == 1


async def test_the_event_loop_goes_on_while_many_policies_are_read():
    """A Lease is renewed on it, and thousands of policies take seconds; one that goes then does no harm."""
    site = Site(Scene().plan())
    policies = [observed(a_policy(f"weekly-{number}")) for number in range(1000)]
    for each in policies:
        site.state.put(BACKUP_POLICIES, each)
    reading = asyncio.create_task(samples_of(site.collector()))
    turns = 0
    while not reading.done():
        turns += 1
        if turns == 3:
            site.state.drop(BACKUP_POLICIES, policies[-1])
        await asyncio.sleep(0)
    assert turns > 10
    assert len({sample.labels for sample in reading.result() if sample.metric is declared.INFO}) == 1000


async def test_a_scrape_is_answered_in_the_format_that_is_asked_for():
    application = metrics_application(Site().collector())
    async with (
        Listener(application, Address("127.0.0.1", 0)) as listener,
        aiohttp.ClientSession() as session,
    ):
        url = f"http://{listener.address}/metrics"
        async with session.get(url) as answer:
            assert answer.headers["Content-Type"].startswith("text/plain; version=")
            assert Scrape.of(await answer.text()).value("flexlbf_leader") == 1
        async with session.get(url, headers={"Accept": "application/openmetrics-text"}) as answer:
            assert answer.headers["Content-Type"].startswith("application/openmetrics-text")
            text = await answer.text()
            assert "\nflexlbf_leader 1.0\n" in text
            assert text.endswith("# EOF\n")
