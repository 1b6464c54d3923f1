"""Objectives: how long is good enough."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexlbf.tuning import Deadline, Fastest, Objective, WithinPercent
from support.strategies import examples


@pytest.mark.parametrize(
    ("objective", "want"),
    [
        pytest.param(Fastest(), 1000, id="fastest: the reference"),
        pytest.param(WithinPercent(15), 1150, id="within 15 %: the reference and 15 % of it"),
        pytest.param(WithinPercent(0.1), 1001, id="a tenth of a per cent is exactly that"),
        pytest.param(WithinPercent(1e-7), Fraction(1000 * (10**9 + 1), 10**9), id="so are small ones"),
        pytest.param(WithinPercent(0), 1000, id="within 0 %: the reference"),
        pytest.param(Deadline(1500), 1500, id="deadline: the window, however long"),
        pytest.param(Deadline(500), 500, id="deadline: the window, however short"),
    ],
)
def test_a_target_follows_from_the_reference_of_1000(objective: Objective, want: Fraction) -> None:
    """Exactly."""
    assert objective.target(1000) == want


@pytest.mark.parametrize("percent", [-0.1, -15, math.nan, math.inf])
def test_a_percentage_is_a_number_of_0_or_more(percent: float) -> None:
    """Refused at once, not when the target is asked for."""
    with pytest.raises(ValueError, match="a percentage is a number of 0 or more: 15 accepts a session 15 %"):
        WithinPercent(percent)


@pytest.mark.parametrize("window", [0, -1])
def test_a_deadline_lies_ahead(window: int) -> None:
    """Refused with an example."""
    with pytest.raises(ValueError, match="a deadline must be more than 0 s: write 8h or 90m"):
        Deadline(window)


@examples(100)
@given(st.integers(1, 10**15))
def test_within_0_percent_and_a_deadline_of_the_reference_are_fastest(reference: int) -> None:
    """Three ways to say one thing."""
    want = Fastest().target(reference)
    assert WithinPercent(0).target(reference) == want
    assert Deadline(reference).target(reference) == want


@pytest.mark.parametrize(
    ("objective", "name"),
    [(Fastest(), "Fastest"), (WithinPercent(1), "WithinPercent"), (Deadline(1), "Deadline")],
)
def test_an_objective_is_called_as_in_the_policy(objective: Objective, name: str) -> None:
    """The value of the policy's field."""
    assert objective.name == name
