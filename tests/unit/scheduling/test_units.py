"""Seconds and MB/s as whole numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexlbf.scheduling import units
from support.strategies import examples


@pytest.mark.parametrize(
    ("seconds", "nanoseconds"),
    [
        pytest.param(0, 0, id="nothing"),
        pytest.param(1.5, 1_500_000_000, id="a second and a half"),
        pytest.param(1e-9, 1, id="the smallest"),
        pytest.param(0.6e-9, 1, id="to the nearest, up"),
        pytest.param(0.4e-9, 0, id="to the nearest, down"),
    ],
)
def test_seconds_are_whole_nanoseconds(seconds: float, nanoseconds: int) -> None:
    """To the nearest."""
    assert units.to_nanoseconds(seconds) == nanoseconds


@pytest.mark.parametrize(
    ("mbps", "microbytes"),
    [
        pytest.param(8.0, 8 * 10**12, id="a megabyte is 10^6 bytes"),
        pytest.param(0.1 + 0.2, 3 * 10**11, id="rounding of floats vanishes"),
        pytest.param(1e-12, 1, id="the smallest"),
    ],
)
def test_rates_are_whole_microbytes(mbps: float, microbytes: int) -> None:
    """To the nearest."""
    assert units.to_microbytes(mbps) == microbytes


@examples(100)
@given(st.integers(0, 10**9), st.integers(0, 10**6))
def test_whole_numbers_come_back(nanoseconds: int, microbytes: int) -> None:
    """What was converted can be converted back."""
    assert units.to_nanoseconds(units.to_seconds(nanoseconds)) == nanoseconds
    assert units.to_microbytes(units.to_megabytes(microbytes)) == microbytes


def test_the_tolerance_is_a_billionth_of_a_megabyte_a_second() -> None:
    """And a minute is sixty seconds."""
    assert units.to_microbytes(1e-9) == units.RATE_TOLERANCE
    assert units.to_nanoseconds(60) == units.MINUTE
    assert units.MICROBYTES_PER_MB == units.MICROBYTES_PER_BYTE * 10**6
