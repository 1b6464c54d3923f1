"""What is kept of runs: the same in whatever order they come, and never much."""

import json
import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexlbf.api.v1alpha1 import BackupHistory
from flexlbf.api.v1alpha1.backuphistory import MAX_ENTRIES, MAX_RUNS
from flexlbf.history.ledger import (
    COUNTED_RUNS,
    KEPT_RUNS,
    SHARD_OBJECTS,
    Entry,
    Outcome,
    Run,
    Shard,
    counted,
    merged,
    outcomes,
    record,
)
from flexlbf.manifests.backuphistory import backup_history, read_shard
from flexlbf.scheduling.units import NANOSECONDS
from support.strategies import examples

NIGHT = datetime(2026, 1, 5, 22, tzinfo=UTC)
LIMIT = 300 * 1024
"""Bytes of JSON that no shard may reach."""

WIDEST = "\U0001f4be"
"""A character of four bytes."""


def a_run(
    obj: str = "fs:/a",
    night: int = 0,
    seconds: float = 60,
    size: int | None = 10**9,
    *,
    succeeded: bool = True,
    attempt: int = 1,
) -> Run:
    """One run, on one of several nights."""
    start = NIGHT + timedelta(days=night, minutes=attempt)
    length = round(seconds * NANOSECONDS)
    return Run("fleet", obj, f"weekly-{night}", start, length, size, succeeded, attempt)


def applied(shards: Sequence[Shard], runs: Sequence[Run], known: Sequence[str]) -> list[Shard]:
    """All shards as they are after recording."""
    there = {shard.number: shard for shard in shards}
    return list((there | {shard.number: shard for shard in record(shards, runs, known)}).values())


def entries(shards: Sequence[Shard]) -> dict[str, Entry]:
    """What is kept of each object, wherever it is."""
    return {name: entry for shard in shards for name, entry in shard.entries.items()}


OBJECTS = ("fs:/a", "fs:/b", "fs:/c")
RUNS = st.lists(
    st.builds(
        a_run,
        obj=st.sampled_from(OBJECTS),
        night=st.integers(0, 9),
        seconds=st.sampled_from([0.0004, 1, 59.9994, 3600]),
        size=st.sampled_from([None, 0, 1, 10**12]),
        succeeded=st.booleans(),
        attempt=st.integers(1, 3),
    ),
    max_size=30,
)


@given(runs=RUNS, seed=st.integers(0, 99), cuts=st.lists(st.integers(0, 30), max_size=4))
@examples(200)
def test_order_and_batches_make_no_difference(runs: list[Run], seed: int, cuts: list[int]):
    """Events come as they like, and a restart records again what is recorded."""
    shuffled = random.Random(seed).sample(runs, len(runs))
    at_once = applied([], runs, OBJECTS)
    in_batches: list[Shard] = []
    for begin, end in zip([0, *sorted(cuts)], [*sorted(cuts), len(runs)], strict=True):
        in_batches = applied(in_batches, shuffled[begin:end], OBJECTS)
    assert entries(in_batches) == entries(at_once)
    assert record(at_once, shuffled, OBJECTS) == []


@given(runs=RUNS)
@examples(100)
def test_what_is_stored_is_read_back_and_is_not_written_again(runs: list[Run]):
    """The API counts in milliseconds and knows no zero bytes: what is kept must survive that."""
    for shard in applied([], runs, OBJECTS):
        raw = backup_history("backup", "fleet", "uid", shard)
        assert read_shard(json.loads(json.dumps(raw))) == ("fleet", shard)
        assert record([read_shard(raw)[1]], runs, OBJECTS) == []


def test_only_the_latest_runs_are_kept():
    """The earliest go."""
    (shard,) = applied([], [a_run(night=night) for night in range(20)], OBJECTS)
    assert [run.session for run in shard.entries["fs:/a"].runs] == [
        f"weekly-{night}" for night in range(20 - KEPT_RUNS, 20)
    ]


def test_a_session_underway_does_not_count_and_takes_nothing_away():
    """What counts is the same before its run is recorded and after it, and another once it has ended."""
    (before,) = applied([], [a_run(night=night) for night in range(9)], OBJECTS)
    (after,) = applied([before], [a_run(night=9)], OBJECTS)
    underway = {"weekly-9"}
    known = counted(before.entries["fs:/a"], underway)
    assert len(known) == COUNTED_RUNS
    assert counted(after.entries["fs:/a"], underway) == known
    assert counted(after.entries["fs:/a"], ())[-1].session == "weekly-9"


def test_failed_runs_count_attempts_of_the_latest_session_only():
    """They say nothing of durations."""
    runs = [a_run(night=1, succeeded=False, attempt=attempt) for attempt in (1, 2)]
    shards = applied([], [*runs, a_run(night=0, succeeded=False), a_run(night=1, attempt=3)], OBJECTS)
    good = a_run(night=1)
    assert outcomes(shards, "weekly-1") == {"fs:/a": Outcome(True, 2, good.duration, good.size or 0)}
    assert outcomes(shards, "weekly-0") == {}
    assert [run.session for run in entries(shards)["fs:/a"].runs] == ["weekly-1"]


def test_an_entry_stays_where_it_is_and_new_ones_fill_up():
    """A batch of runs of known objects changes just the shards that have them."""
    names = [f"srv:/data/{index:04}" for index in range(1000)]
    shards = applied([], [a_run(name, seconds=1 + index) for index, name in enumerate(names)], names)
    home = {name: shard.number for shard in shards for name in shard.entries}
    again = record(shards, [a_run(name, night=1) for name in names[:100]], names)
    assert {shard.number for shard in again} == {home[name] for name in names[:100]}
    assert {name: shard.number for shard in again for name in shard.entries}.items() <= home.items()


def test_objects_that_are_gone_are_dropped_when_their_shard_is_written_anyway():
    """And only then; their place is taken by others."""
    names = [f"srv:/{index:04}" for index in range(600)]
    shards = applied([], [a_run(name) for name in names], names)
    assert len(shards) > 2
    first, last = (set(shard.entries) for shard in (shards[0], shards[-1]))
    left = [name for name in names if name in first and name.endswith("0")] + sorted(last)
    changed = record(shards, [a_run(left[0], night=1), a_run("srv:/new", night=1)], [*left, "srv:/new"])
    (only,) = changed
    assert only.number == shards[0].number
    assert set(only.entries) == {name for name in left if name in first} | {"srv:/new"}


def test_objects_that_are_not_in_the_set_are_not_recorded():
    """They may have been taken out while they ran."""
    assert record([], [a_run("fs:/gone")], OBJECTS) == []


@pytest.mark.slow
@pytest.mark.parametrize("filler", ["x", WIDEST, "<", '"', "é"])
def test_shards_stay_small_whatever_names_are_made_of(filler: str):
    """10,000 objects with the longest of names and figures, each shard far below the API server's limit."""
    room = 253 - len("00000")
    names = [f"{index:05}{filler * room}" for index in range(10_000 if filler == "x" else 1_000)]
    shards: list[Shard] = []
    offset = timezone(timedelta(hours=14))
    for night in range(KEPT_RUNS):
        start = datetime(2026, 1, 5 + night, 22, 11, 12, 999_999, tzinfo=offset)
        runs = [
            Run(
                "s" * 253,
                name,
                "s" * 55 + f"-{night:07}",
                start,
                3_599_999_999 * 10**9 - 10**6,
                10**20 - 1,
                True,
            )
            for name in names
        ]
        failed = [Run("s" * 253, name, "f" * 63, start, 1, None, False, 999) for name in names]
        shards = applied(shards, [*runs, *failed], names)
    assert sum(len(shard.entries) for shard in shards) == len(names)
    for shard in shards:
        raw = backup_history("n" * 63, "s" * 253, "u" * 36, shard)
        assert BackupHistory.read(raw).spec.totals.runs == len(shard.entries) * KEPT_RUNS
        assert len(go_json(raw)) < LIMIT


def go_json(raw: object) -> bytes:
    """As the API server stores it."""
    text = json.dumps(raw, ensure_ascii=False, separators=(",", ":"))
    for character in "&<>":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text.encode()


def test_the_schema_takes_what_the_ledger_keeps():
    """Two counts of one thing."""
    assert (MAX_ENTRIES, MAX_RUNS) == (SHARD_OBJECTS, KEPT_RUNS)


def test_runs_of_an_object_in_two_shards_count_together():
    """As when somebody has put back a copy."""
    one = applied([], [a_run(night=night) for night in (0, 1)], OBJECTS)
    other = applied([], [a_run(night=night) for night in (1, 2)], OBJECTS)
    runs = merged([*one, *other])["fs:/a"]
    assert [run.session for run in runs] == ["weekly-0", "weekly-1", "weekly-2"]


def test_a_run_without_a_zone_or_a_length_is_a_mistake():
    """It would be recorded as something that it was not."""
    with pytest.raises(ValueError, match="time zone"):
        Run("fleet", "a", "s", datetime(2026, 1, 1), 1, None, True)  # noqa: DTZ001 - that is the mistake
    with pytest.raises(ValueError, match="ends after"):
        Run("fleet", "a", "s", NIGHT, 0, None, True)
