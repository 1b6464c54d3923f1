"""File names of runs."""

import os
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from flexlbf.agent.names import MAX_OBJECT_BYTES, RunName, decode, encode

LONE_SURROGATES = st.characters(codec=None, exclude_categories=())
ANY_TEXT = st.text(LONE_SURROGATES, min_size=1, max_size=253)
UNHURRIED = settings(deadline=None)  # how long an example takes is the busy machine's affair
STARTED = datetime(2026, 1, 31, 22, 0, 0, 123456, UTC)
MOMENTS = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - hypothesis adds the zone


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("fs07:/data", "fs07%3A%2Fdata"),
        ("team-a.claim_1", "team-a.claim_1"),
        (".", "%2E"),
        ("..", "%2E."),
        (".hidden", "%2Ehidden"),
        ("~root", "%7Eroot"),
        ("größe", "gr%C3%B6%C3%9Fe"),
        ("a@b+c", "a%40b%2Bc"),
        ("100%", "100%25"),
    ],
)
def test_an_object_stays_readable_in_its_file_name(text: str, name: str) -> None:
    assert encode(text) == name
    assert decode(name) == text


@UNHURRIED
@given(ANY_TEXT)
@example("../../etc/passwd")
@example("\udcff" * 253)
@example("/" * 253)
def test_any_object_gives_a_file_name_that_every_file_system_takes(text: str) -> None:
    name = RunName.of(text, STARTED, session=text)
    for file in (name.archive, name.checksum, name.manifest, name.partial):
        assert len(os.fsencode(file)) <= 200
        assert file.isascii()
        assert file.isprintable()
        assert not set(file) & set("/\\:*?\"<>| '")
    assert not name.archive.startswith(".")


@UNHURRIED
@given(ANY_TEXT)
def test_a_name_of_moderate_length_leads_back_to_its_object(text: str) -> None:
    name = encode(text)
    assert decode(name) in (text, name)
    assert "~" in name or decode(name) == text


@UNHURRIED
@given(ANY_TEXT, ANY_TEXT)
def test_two_objects_never_share_a_name(one: str, other: str) -> None:
    assert (encode(one) == encode(other)) == (one == other)


@UNHURRIED
@given(st.integers(1, 253), st.sampled_from("a/é"))
def test_long_objects_that_begin_alike_are_told_apart(length: int, character: str) -> None:
    text = character * 200 + "x" * length
    assert len(encode(text)) <= MAX_OBJECT_BYTES
    assert encode(text) != encode(text + "x")


@UNHURRIED
@given(ANY_TEXT, MOMENTS, st.none() | ANY_TEXT)
def test_a_run_is_read_back_from_its_name(text: str, started: datetime, session: str | None) -> None:
    name = RunName.of(text, started, session)
    assert RunName.parse(str(name)) == name


def test_a_run_is_named_in_utc() -> None:
    local = STARTED.astimezone(timezone(timedelta(hours=9)))
    assert str(RunName.of("o", local, "nightly")) == "o@20260131T220000.123456Z+nightly"


@pytest.mark.parametrize(
    "text",
    ["", "o", "o@20260131T220000Z", "o@20260231T220000.000000Z", ".o@20260131T220000.000000Z", "o@x@y"],
)
def test_other_files_are_no_runs(text: str) -> None:
    assert RunName.parse(text) is None
