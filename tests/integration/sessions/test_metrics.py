"""What Prometheus sees of a session, while it runs and afterwards."""

import re
import time

import pytest

from flexlbf.handlers.metrics.declared import METRICS, Kind
from flexlbf.scheduling import FlexLBF, Job
from flexlbf.scheduling.units import MICROBYTES_PER_BYTE, NANOSECONDS
from integration.handlers.cluster import eventually
from integration.handlers.operatorprocess import OperatorProcess
from integration.sessions.theatre import Theatre
from integration.sessions.workload import Library, lasting
from support.prometheus import promtool, queries, selectors
from support.scrape import Scrape
from support.streamlog import Stream

pytestmark = pytest.mark.integration

LIBRARY = Library(count=2, mbps=20, max_agents=4)
PATIENCE = 240.0


@pytest.mark.usefixtures("operator")
def test_a_session_is_seen_while_it_runs_and_kept_in_figures_afterwards(
    theatre: Theatre, operator_process: OperatorProcess
):
    """A policy that is deleted then takes its series along."""
    work = lasting(8, 12, LIBRARY)
    theatre.with_drives(LIBRARY)
    theatre.with_class()
    theatre.adaptive(work)
    mine = {"namespace": theatre.namespace, "policy": "weekly"}
    begun = time.time()
    session = theatre.begin()

    def underway() -> Scrape:
        scrape = Scrape.at(operator_process.metrics)
        assert scrape.value("flexlbf_session_running", **mine) == 1
        assert scrape.samples("flexlbf_session_expected_end_timestamp_seconds", **mine)
        assert scrape.value("flexlbf_session_streams", **mine) > 0
        return scrape

    during = eventually(underway)
    forecast = during.value("flexlbf_policy_forecast_seconds", **mine)
    assert forecast == pytest.approx(work.makespan(LIBRARY.drives, FlexLBF()), rel=0.01)
    assert_seen_running(during, theatre.namespace, begun, forecast)
    theatre.await_end(session, PATIENCE)
    ended = time.time()

    def counted() -> Scrape:
        scrape = Scrape.at(operator_process.metrics)
        assert scrape.value("flexlbf_last_session_objects", **mine) == len(work.jobs)
        # The status, which has the forecast of that time, is written after the plan was made.
        assert scrape.samples("flexlbf_last_session_forecast_seconds", **mine)
        return scrape

    after = eventually(counted)
    assert_figures(after, theatre.namespace, theatre.streams(session), begun, ended)
    size = sum(bytes_of(job) for job in work.jobs)
    assert after.value("flexlbf_last_session_bytes", **mine) == size
    assert_declared(after, during)
    assert_answered(after, during)
    promtool("check", "metrics", text=during.text)
    theatre.delete("BackupPolicy", "weekly")
    eventually(lambda: assert_gone(Scrape.at(operator_process.metrics), theatre.namespace))


def assert_seen_running(scrape: Scrape, namespace: str, begun: float, forecast: float) -> None:
    """What a running session promises, and what its drives have to do."""
    mine = {"namespace": namespace, "policy": "weekly"}
    started = scrape.value("flexlbf_session_start_timestamp_seconds", **mine)
    assert begun - 1 <= started <= time.time()
    window = scrape.value("flexlbf_policy_window_seconds", **mine)
    assert window == 8 * 3600
    window_end = scrape.value("flexlbf_session_window_end_timestamp_seconds", **mine)
    assert window_end == pytest.approx(begun + window, abs=30)
    expected = scrape.value("flexlbf_session_expected_end_timestamp_seconds", **mine)
    assert started < expected < started + 10 * forecast + 30
    streams = scrape.samples("flexlbf_drive_streams", pool=namespace)
    rates = scrape.samples("flexlbf_drive_assigned_bytes_per_second", pool=namespace)
    assert sum(each.value for each in streams) == scrape.value("flexlbf_session_streams", **mine)
    assert 0 < max(each.value for each in rates) <= LIBRARY.mbps * 1e6
    for drive in LIBRARY.limits:
        named = {"pool": namespace, "drive": drive}
        assert scrape.value("flexlbf_drive_max_throughput_bytes_per_second", **named) == LIBRARY.mbps * 1e6
        assert scrape.value("flexlbf_drive_max_agents", **named) == LIBRARY.max_agents
        assert scrape.value("flexlbf_drive_available", **named) == 1


def assert_figures(scrape: Scrape, namespace: str, streams: list[Stream], begun: float, ended: float) -> None:
    """What the session came to, by the audit log; the metrics have it from the containers and the watch."""
    mine = {"namespace": namespace, "policy": "weekly"}
    moments = [(each.created.at, each.ended.at) for each in streams if each.ended]
    assert len(moments) == len(streams)
    length = max(end for _, end in moments) - min(start for start, _ in moments)
    assert scrape.value("flexlbf_last_session_seconds", **mine) == pytest.approx(length, abs=5)
    assert scrape.value("flexlbf_session_objects", **mine, state="done") == len(streams)
    assert scrape.value("flexlbf_session_running", **mine) == 0
    assert begun <= scrape.value("flexlbf_policy_last_success_timestamp_seconds", **mine) <= ended + 1
    assert scrape.value("flexlbf_policy_objects_never_backed_up", **mine) == 0
    for condition, holds in {"Ready": 1, "WindowFit": 1, "Stalled": 0, "SessionComplete": 1}.items():
        assert scrape.value("flexlbf_policy_condition", **mine, condition=condition) == holds
    for drive in LIBRARY.limits:
        own = [(each.created.at, each.ended.at) for each in streams if each.drive == drive and each.ended]
        busy = scrape.value("flexlbf_drive_busy_seconds_total", pool=namespace, drive=drive)
        assert busy == pytest.approx(covered(own), abs=3)
        assert scrape.value("flexlbf_drive_streams", pool=namespace, drive=drive) == 0


def bytes_of(job: Job) -> int:
    """What a played object says to have written."""
    return job.duration * (job.rate // MICROBYTES_PER_BYTE) // NANOSECONDS


def covered(spans: list[tuple[float, float]]) -> float:
    """The seconds in which at least one of some spans lasts."""
    total, until = 0.0, float("-inf")
    for start, end in sorted(spans):
        total += max(end - max(start, until), 0.0)
        until = max(until, end)
    return total


def assert_declared(*scrapes: Scrape) -> None:
    """Every metric that is exported is declared, with its type, its words and its labels; all of them are."""
    declared = {each.name.removesuffix("_total"): each for each in METRICS}
    seen = set()
    for family in (family for scrape in scrapes for family in scrape.families.values()):
        if family.name.startswith("process_"):
            continue
        metric = declared[family.name]
        assert (family.type, family.documentation) == (metric.kind.value, metric.help)
        extra = {"le"} if metric.kind is Kind.HISTOGRAM else set()
        for sample in family.samples:
            seen.add(family.name)
            assert sample.labels.keys() - extra == set(metric.labels), sample
    assert seen == declared.keys()


def assert_answered(*scrapes: Scrape) -> None:
    """There is a series for whatever alerts and dashboard ask for."""
    samples = [sample for scrape in scrapes for sample in scrape.all()]
    for where, query in queries():
        for name, wanted in selectors(query):
            assert any(
                each.name == name
                and all(re.fullmatch(pattern, each.labels[label]) for label, pattern in wanted.items())
                for each in samples
            ), f"{where}: {name} {wanted}"


def assert_gone(scrape: Scrape, namespace: str) -> None:
    assert scrape.of_the_policy(namespace) == set()
