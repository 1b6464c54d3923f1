"""Termination messages, which Kubernetes cuts at 4096 bytes."""

import json
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from flexlbf.agent import termination
from flexlbf.agent.manifest import Result


@settings(deadline=None)
@given(st.text(), st.integers(1, 6000))
@example("\U0001f4fc", 6000)
@example("", 1)
@example("…", 6000)
def test_an_error_of_any_length_stays_json_that_fits(text: str, times: int) -> None:
    message = text * times
    told = termination.failure(message)
    assert len(told.encode()) <= 4096
    kept = json.loads(told)["error"]
    assert kept == message or (kept.endswith("…") and message.startswith(kept.rstrip("…")))


def test_a_long_error_keeps_most_of_what_fits() -> None:
    assert len(termination.failure("x" * 10_000)) > 4000


@pytest.mark.parametrize(
    ("result", "told"),
    [
        pytest.param(Result(5, 1.5, "ab"), {"bytes": 5, "seconds": 1.5, "sha256": "ab"}, id="clean"),
        pytest.param(
            Result(5, 1.5, "ab", 2), {"bytes": 5, "seconds": 1.5, "sha256": "ab", "warnings": 2}, id="remarks"
        ),
    ],
)
def test_warnings_are_told_only_when_there_are_some(result: Result, told: dict[str, object]) -> None:
    assert result.to_json() == told


def test_outside_a_pod_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = tmp_path / "termination-log"
    monkeypatch.setattr(termination, "DEFAULT_PATH", nowhere)
    termination.leave("{}", None)
    assert not nowhere.exists()
    nowhere.touch()
    termination.leave("{}", None)
    assert nowhere.read_text() == "{}"
