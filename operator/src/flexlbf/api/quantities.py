"""Amounts of bytes, and bytes a second, as people write them: `80M`, `1.5G`, `80Mi`, `80000000`."""

import math
import re
from fractions import Fraction

QUANTITY_MAX_LENGTH = 20
# No sign and no leading zero, so that the first character tells whether the amount is above zero. A fraction
# has three digits at the most and a power of 1000 behind it, so whatever can be written is whole bytes.
QUANTITY_PATTERN = r"^([1-9][0-9]*([kMGTP]|[KMGTP]i)?|[1-9][0-9]{0,11}[.][0-9]{1,3}[kMGTP])$"
QUANTITY_HINT = (
    "write an amount above zero: a whole number of bytes such as 80000000, or a number from 1 up with a unit,"
    " such as 80M or 1.5G (k M G T P count in thousands) or 80Mi (Ki Mi Gi Ti Pi count in 1024s)"
)

_QUANTITY = re.compile(QUANTITY_PATTERN.removesuffix("$") + r"\Z", re.ASCII)
_DECIMAL = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15}
_BINARY = {"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40, "Pi": 1 << 50}
_UNITS = _DECIMAL | _BINARY
_LARGEST_INTEGER = 2**63 - 1
_HALF = Fraction(1, 2)


def parse_quantity(value: str | int) -> int:
    """Read an amount as a whole number of bytes.

    Raises:
        ValueError: It is not an amount above zero; the message says what to write.
    """
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _LARGEST_INTEGER:
        return value
    if not isinstance(value, str) or len(value) > QUANTITY_MAX_LENGTH or not _QUANTITY.match(value):
        raise ValueError(QUANTITY_HINT)
    number = value.rstrip("kKMGTPi")
    factor = _UNITS[value[len(number) :]]
    whole, _, fraction = number.partition(".")
    thousandths = int(whole) * 1000 + int(fraction.ljust(3, "0"))
    return thousandths * factor // 1000


def format_quantity(amount: int) -> str:
    """Write an amount exactly and as short as its units allow: `80M`, `307.6M`, `80Mi`, `0`."""
    exact = [f"{amount // factor}{suffix}" for suffix, factor in _UNITS.items() if amount % factor == 0]
    exact += [
        f"{amount // factor}.{amount % factor * 1000 // factor:03}".rstrip("0") + suffix
        for suffix, factor in _DECIMAL.items()
        if amount >= factor > 1 and amount % factor and amount * 1000 % factor == 0
    ]
    return min(exact, key=len) if amount else "0"


def format_bytes(amount: float) -> str:
    """Write an amount to three digits, for reading: `31T`, `1.25G`, `512`.

    Raises:
        ValueError: The amount is negative or not finite.
    """
    if not math.isfinite(amount) or amount < 0:
        raise ValueError(f"{amount} is not an amount of bytes")
    rounded = _three_digits(Fraction(amount))
    suffix, factor = [unit for unit in _DECIMAL.items() if unit[1] <= max(rounded, 1)][-1]
    hundredths = rounded * 100 // factor
    whole, rest = divmod(hundredths, 100)
    return f"{whole}.{rest:02}".rstrip("0").rstrip(".") + suffix


def _three_digits(amount: Fraction) -> int:
    """Round half up to three significant digits, and to whole bytes."""
    step: int = 10 ** max(0, len(str(math.floor(amount))) - 3)
    return math.floor(amount / step + _HALF) * step
