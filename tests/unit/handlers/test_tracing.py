"""Traces go to the collector that the environment names, and nobody waits for it."""

import asyncio
import threading

import pytest

from flexlbf.handlers.tracing import EXPORT_SECONDS, STOP_SECONDS, span, tracing
from support.tracecollector import silent_collector, trace_collector

PATIENCE = 60.0


@pytest.fixture(autouse=True)
def _no_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)


def test_without_a_collector_nothing_is_traced():
    before = threading.active_count()
    with tracing() as on, span("plan", policy="weekly"):
        assert not on
        assert threading.active_count() == before


async def test_spans_lie_within_each_other_also_over_tasks(monkeypatch: pytest.MonkeyPatch):
    """And what fails is marked."""

    async def failing() -> None:
        with span("apply", policy="weekly", cron_jobs=3):
            raise LookupError

    with trace_collector() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint)
        with tracing() as on:
            assert on
            with span("reconcile", namespace="backup"), pytest.raises(LookupError):
                await asyncio.create_task(failing())
            with span("alone"):
                pass
        (outer,) = collector.named("reconcile", namespace="backup")
        (inner,) = collector.named("apply", policy="weekly", cron_jobs=3)
        (alone,) = collector.named("alone")
    assert (inner.parent, inner.trace) == (outer.id, outer.trace)
    assert (outer.parent, alone.parent) == (b"", b"")
    assert alone.trace != outer.trace
    assert (inner.failed, outer.failed) == (True, False)
    assert {each.service for each in collector.spans} == {"flexlbf-operator"}


def test_after_it_nothing_is_traced_any_more(monkeypatch: pytest.MonkeyPatch):
    with trace_collector() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint)
        with tracing(), span("within"):
            pass
        with span("after"):
            pass
    assert [each.name for each in collector.spans] == ["within"]


@pytest.mark.slow
@pytest.mark.parametrize("answers", [False, None], ids=["refuses", "never answers"])
def test_a_collector_that_is_dead_holds_nothing_up(answers: bool | None, monkeypatch: pytest.MonkeyPatch):
    """Neither the work, of which more is traced than is ever kept, nor the end."""
    with silent_collector() as silent:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", silent if answers is None else "http://127.0.0.1:9")
        done, before = threading.Event(), set(threading.enumerate())

        def work() -> None:
            with tracing():
                for number in range(5000):
                    with span("plan", number=number):
                        pass
            done.set()

        working = threading.Thread(target=work, daemon=True)
        working.start()
        assert done.wait(PATIENCE), f"still at it, where {STOP_SECONDS} s are the most that it may wait"
        for each in set(threading.enumerate()) - before:
            each.join(2 * EXPORT_SECONDS)  # the batch that is underway, and none of those behind it
            assert not each.is_alive()
