"""Amounts of bytes as people write them and as a status shows them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexlbf.api.quantities import (
    QUANTITY_MAX_LENGTH,
    QUANTITY_PATTERN,
    format_bytes,
    format_quantity,
    parse_quantity,
)

UNITS = {
    "": 1,
    "k": 10**3,
    "M": 10**6,
    "G": 10**9,
    "T": 10**12,
    "P": 10**15,
    "Ki": 2**10,
    "Mi": 2**20,
    "Gi": 2**30,
}


@pytest.mark.parametrize(
    ("written", "want"),
    [
        ("80M", 80_000_000),
        ("80Mi", 83_886_080),
        ("80000000", 80_000_000),
        (80_000_000, 80_000_000),
        ("1.5G", 1_500_000_000),
        ("1.001k", 1001),
        ("4.35M", 4_350_000),
        ("31T", 31 * 10**12),
        ("2Pi", 2**51),
    ],
)
def test_an_amount_is_read_exactly(written: str | int, want: int):
    """No amount passes through a float."""
    assert parse_quantity(written) == want


@pytest.mark.parametrize(
    "written", [0, -1, True, 2**63, "", "0", "-80M", "0.5", "1.5", "500m", "1.5Gi", "80MB", "8e7", "8M\n"]
)
def test_what_is_no_whole_amount_is_refused_with_an_example(written: str | int):
    """Nothing, less than nothing and parts of a byte are refused; the message says what to write."""
    with pytest.raises(ValueError, match="such as 80M or"):
        parse_quantity(written)


@given(
    st.from_regex(QUANTITY_PATTERN.removesuffix("$") + r"\Z").filter(
        lambda text: len(text) <= QUANTITY_MAX_LENGTH
    )
)
def test_whatever_the_schema_takes_is_read_and_written_back(text: str):
    """What passes admission never stops the operator, and writing it loses nothing and grows nothing."""
    amount = parse_quantity(text)
    shortest = format_quantity(amount)
    assert amount > 0
    assert parse_quantity(shortest) == amount
    assert len(shortest) <= QUANTITY_MAX_LENGTH


@given(st.integers(min_value=1, max_value=10**9), st.sampled_from(sorted(UNITS)))
def test_a_unit_multiplies(number: int, unit: str):
    """`NU` is N times U."""
    assert parse_quantity(f"{number}{unit}") == number * UNITS[unit]


@pytest.mark.parametrize(
    ("amount", "want"),
    [
        (80_000_000, "80M"),
        (83_886_080, "80Mi"),
        (1_500_000_000, "1.5G"),
        (307_600_000, "307.6M"),
        (1, "1"),
        (0, "0"),
        (1024, "1Ki"),
        (12345, "12345"),
    ],
)
def test_an_amount_is_written_as_short_as_is_exact(amount: int, want: str):
    """The shortest of the exact ways to write it."""
    assert format_quantity(amount) == want


@pytest.mark.parametrize(
    ("amount", "want"),
    [
        (0, "0"),
        (1, "1"),
        (512, "512"),
        (1000, "1k"),
        (1005, "1.01k"),
        (999_499, "999k"),
        (999_500, "1M"),
        (1.25e9, "1.25G"),
        (30.96e12, "31T"),
        (31e12, "31T"),
        (312.4e12, "312T"),
        (3e18, "3000P"),
    ],
)
def test_an_amount_is_shown_in_three_digits(amount: float, want: str):
    """Rounded half up, without zeros at the end."""
    assert format_bytes(amount) == want


@given(st.integers(min_value=0, max_value=10**21), st.integers(min_value=0, max_value=10**21))
def test_the_larger_one_never_reads_as_the_smaller(one: int, other: int):
    """Formatting keeps the order of any two amounts, and is within half a percent."""
    smaller, larger = sorted((one, other))
    assert _bytes(format_bytes(smaller)) <= _bytes(format_bytes(larger))
    assert abs(_bytes(format_bytes(larger)) - larger) * 200 <= larger


def _bytes(text: str) -> int:
    return 0 if text == "0" else parse_quantity(text)
